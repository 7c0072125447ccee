/** The machine's clock, for tests of what really waits. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../src/ports/clock.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
};
