/** While deliveries flood in, the worker steps back, and takes up all that is left after that. */
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/ports/store.ts';
import { createSleepers } from '../helpers/sleepers.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { startLog, timer } from './store-words.ts';
import type { OpenOptions } from './store.ts';

/** As long as any window in which arrivals are counted, twice. */
const OVER_MS = 500;
const SLOTS = 16;

/** Time passes only when the test says so. */
function createStill() {
  let at = Date.now();
  const { sleep, wakeDue } = createSleepers(() => at);
  const pass = (ms: number): void => {
    at += ms;
    wakeDue();
  };
  return { clock: { now: () => at, sleep }, pass };
}

/** As many deliveries, each in a lane of its own. */
async function deliver(store: Store, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, n) => store.append([timer(`e${n}`, `k${n}`)])),
  );
}

export function describeFlood(
  store: () => Store,
  reopen: (options: OpenOptions) => Promise<void>,
): void {
  describe('a flood of deliveries', () => {
    test('leaves one start of work every 10 ms, and none waits any longer once it is over', async () => {
      const { clock, pass } = createStill();
      await reopen({ clock });
      await deliver(store(), 300);
      const log = await startLog(store(), undefined, SLOTS);
      await waitUntil(() => log.given.length > 0);
      for (const started of [1, 2, 3]) {
        await waitUntil(() => log.given.length >= started);
        await quiet();
        expect(log.given).toHaveLength(started);
        pass(10);
      }
      pass(OVER_MS);
      await waitUntil(() => log.given.length === 300);
    });

    test('is noticed only where more than that come', async () => {
      const { clock } = createStill();
      await reopen({ clock });
      await deliver(store(), 100);
      const log = await startLog(store(), undefined, SLOTS);
      await waitUntil(() => log.given.length === 100);
      expect(new Set(log.ids()).size).toBe(100);
    });
  });
}

/** Long enough for a worker that does not wait to take all. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 20; n += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
}
