/** What counts against work that was in hand when its process ended. */
import { assert, array, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterDeadline,
  afterEnd,
  aloneMs,
  beginAlone,
  endAlone,
  MAX_ENDINGS,
  type Suspicion,
} from '../../../src/domain/event/suspicion.ts';

const FRESH = afterEnd(undefined);

/** The starts of a process until an item that ends it after `ms` alone is given up; its own end is all that ends one. */
function startsUntilGivenUp(ms: number): number {
  let suspicion: Suspicion = FRESH;
  for (let starts = 1; starts <= 20; starts += 1) {
    if (suspicion.endings >= MAX_ENDINGS) return starts + 1;
    const alone = beginAlone(suspicion, suspicion.waitMs);
    suspicion = afterEnd(ms < aloneMs(suspicion) ? alone : endAlone(alone));
  }
  return Infinity;
}

test('being in hand beside others counts for nothing', () => {
  expect(FRESH).toEqual({ endings: 0, outlived: 0, waitMs: 0 });
});

test('an item that ends its process is given up after a bounded number of starts', () => {
  expect([10, 6_000, 79_000].map(startsUntilGivenUp)).toEqual([4, 5, 8]);
});

test('a process that is killed every n seconds never gives up healthy work', () => {
  const period = integer({ min: 100, max: 200_000 });
  const ages = array(integer({ min: 0, max: 100_000 }), { minLength: 30, maxLength: 30 });
  assert(
    property(period, ages, (periodMs, delays) => {
      let suspicion: Suspicion = FRESH;
      for (const delay of delays) {
        const begins = suspicion.waitMs + delay;
        if (begins >= periodMs) continue;
        const alone = beginAlone(suspicion, begins);
        suspicion = afterEnd(periodMs < alone.aloneUntilMs ? alone : endAlone(alone));
        expect(suspicion.endings).toBeLessThan(MAX_ENDINGS);
      }
    }),
  );
});

test('an end after its time alone is no evidence, and doubles that time up to a limit', () => {
  let suspicion = FRESH;
  const times = Array.from({ length: 6 }, () => {
    const before = aloneMs(suspicion);
    suspicion = afterEnd(endAlone(beginAlone(suspicion, 0)));
    return before;
  });
  expect(times).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 80_000]);
  expect(suspicion.endings).toBe(0);
});

test('outliving its time alone takes back an earlier end', () => {
  const once = afterEnd(beginAlone(FRESH, 0));
  expect(once.endings).toBe(1);
  expect(afterEnd(endAlone(beginAlone(once, 40_000)))).toMatchObject({ endings: 0, waitMs: 0 });
});

test('a passed deadline counts only when the item began alone, then also after its time alone', () => {
  expect(afterDeadline(undefined).endings).toBe(0);
  expect(afterDeadline(endAlone(beginAlone(FRESH, 0))).endings).toBe(1);
});

test('what is given out to be given up keeps its count when the process ends meanwhile', () => {
  const over = { endings: MAX_ENDINGS, outlived: 0, waitMs: 0 };
  expect(afterEnd(over)).toEqual(over);
});
