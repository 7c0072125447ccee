/** Who sleeps on a clock whose time can be put forward. */

export interface Sleeper {
  /** When it wakes, in the clock's time. */
  due: number;
  /** How long it lay down for. */
  ms: number;
}

export interface Sleepers {
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  all: () => Sleeper[];
  /** Wakes those whose time has come. */
  wakeDue: () => void;
}

/** They wake by themselves as well, `speed` times as fast as the wall's clock goes. */
export function createSleepers(now: () => number, speed = 1): Sleepers {
  const sleeping = new Map<Sleeper, () => void>();
  return {
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          sleeping.delete(sleeper);
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
        const timer = setTimeout(wake, ms / speed);
        const sleeper = { due: now() + ms, ms };
        sleeping.set(sleeper, wake);
        if (signal?.aborted === true) return onAbort();
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    all: () => [...sleeping.keys()],
    wakeDue: () => {
      for (const [{ due }, wake] of sleeping) if (due <= now()) wake();
    },
  };
}
