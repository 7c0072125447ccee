/** The sliding window behind the budgets. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWindow } from '../../../../src/adapters/github/cache/window.ts';

describe('createWindow', () => {
  test('lets through up to the cap and returns the time until room is free again', () => {
    const window = createWindow(60_000, 3);
    for (const at of [0, 1000, 2000]) window.add(at, 1);
    expect(window.waitMs(5000, 1)).toBe(55_000);
    expect(window.waitMs(5000, 2)).toBe(56_000);
    expect(window.waitMs(60_000, 1)).toBe(0);
  });

  test('sends away for a whole window what can never fit', () => {
    expect(createWindow(60_000, 0).waitMs(0, 1)).toBe(60_000);
  });

  test('never holds more than its cap in any window, and the wait it names is enough', () => {
    const steps = fc.array(fc.record({ gap: fc.nat(400), amount: fc.integer({ min: 1, max: 5 }) }));
    fc.assert(
      fc.property(steps, (plan) => {
        const window = createWindow(1000, 8);
        const spent: { at: number; amount: number }[] = [];
        let now = 0;
        for (const { gap, amount } of plan) {
          now += gap;
          now += window.waitMs(now, amount);
          expect(window.waitMs(now, amount)).toBe(0);
          window.add(now, amount);
          spent.push({ at: now, amount });
          const inside = spent.filter((one) => one.at > now - 1000);
          expect(inside.reduce((sum, one) => sum + one.amount, 0)).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});
