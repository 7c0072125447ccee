/** The findings of a review for code scanning. */
import { REVIEW_RULES } from '../../../rules/change/review-rules.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import { toSarif } from '../../../domain/review/sarif.ts';
import about from '../../../../package.json' with { type: 'json' };

export function renderSarif(findings: readonly Finding[]): string {
  const rules = new Map(REVIEW_RULES.map((rule) => [rule.id, rule]));
  return JSON.stringify(toSarif(findings, { version: about.version, rules, notRead: [] }));
}
