/** How long a run of tests may begin new files, and which files come last. */

/** The title of the one test of a file that was not begun. */
export const NOT_BEGUN = 'not begun, since the time for tests was over';

const DAY_S = 24 * 3600;

/** Whether a file may begin now. `until` is in seconds since 1970; without it there is always time. */
export function isTimeLeft(
  until = process.env['TESTS_UNTIL'],
  nowSeconds = Date.now() / 1000,
): boolean {
  return until === undefined || nowSeconds < Number(until);
}

/** The list from another place each day, so that what comes last on one day comes earlier on others. */
export function turnByDay<T>(all: readonly T[], nowSeconds = Date.now() / 1000): T[] {
  // A prime step of some length: files with like names, which take equally long, do not stay together at the end.
  const start = (Math.floor(nowSeconds / DAY_S) * 37) % Math.max(all.length, 1);
  return [...all.slice(start), ...all.slice(0, start)];
}
