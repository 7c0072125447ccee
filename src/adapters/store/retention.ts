/** How long what is settled stays readable, and how long its id still stops a repeat. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long what nothing waits for any more is kept, in milliseconds. */
export interface Retention {
  /** Settled events and effects: a quarter, so that `replay` and `/pm why` reach back to the last one. */
  settledMs: number;
  /** Dead-lettered and parked ones: time to upgrade or repair, then to put them back. */
  deadMs: number;
  /** States of threads, tasks and builds in which nothing happened; GitHub has what they were made of. */
  statesMs: number;
  /** Model calls: a year to compare with the year before, and a month to close the books. */
  ledgerMs: number;
  /** Standups with their insights: a year, so that a theme that returns is known. */
  standupsMs: number;
}

/** Unless the owner says otherwise. */
export const DEFAULT_RETENTION: Retention = {
  settledMs: 90 * DAY_MS,
  deadMs: 180 * DAY_MS,
  statesMs: 365 * DAY_MS,
  ledgerMs: 400 * DAY_MS,
  standupsMs: 365 * DAY_MS,
};

/** What a store was opened with; `retentionMs` is that of settled events and effects. */
export function toRetention({
  retentionMs,
  retention,
}: {
  retentionMs?: number;
  retention?: Partial<Retention>;
}): Retention {
  return {
    ...DEFAULT_RETENTION,
    ...(retentionMs !== undefined && { settledMs: retentionMs }),
    ...retention,
  };
}

/** Streams whose states expire; those of repositories and installations say what may be done there, and stay. */
export const EXPIRING_STREAMS = ['thread', 'task', 'build'] as const;

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
