/** What GitHub did not take of a run: with the last comment or check refused, the status is where people learn of it. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { Run } from '../../domain/run/state/run-record.ts';
import type { EffectKind } from '../../domain/event/effect.ts';
import type { ResultData } from './thread-context.ts';

const WORDS: Readonly<Partial<Record<EffectKind, string>>> = {
  comment: 'the comment',
  review: 'the review',
  'review-check': 'the check',
  check: 'the check',
  labels: 'labels',
  issue: 'an issue',
  close: 'closing',
};

/** The thread itself is gone: there is nothing to miss. */
const GONE = new Set<ErrorCode>(['github-not-found', 'github-moved']);

/** Keeps what was refused, until the same is written after all. */
export function noteWrite(run: Run, data: ResultData): void {
  const what = data.kind === 'timer' ? undefined : WORDS[data.effectKind];
  if (what === undefined) return;
  const others = (run.unwritten ?? []).filter((each) => each.what !== what);
  const code = data.kind === 'failed' ? data.failure.code : undefined;
  if (code?.startsWith('github-') === true && !GONE.has(code)) others.push({ what, code });
  if (others.length > 0) run.unwritten = others;
  else delete run.unwritten;
}
