/** A clock that leaps over quiet hours: days pass in seconds, and nothing that is under way is overtaken. */
import type { Clock } from '../../src/ports/clock.ts';
import { createSleepers } from './sleepers.ts';

export interface LeapClock extends Clock {
  /** Goes to the moment of the next sleeper, at most to `until`, and wakes who is due. */
  leap(until: number): void;
}

/** Between two leaps its time runs this much faster than the wall's. */
const SPEED = 40;
/** Waits of this length are deadlines of what is under way: no leap ends them. Naps are shorter, back-off is longer. */
const DEADLINE_MS = { from: 5_000, to: 10_000 };

export function createLeapClock(
  start = Date.parse('2026-01-05T09:00:00Z'),
  speed = SPEED,
): LeapClock {
  const began = performance.now();
  let offset = 0;
  const now = (): number => Math.round(start + offset + (performance.now() - began) * speed);
  const { sleep, all, wakeDue } = createSleepers(now, speed);
  const leap = (until: number): void => {
    if (all().some(({ ms }) => ms >= DEADLINE_MS.from && ms <= DEADLINE_MS.to)) return;
    const next = Math.min(until, ...all().map(({ due }) => due));
    offset += Math.max(0, next - now());
    wakeDue();
  };
  return { now, sleep, leap };
}
