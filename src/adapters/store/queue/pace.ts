/** When work is given out again after its consumer threw or let it go unsettled, and whether that counts against it. */
import { QuorumError, TransientError } from '../../../domain/event/errors.ts';

const FIRST_MS = 200;
const LONGEST_MS = 30_000;

export interface Redelivery {
  delayMs: number;
  /** False when the world was in the way, not the work: else an outage would make poison of good work. */
  countsAsAttempt: boolean;
}

/** What follows when the consumer threw this, or ended without settling. A crash and a bug count; "later" and "again" do not. */
export function toRedelivery(attempt: number, error?: unknown): Redelivery {
  const countsAsAttempt = !(error instanceof QuorumError && error.retryable);
  const named = error instanceof TransientError ? error.retryAfterMs : undefined;
  return { delayMs: Math.min(named ?? redeliveryDelayMs(attempt), LONGEST_MS), countsAsAttempt };
}

/** Doubles from 200 ms to 30 s, so that a consumer that always throws does not spin. */
export function redeliveryDelayMs(attempt: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(attempt - 1, 10), LONGEST_MS);
}
