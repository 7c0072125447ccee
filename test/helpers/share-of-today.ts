/** Long lists of schedules that CI runs in turns. */

const DAY_MS = 24 * 3_600_000;

/**
 * All of a list, or, where `SCHEDULES_SHARE` is N as in `.ci/run`, every N-th of it, others each day: within N days all
 * were run. A list that is shorter than N is run whole.
 */
export function shareOfToday<T>(
  all: readonly T[],
  share = Number(process.env['SCHEDULES_SHARE'] ?? 1),
  now = Date.now(),
): readonly T[] {
  if (all.length < share) return all;
  const today = Math.floor(now / DAY_MS);
  return all.filter((_, at) => (at + today) % share === 0);
}
