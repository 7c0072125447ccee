/** A clock on which every sleep is over at once: time passes only when somebody waits for it. */
import type { Clock } from '../../src/ports/clock.ts';

export interface InstantClock extends Clock {
  advance(ms: number): void;
}

export function createInstantClock(start = Date.parse('2026-06-01T09:00:00Z')): InstantClock {
  let at = start;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      at += ms;
      // Lets others run between the waits of a loop.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      signal?.throwIfAborted();
    },
  };
}
