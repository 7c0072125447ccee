/** When a worker steps back, and how far. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Arrivals } from '../../../../src/adapters/store/queue/arrivals.ts';

const FREE = { waitMs: 0, most: Infinity };
const FLOOD = 250;

function flooded(at: number, count = FLOOD): Arrivals {
  const arrivals = new Arrivals();
  for (let n = 0; n < count; n += 1) arrivals.note(1, at);
  return arrivals;
}

describe('the pace of work', () => {
  test.each([
    [FLOOD - 1, FREE],
    [FLOOD, { waitMs: 0, most: 1 }],
  ])('after %i deliveries within 250 ms is %j', (count, pace) => {
    expect(flooded(1000, count).pace(1249)).toEqual(pace);
  });

  test('is free again one window after the flood', () => {
    expect(flooded(1000).pace(1499).most).toBe(1);
    expect(flooded(1000).pace(1500)).toEqual(FREE);
  });

  test('counts no window together with another', () => {
    const arrivals = flooded(1249, FLOOD - 1);
    arrivals.note(FLOOD - 1, 1250);
    expect(arrivals.pace(1250)).toEqual(FREE);
  });

  test.each([
    [1000, 10],
    [1004, 6],
    [1009, 1],
    [1010, 0],
    // The clock was set back.
    [999, 0],
  ])('after a start at 1000 asks at %i for a wait of %i ms', (now, waitMs) => {
    const arrivals = flooded(990);
    arrivals.note(FLOOD, 1000);
    arrivals.started(1000);
    expect(arrivals.pace(now).waitMs).toBe(waitMs);
  });

  test('never waits for more than 10 ms, and never stops all work', () => {
    const step = fc.record({ by: fc.integer({ min: -300, max: 300 }), count: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const arrivals = new Arrivals();
        let now = 10_000;
        for (const { by, count } of steps) {
          now += by;
          arrivals.note(count, now);
          const { waitMs, most } = arrivals.pace(now);
          expect(waitMs).toBeLessThanOrEqual(10);
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(most).toBeGreaterThanOrEqual(1);
          expect(arrivals.pace(now + waitMs).waitMs).toBe(0);
          arrivals.started(now + waitMs);
        }
      }),
    );
  });
});
