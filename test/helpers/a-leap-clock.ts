/** A clock that leaps over quiet hours: days pass in seconds, and nothing that is under way is overtaken. */
import type { Clock } from '../../src/ports/clock.ts';

export interface LeapClock extends Clock {
  /** Goes to the moment of the next sleeper, at most to `until`, and wakes who is due. */
  leap(until: number): void;
}

/** Between two leaps its time runs this much faster than the wall's. */
const SPEED = 40;
/** Waits of this length are deadlines of what is under way: no leap ends them. Naps are shorter, back-off is longer. */
const DEADLINE_MS = { from: 5_000, to: 10_000 };

interface Sleeper {
  due: number;
  isDeadline: boolean;
  wake: () => void;
}

export function createLeapClock(start = Date.parse('2026-01-05T09:00:00Z')): LeapClock {
  const began = performance.now();
  const sleepers = new Set<Sleeper>();
  let offset = 0;
  const now = (): number => Math.round(start + offset + (performance.now() - began) * SPEED);
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => sleeper.wake(), ms / SPEED);
      const leave = (): void => {
        clearTimeout(timer);
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        leave();
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const wake = (): void => {
        leave();
        resolve();
      };
      const isDeadline = ms >= DEADLINE_MS.from && ms <= DEADLINE_MS.to;
      const sleeper: Sleeper = { due: now() + ms, isDeadline, wake };
      sleepers.add(sleeper);
      if (signal?.aborted === true) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  const leap = (until: number): void => {
    if ([...sleepers].some((sleeper) => sleeper.isDeadline)) return;
    const next = Math.min(until, ...[...sleepers].map((sleeper) => sleeper.due));
    offset += Math.max(0, next - now());
    for (const sleeper of sleepers) if (sleeper.due <= now()) sleeper.wake();
  };
  return { now, sleep, leap };
}
