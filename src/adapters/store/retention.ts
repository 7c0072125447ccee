/** How long what is settled stays readable, and how long its id still stops a repeat. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** Settled events and effects are readable for this long unless the owner says otherwise. */
export const DEFAULT_RETENTION_MS = 90 * DAY_MS;

/** GitHub redelivers by hand for three days; twice that, and a day, of ids are kept. */
export const ID_RETENTION_MS = 7 * DAY_MS;

/** Rows removed in one go, so that nothing waits for long. */
export const PRUNE_BATCH = 200;

/** One look at what may go after this many settlements: an idle store does not grow. */
export const SETTLES_PER_PRUNE = 100;

/** What was settled before these moments (milliseconds since the epoch) loses its content, or goes. */
export function pruneBefore(now: number, retentionMs: number): { content: number; row: number } {
  return { content: now - retentionMs, row: now - Math.max(retentionMs, ID_RETENTION_MS) };
}
