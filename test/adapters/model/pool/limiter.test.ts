/** Turns at one endpoint. */
import { describe, expect, test } from 'vitest';
import { createLimiter, PATIENCE_MS } from '../../../../src/adapters/model/pool/limiter.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import { createFastClock } from '../../../contract/fast-clock.ts';
import { failureOf } from '../../../contract/model.ts';
import { verifies } from '../../../verifies.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const PATIENT = 3_600_000;
const by = (who: string, signal?: AbortSignal, maxWaitMs = PATIENT) => ({
  who,
  signal,
  maxWaitMs,
});
const one = by('one');

describe('limiter', () => {
  test('never runs more than its number at a time, and runs all of one caller in order', async () => {
    const limiter = createLimiter({ concurrency: 3, rpm: undefined }, createFastClock());
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const work = (n: number) => async (): Promise<void> => {
      order.push(n);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running -= 1;
    };
    const all = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(all.map((n) => limiter.run(one, work(n))));
    expect(most).toBe(3);
    expect(order).toEqual(all);
  });

  test('gives the turn of one that failed to the next', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const failing = limiter.run(one, () => Promise.reject(new Error('no')));
    const next = limiter.run(one, () => Promise.resolve('yes'));
    expect((await failureOf(failing)).message).toBe('no');
    expect(await next).toBe('yes');
  });

  test('lets one that waits leave the line when it is aborted', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const gate = Promise.withResolvers<void>();
    const first = limiter.run(one, () => gate.promise);
    const controller = new AbortController();
    let hasRun = false;
    const second = failureOf(
      limiter.run(by('one', controller.signal), () => {
        hasRun = true;
        return Promise.resolve();
      }),
    );
    const third = limiter.run(one, () => Promise.resolve('third'));
    controller.abort();
    expect((await second).name).toBe('AbortError');
    gate.resolve();
    await first;
    expect(await third).toBe('third');
    expect(hasRun).toBe(false);
  });

  test('gives back the turn of one that is aborted as its turn comes', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const gate = Promise.withResolvers<void>();
    const controller = new AbortController();
    const first = limiter.run(one, () => gate.promise);
    const second = limiter.run(by('one', controller.signal), () => Promise.resolve('second'));
    const ended = second.then(
      (text) => text,
      (error: unknown) => (error instanceof Error ? error.name : ''),
    );
    gate.resolve();
    await first;
    controller.abort();
    expect(['second', 'AbortError']).toContain(await ended);
    expect(await limiter.run(one, () => Promise.resolve('third'))).toBe('third');
  });

  test('waits for the minute to turn when its number is used up, however early its timers fire', async () => {
    const clock = createEarlyClock();
    const limiter = createLimiter({ concurrency: 5, rpm: 2 }, clock);
    const starts: number[] = [];
    const run = () =>
      limiter.run(one, () => {
        starts.push(clock.now());
        return Promise.resolve();
      });
    for (let n = 0; n < 3; n += 1) await run();
    expect(starts.slice(0, 2)).toEqual([0, 0]);
    expect(starts[2]).toBeGreaterThanOrEqual(60_000);
    expect(starts[2]).toBeLessThan(62_000);
  });

  verifies('CB-15', 'refuses a caller that would wait long, with the time to retry', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const gate = Promise.withResolvers<void>();
    const first = limiter.run(one, () => gate.promise);
    const error = await failureOf(
      limiter.run(by('one', undefined, PATIENCE_MS), () => Promise.resolve()),
    );
    expect(error).toBeInstanceOf(TransientError);
    expect(error).toMatchObject({ code: 'model-busy' });
    const { retryAfterMs = 0 } = error as TransientError;
    expect(retryAfterMs).toBeGreaterThanOrEqual(1_000);
    expect(retryAfterMs).toBeLessThanOrEqual(5_000);
    gate.resolve();
    await first;
  });

  verifies('CB-15', 'sends away at once who would have to wait for the rate', async () => {
    const clock = createEarlyClock();
    const limiter = createLimiter({ concurrency: 5, rpm: 1 }, clock);
    await limiter.run(one, () => Promise.resolve());
    const error = await failureOf(
      limiter.run(by('one', undefined, PATIENCE_MS), () => Promise.resolve()),
    );
    expect(error).toMatchObject({ code: 'model-busy', retryAfterMs: 60_000 });
    expect(clock.now()).toBe(0);
  });

  verifies('CB-15', 'lets a flood of one installation wait behind itself', async () => {
    const limiter = createLimiter({ concurrency: 2, rpm: undefined }, createFastClock());
    const order: string[] = [];
    const gates: (() => void)[] = [];
    const work = (name: string) => () => {
      order.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.push(resolve);
      return promise;
    };
    const flood = Array.from({ length: 20 }, (_, n) => limiter.run(by('a'), work(`a${n}`)));
    await waitUntil(() => order.length === 2);
    const quiet = [1, 2].map((n) => limiter.run(by('b'), work(`b${n}`)));
    const other = limiter.run(by('c'), work('c1'));
    for (let n = 0; n < 23; n += 1) {
      await waitUntil(() => gates.length > n);
      gates[n]?.();
    }
    await Promise.all([...flood, ...quiet, other]);
    expect(order.slice(2, 5)).toEqual(['b1', 'c1', 'a2']);
    expect(order.indexOf('b2')).toBeLessThanOrEqual(6);
  });
});

/** Its time moves by sleeping alone, and every longer sleep ends 1 ms early, as a timer may. */
function createEarlyClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: (ms) => {
      now += ms > 1 ? ms - 1 : ms;
      return Promise.resolve();
    },
  };
}
