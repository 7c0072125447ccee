/** What code finds in a change before any model looks: every rule over one reading. */
import type { Diff } from '../../domain/diff/diff.ts';
import type { Finding } from '../../domain/review/finding.ts';
import { compareFindings } from '../../domain/review/finding.ts';
import { nameFindings } from '../../domain/review/fingerprint.ts';
import type { FindingDraft } from '../../domain/review/fingerprint.ts';
import type { ChangeSignals } from '../../domain/run/scan.ts';
import { stripInvisible } from '../../domain/text/invisible.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import { toLine } from '../issue/quote.ts';
import { NO_CONTEXT } from './context.ts';
import type { ReviewContext } from './context.ts';
import { readChange } from './read-change.ts';
import type { Change } from './read-change.ts';
import { REVIEW_RULES } from './review-rules.ts';
import type { ReviewRule, RuleWords, Sighting } from './change-rule.ts';

/** Beyond this a rule reports no more, so that a hostile diff costs no more. */
const MAX_PER_RULE = 200;

/** Findings of every rule about a change. Pure, total, linear in the diff and the texts at hand. */
export function decideReviewSignals(diff: Diff, context: ReviewContext = NO_CONTEXT): Finding[] {
  return decideReview(diff, context).findings;
}

/** The same, with what was left out. */
export function decideReview(diff: Diff, context: ReviewContext = NO_CONTEXT): ChangeSignals {
  const change = readChange(diff, context);
  return { findings: applyRules(REVIEW_RULES, change), notRead: notRead(change) };
}

/** What some rules find in one reading, worst first. */
export function applyRules(
  rules: readonly (RuleWords & Pick<ReviewRule, 'find'>)[],
  change: Change,
): Finding[] {
  const drafts = rules.flatMap((rule) =>
    rule
      .find(change)
      .slice(0, MAX_PER_RULE)
      .map((sighting) => toDraft(rule, sighting)),
  );
  return nameFindings(drafts).toSorted(compareFindings);
}

function notRead({ leftOut, diff }: Change): string[] {
  return [
    ...leftOut.map(({ path, reason }) => `${path}: ${reason}`),
    ...diff.problems.map(({ line, message }) => `line ${line} of the diff: ${message}`),
  ];
}

function toDraft(rule: RuleWords, sighting: Sighting): FindingDraft {
  const { file, line, endLine, suggestion } = sighting;
  const side = sighting.side ?? 'RIGHT';
  const text = sighting.code ?? codeOf(sighting);
  return {
    ruleId: rule.id,
    severity: sighting.severity ?? rule.severity,
    path: side === 'LEFT' ? file.basePath : file.path,
    line,
    ...(endLine === undefined || endLine <= line ? {} : { endLine }),
    side,
    scope: sighting.scope ?? 'line',
    personas: [...rule.personas],
    title: sighting.title ?? rule.title,
    ...evidenceOf(sighting, text),
    why: rule.explanation,
    ...(suggestion === undefined ? {} : { suggestion }),
    advice: rule.advice,
    code: text,
    basePath: file.basePath,
    source: 'signal',
  };
}

function evidenceOf({ evidence }: Sighting, text: string): Pick<Finding, 'evidence' | 'isQuote'> {
  if (evidence !== undefined) return { evidence };
  const first = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return { evidence: toLine(redactSecrets(stripInvisible(first).text)), isQuote: true };
}

/** The lines a sighting is about, as they stand. */
function codeOf({ file, line, endLine = line, side }: Sighting): string {
  if (side === 'LEFT')
    return file.removed
      .filter((removed) => removed.line >= line && removed.line <= endLine)
      .map(({ text }) => text)
      .join('\n');
  const found: string[] = [];
  for (let at = line; at <= endLine; at += 1) found.push(file.lines.get(at)?.text ?? '');
  return found.join('\n');
}
