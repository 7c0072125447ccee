/** The real time and real chance. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from '../../ports/clock.ts';

/**
 * The system's clock.
 *
 * @example
 * ```ts
 * import { systemClock } from 'quorum';
 *
 * const before = systemClock.now();
 * await systemClock.sleep(5);
 * console.log(systemClock.now() >= before); // true
 * ```
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
};

const PRECISION = 2 ** 47;

/**
 * Random numbers and ids from the operating system.
 *
 * @example
 * ```ts
 * import { systemRandom } from 'quorum';
 *
 * console.log(systemRandom.next() < 1); // true
 * console.log(systemRandom.id().length); // 36
 * ```
 */
export const systemRandom: Random = {
  next: () => randomInt(PRECISION) / PRECISION,
  id: () => randomUUID(),
};
