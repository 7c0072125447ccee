/** Turns at one endpoint. */
import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../../../src/adapters/model/pool/limiter.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import { createFastClock } from '../../../contract/fast-clock.ts';
import { failureOf } from '../../../contract/model.ts';

describe('limiter', () => {
  test('never runs more than its number at a time, and runs all in order', async () => {
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
    await Promise.all(all.map((n) => limiter.run(undefined, work(n))));
    expect(most).toBe(3);
    expect(order).toEqual(all);
  });

  test('gives the turn of one that failed to the next', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const failing = limiter.run(undefined, () => Promise.reject(new Error('no')));
    const next = limiter.run(undefined, () => Promise.resolve('yes'));
    expect((await failureOf(failing)).message).toBe('no');
    expect(await next).toBe('yes');
  });

  test('lets one that waits leave the line when it is aborted', async () => {
    const limiter = createLimiter({ concurrency: 1, rpm: undefined }, createFastClock());
    const gate = Promise.withResolvers<void>();
    const first = limiter.run(undefined, () => gate.promise);
    const controller = new AbortController();
    let hasRun = false;
    const second = failureOf(
      limiter.run(controller.signal, () => {
        hasRun = true;
        return Promise.resolve();
      }),
    );
    const third = limiter.run(undefined, () => Promise.resolve('third'));
    controller.abort();
    expect((await second).name).toBe('AbortError');
    gate.resolve();
    await first;
    expect(await third).toBe('third');
    expect(hasRun).toBe(false);
  });

  test('waits for the minute to turn when its number is used up, however early its timers fire', async () => {
    const clock = createEarlyClock();
    const limiter = createLimiter({ concurrency: 5, rpm: 2 }, clock);
    const starts: number[] = [];
    const run = () =>
      limiter.run(undefined, () => {
        starts.push(clock.now());
        return Promise.resolve();
      });
    for (let n = 0; n < 3; n += 1) await run();
    expect(starts).toEqual([0, 0, 60_000]);
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
