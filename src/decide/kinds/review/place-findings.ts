/** Sorts the findings of a review onto lines of the diff, into the body, and over the cap. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { capFindings, type Finding } from '../../../domain/review/finding.ts';
import { isMuted } from '../../../domain/review/precision.ts';
import type { FindingsLedger, LedgerFinding, ReviewState } from '../../../domain/review/review.ts';
import type { PlacedCommentWanted } from '../../../domain/review/review-wanted.ts';
import { placeComment, type CommentPlace } from '../../../domain/review/comment-place.ts';
import { renderFinding } from './render-finding.ts';

export interface Laid {
  /** Everything that this review reports. */
  fresh: readonly Finding[];
  comments: PlacedCommentWanted[];
  /** For the body: what has no line of its own in the diff. */
  unplaced: Finding[];
  rest: Finding[];
  /** By voices and rules that went quiet: folded away. */
  muted: Finding[];
  /** Number of the first finding in the body. The others follow, the muted ones last. */
  firstNumber: number;
}

/** Sorts the findings onto lines, into the body, and over the cap. */
export function layOut(
  fresh: readonly Finding[],
  review: ReviewState,
  run: Run<'pr_review'>,
): Laid {
  const quiet = review.muted ?? [];
  const loud = fresh.filter((finding) => !isMuted(finding, quiet));
  const placeable = loud.filter((finding) => placeOf(finding, review) !== undefined);
  const { shown, rest } = capFindings(placeable, review.settings.maxComments);
  return {
    fresh,
    comments: shown.flatMap((finding) => toComment(finding, review, run)),
    unplaced: loud.filter((finding) => placeOf(finding, review) === undefined),
    rest,
    muted: fresh.filter((finding) => isMuted(finding, quiet)),
    firstNumber: 1 + Math.max(0, ...review.ledger.findings.map(({ number }) => number ?? 0)),
  };
}

/** Numbers the findings without a conversation of their own, so that people can name them. A number never changes. */
export function numberFindings(
  ledger: FindingsLedger,
  { unplaced, muted, firstNumber }: Laid,
): FindingsLedger {
  const names = [...unplaced, ...muted].map(({ fingerprint }) => fingerprint);
  const findings = ledger.findings.map((entry): LedgerFinding => {
    const at = names.indexOf(entry.finding.fingerprint);
    return at === -1 ? entry : { ...entry, number: firstNumber + at };
  });
  return { ...ledger, findings };
}

function toComment(
  finding: Finding,
  review: ReviewState,
  run: Run<'pr_review'>,
): PlacedCommentWanted[] {
  const at = placeOf(finding, review);
  if (at === undefined) return [];
  const { isWhole, ...place } = at;
  return [{ key: finding.fingerprint, ...place, body: renderFinding(finding, run, isWhole) }];
}

function placeOf(
  finding: Finding,
  { hunks }: Pick<ReviewState, 'hunks'>,
): CommentPlace | undefined {
  return finding.scope === 'line' ? placeComment(finding, hunks) : undefined;
}
