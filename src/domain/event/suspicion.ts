/**
 * Work that was running when its process ended is suspect: it runs alone next. That separates an item that ends
 * processes from those that only ran beside it.
 */

/** What is known of a suspect. Kept with its row as JSON until it ends or is retried. */
export interface Suspicion {
  /** Times in a row that the process ended, or the deadline passed, while it ran alone. */
  endings: number;
  /** Times in a row that it was running at an end after its time alone: each doubles that time. */
  outlived: number;
  /** Age of a process in milliseconds before which it does not get the item. */
  waitMs: number;
  /** Age of the process at which its time alone ends; absent when it does not run alone. */
  aloneUntilMs?: number;
}

/** After so many endings while it ran alone an item is dead-lettered. */
export const MAX_ENDINGS = 2;

/** Most work ends within this time, and what blocks or kills a process usually does so at once. */
export const FIRST_ALONE_MS = 5_000;
/** Others wait for it: an item that ends its process later than this is not recognised. */
const LONGEST_ALONE_MS = 80_000;
/** Between two endings others get at least this long, even when the process ends at each trial. */
const LEAST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/** It was running when its process ended. That counts only while it ran alone. */
export function afterEnd(before: Suspicion | undefined): Suspicion {
  if (before === undefined) return { endings: 0, outlived: 0, waitMs: 0 };
  // It was delivered only to be dead-lettered.
  if (before.endings >= MAX_ENDINGS) return before;
  if (before.aloneUntilMs !== undefined) return withEnding(before, before.aloneUntilMs);
  return { endings: 0, outlived: before.outlived + 1, waitMs: 0 };
}

/** Its deadline passed. Nobody else can have caused that, once it began alone. */
export function afterDeadline(before: Suspicion | undefined): Suspicion {
  return before === undefined ? afterEnd(before) : withEnding(before, 0);
}

/**
 * Somebody who kills a process of age A again and again never reaches the second trial. That trial begins at 1.5 times
 * the age at which the first one could last be counted.
 */
function withEnding({ endings, outlived }: Suspicion, ageMs: number): Suspicion {
  const ended = endings + 1;
  const waitMs = Math.min(Math.max(1.5 * ageMs, LEAST_WAIT_MS), LONGEST_WAIT_MS);
  return { endings: ended, outlived, waitMs: ended < MAX_ENDINGS ? waitMs : 0 };
}

/** It begins alone, in a process of this age. */
export function beginAlone(
  suspicion: Suspicion,
  ageMs: number,
): Suspicion & { aloneUntilMs: number } {
  return { ...suspicion, aloneUntilMs: ageMs + aloneMs(suspicion) };
}

/** Its time alone is over: others run again, and an end of the process is no evidence any more. */
export function endAlone({ endings, outlived, waitMs }: Suspicion): Suspicion {
  return { endings, outlived, waitMs };
}

/** How long it runs alone. */
export function aloneMs({ outlived }: Suspicion): number {
  return Math.min(FIRST_ALONE_MS * 2 ** outlived, LONGEST_ALONE_MS);
}
