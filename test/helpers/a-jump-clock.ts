/** A clock that runs like the wall clock, and can be put forward: sleeps that end before then wake. */
import type { Clock } from '../../src/ports/clock.ts';
import { createSleepers } from './sleepers.ts';

export interface JumpClock extends Clock {
  jump(ms: number): void;
}

export function createJumpClock(): JumpClock {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const { sleep, wakeDue } = createSleepers(now);
  const jump = (ms: number): void => {
    offset += ms;
    wakeDue();
  };
  return { now, sleep, jump };
}
