/** How long a run of tests may begin new files, and which files come last. */

/** The title of the one test of a file that was not begun. */
export const NOT_BEGUN = 'not begun, since the time for tests was over';

const DAY_S = 24 * 3600;

export function hasTimeLimit(): boolean {
  return process.env['TESTS_UNTIL'] !== undefined;
}

/** Whether a file may begin now. `until` is in seconds since 1970; without it there is always time. */
export function isTimeLeft(
  until = process.env['TESTS_UNTIL'],
  nowSeconds = Date.now() / 1000,
): boolean {
  return until === undefined || nowSeconds < Number(until);
}

/** Both lists in their order, each spread over the whole: where the run ends early, it has begun as much of the one as of the other. */
export function spread<T>(one: readonly T[], other: readonly T[]): T[] {
  const placed = [one, other].flatMap((list) =>
    list.map((item, at) => ({ item, place: (at + 0.5) / list.length })),
  );
  return placed.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
}

/** The list from another place each day, so that what comes last on one day comes earlier on others. */
export function turnByDay<T>(all: readonly T[], nowSeconds = Date.now() / 1000): T[] {
  // A prime step of some length: files with like names, which take equally long, do not stay together at the end.
  const start = (Math.floor(nowSeconds / DAY_S) * 37) % Math.max(all.length, 1);
  return [...all.slice(start), ...all.slice(0, start)];
}
