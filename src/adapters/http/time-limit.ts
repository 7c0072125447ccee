/** Gives up waiting after a time. One sleep serves all who wait: a timer for each request took 5 % of the door's time. */
import type { Clock } from '../../ports/clock.ts';

interface Waiting {
  /** By the clock, in milliseconds. */
  endsAt: number;
  fail: (error: Error) => void;
}

/** Waits for `work`; rejects when it took longer than the limit. */
export type Within = <T>(work: Promise<T>) => Promise<T>;

/** The limit is the same for all, so the first to start is the first to run out of time. */
export function createTimeLimit(clock: Clock, limitMs: number, message: string): Within {
  const waiting = new Set<Waiting>();
  let isWatching = false;
  const watch = async (): Promise<void> => {
    for (const first of waiting) {
      const leftMs = first.endsAt - clock.now();
      if (leftMs > 0) await clock.sleep(leftMs);
      if (waiting.delete(first)) first.fail(new Error(message));
    }
    isWatching = false;
  };
  return (work) =>
    new Promise((resolve, reject) => {
      const own = { endsAt: clock.now() + limitMs, fail: reject };
      waiting.add(own);
      work.then(resolve, reject).finally(() => waiting.delete(own));
      if (isWatching) return;
      isWatching = true;
      void watch();
    });
}
