/** Keeps calls to one endpoint within a number at a time and a number per minute. */
import type { Clock } from '../../../ports/clock.ts';

export interface Limits {
  concurrency: number;
  rpm: number | undefined;
}

export interface Limiter {
  /** Waits for a turn, first come first served; rejects with the signal's reason when aborted first. */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

const MINUTE_MS = 60_000;

/** One limiter belongs to one endpoint and key. */
export function createLimiter(limits: Limits, clock: Clock): Limiter {
  const waiting: (() => void)[] = [];
  const starts: number[] = [];
  let running = 0;

  const release = (): void => {
    const next = waiting.shift();
    // The turn is handed over, so nobody can slip in between.
    if (next === undefined) running -= 1;
    else next();
  };
  const takeTurn = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    if (running < limits.concurrency) {
      running += 1;
      return;
    }
    await waitInLine(waiting, signal);
  };
  const waitForMinute = async (signal: AbortSignal | undefined): Promise<void> => {
    if (limits.rpm === undefined) return;
    for (;;) {
      const now = clock.now();
      while (starts[0] !== undefined && starts[0] <= now - MINUTE_MS) starts.shift();
      const oldest = starts[0];
      if (oldest === undefined || starts.length < limits.rpm) break;
      await clock.sleep(oldest + MINUTE_MS - now, signal);
    }
    starts.push(clock.now());
  };
  return {
    async run(signal, work) {
      await takeTurn(signal);
      try {
        await waitForMinute(signal);
        return await work();
      } finally {
        release();
      }
    },
  };
}

function waitInLine(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const at = waiting.indexOf(onTurn);
      if (at >= 0) waiting.splice(at, 1);
      reject(toReason(signal));
    };
    const onTurn = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    waiting.push(onTurn);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function toReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('Aborted.', 'AbortError');
}
