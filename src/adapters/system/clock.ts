/** The real time and real chance. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Random } from '../../ports/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal === undefined ? {} : { signal }),
};

const PRECISION = 2 ** 47;

export const systemRandom: Random = {
  next: () => randomInt(PRECISION) / PRECISION,
  id: () => randomUUID(),
};
