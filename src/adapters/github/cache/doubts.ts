/**
 * Answers that may be stale, because GitHub's copies lag behind each other. The caller reads again after a while, and the
 * queue waits for that: a wait here would hold a worker's slot.
 */
import { TransientError } from '../../../domain/event/errors.ts';
import type { SessionContext } from '../bound.ts';

/** Without an answer for so long, an earlier one says nothing about the next. */
const REMEMBERED_MS = 5 * 60_000;

/** An answer, and how long it has to last before it is believed. */
export interface Doubted {
  /** What was asked; unique in the installation. */
  name: string;
  /** Since the first such answer, ascending: the read is repeated at each, and the answer after the last is believed. */
  againAtMs: readonly number[];
}

/**
 * Returns when the answer has lasted long enough. Until then it throws.
 *
 * @throws TransientError `github-lagging` with `retryAfterMs`
 */
export function assertLasting(
  { recall, clock, installationId }: SessionContext,
  { name, againAtMs }: Doubted,
): void {
  const key = `${installationId}/${name}`;
  const now = clock.now();
  const known = recall.doubts.get(key);
  const firstAt = known === undefined || now - known.lastAt > REMEMBERED_MS ? now : known.firstAt;
  recall.doubts.set(key, { firstAt, lastAt: now });
  const next = againAtMs.find((ms) => now < firstAt + ms);
  if (next === undefined) return;
  throw new TransientError({
    code: 'github-lagging',
    message: 'GitHub may not show yet what has just changed.',
    details: 'Nothing to do: Quorum reads it again.',
    retryAfterMs: firstAt + next - now,
  });
}

/** Another answer came: the next doubtful one is the first again. */
export function settleDoubt({ recall, installationId }: SessionContext, name: string): void {
  recall.doubts.delete(`${installationId}/${name}`);
}
