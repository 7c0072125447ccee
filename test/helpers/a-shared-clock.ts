/** A clock that several processes share: from one moment on it runs so many times as fast as the wall's. */
import type { Clock } from '../../src/ports/clock.ts';
import { createSleepers } from './sleepers.ts';

export interface SharedTime {
  /** In ms since the epoch, on both clocks. */
  start: number;
  speed: number;
}

export function createSharedClock({ start, speed }: SharedTime): Clock {
  const now = (): number => Math.round(start + (Date.now() - start) * speed);
  return { now, sleep: createSleepers(now, speed).sleep };
}
