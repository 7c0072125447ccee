/** A clock that goes as the wall's does, and can be put forward: whoever sleeps until then wakes. */
import type { Clock } from '../../src/ports/clock.ts';

export interface JumpClock extends Clock {
  jump(ms: number): void;
}

export function createJumpClock(): JumpClock {
  const sleepers = new Set<{ due: number; wake: () => void }>();
  let offset = 0;
  const now = (): number => Date.now() + offset;
  return {
    now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
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
        const timer = setTimeout(wake, ms);
        const sleeper = { due: now() + ms, wake };
        sleepers.add(sleeper);
        if (signal?.aborted === true) return onAbort();
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    jump: (ms) => {
      offset += ms;
      for (const each of sleepers) if (each.due <= now()) each.wake();
    },
  };
}
