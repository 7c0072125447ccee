/** One finding as a comment on a line, and as an annotation of the check. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { codeBlock } from '../../../domain/text/code-span.ts';
import type { Finding } from '../../../domain/review/finding.ts';
import { isMuted } from '../../../domain/review/precision.ts';
import { openFindings } from './ledger/reconcile-ledger.ts';
import { cleanLine, headOf, inOwnWords, joined, namesOf, sentence } from './pieces.ts';
import type { ReviewState } from '../../../domain/review/review.ts';
import type { AnnotationWanted } from '../../../domain/review/review-wanted.ts';

/** One comment: severity and what is wrong, what was seen, why it matters, the fix, the names. */
export function renderFinding(
  finding: Finding,
  run: Run<'pr_review'>,
  canSuggest: boolean,
): string {
  const { suggestion } = finding;
  const fix =
    suggestion !== undefined && canSuggest && finding.side === 'RIGHT' ? suggestion : undefined;
  const parts = [
    headOf(finding, run),
    fix === undefined ? reasonsOf(finding, run) : reasonsOf({ ...finding, advice: undefined }, run),
    fix === undefined ? '' : codeBlock(fix, 'suggestion'),
    `<sub>${namesOf(finding, run)}</sub>`,
  ];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** What was seen beside the line itself, why it matters, and what to do. */
function reasonsOf(reasons: Reasons, run: Run<'pr_review'>): string {
  const { isQuote, evidence, why, advice } = reasons;
  const own = [why, advice].map((text) => inOwnWords(text, reasons));
  const said = [isQuote === true ? undefined : evidence, ...own];
  return joined(said.map((text) => sentence(text, run)));
}

type Reasons = Pick<Finding, 'evidence' | 'isQuote' | 'why' | 'source'> & {
  advice?: string | undefined;
};

const LEVELS = {
  critical: 'failure',
  high: 'failure',
  medium: 'warning',
  low: 'notice',
  info: 'notice',
} as const;

/** What the check shows on the diff: everything that is open, reported now or before. */
export function toAnnotations(review: ReviewState, run: Run<'pr_review'>): AnnotationWanted[] {
  return openFindings(review.ledger)
    .map((entry) => entry.finding)
    .filter((finding) => finding.side === 'RIGHT' && finding.scope === 'line')
    .filter((finding) => !isMuted(finding, review.muted ?? []))
    .map((finding) => ({
      path: finding.path,
      startLine: finding.line,
      endLine: finding.endLine ?? finding.line,
      level: LEVELS[finding.severity],
      title: cleanLine(inOwnWords(finding.title, finding) ?? '', run).slice(0, 255),
      message: reasonsOf(finding, run) || finding.ruleId,
    }));
}
