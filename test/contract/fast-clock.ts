/** A clock for tests that runs faster than the wall and can be moved forward; it measures nothing. */
import type { Clock, Random } from '../../src/ports/clock.ts';

export interface FastClock extends Clock {
  /** Moves the time without waking sleepers. */
  advance(ms: number): void;
  /** Waits that were asked for, in the clock's own ms. */
  readonly slept: number[];
}

/** Twenty of its seconds pass in 0.2 of the wall's. */
const SPEED = 100;

export function createFastClock(start = Date.parse('2026-01-05T09:00:00Z')): FastClock {
  const began = performance.now();
  const slept: number[] = [];
  let offset = 0;
  return {
    slept,
    now: () => Math.round(start + offset + (performance.now() - began) * SPEED),
    advance: (ms) => {
      offset += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
          return;
        }
        slept.push(ms);
        const onAbort = (): void => {
          clearTimeout(timer);
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        }, ms / SPEED);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/** Chance without chance: always the middle, ids that count. */
export function createPlainRandom(): Random {
  let n = 0;
  return { next: () => 0.5, id: () => `id-${(n += 1)}` };
}
