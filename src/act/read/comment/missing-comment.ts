/** A comment that GitHub does not show: not yet, or not any more. */
import { TransientError } from '../../../domain/event/errors.ts';
import type { Waits } from '../../../ports/store.ts';

/** GitHub's copies lag behind its webhooks, mostly by less than this: then it is looked for often. */
const LAG_MS = 3_000;

const AGAIN_MS = 700;

/** A list of the time before a restart is no older than this: until then nothing is taken for deleted. */
const LONGEST_LAG_MS = 25_000;

const SELDOM_MS = 4_000;

const NOT_THERE = 'comment-not-there';

/**
 * After a restart the first look may be late, and at a copy that lags behind: one look tells of no deletion. The queue waits
 * for the next one.
 */
export function assertGone(
  now: number,
  { at, waits }: { at: number; waits: Waits | undefined },
): void {
  const age = now - at;
  if (age < LONGEST_LAG_MS) throw notThereYet(age < LAG_MS ? AGAIN_MS : SELDOM_MS);
  const missingMs = waits?.code === NOT_THERE ? now - waits.since : 0;
  if (missingMs < LAG_MS) throw notThereYet(LAG_MS - missingMs);
}

function notThereYet(retryAfterMs: number): TransientError {
  return new TransientError({
    code: 'comment-not-there',
    message: 'GitHub does not show the comment yet.',
    retryAfterMs,
  });
}
