/** Which loops a workflow runs, and what it says of the others. */
import { describe, expect, test } from 'vitest';
import {
  APP_LOOPS,
  areRecordsDue,
  hasWatchTokens,
  isWatchDue,
  isWeekDue,
  parseLoops,
  parseRecordsSeen,
  renderRecordsSeen,
  SWEEP_LOOPS,
} from '../../../src/domain/loops/sweep-loops.ts';

describe('the loops of a sweep', () => {
  test.each(['', ' ', ',', ' , \n'])('are all that a workflow runs for %j', (text) => {
    expect(parseLoops(text)).toEqual({ kind: 'loops', run: SWEEP_LOOPS, refused: [] });
  });

  test('are the named ones, once each', () => {
    expect(parseLoops('code-watch, reconcile,code-watch')).toEqual({
      kind: 'loops',
      run: ['code-watch', 'reconcile'],
      refused: [],
    });
  });

  test.each(Object.keys(APP_LOOPS))('do not include %s, which needs the App', (name) => {
    expect(parseLoops(name)).toEqual({ kind: 'loops', run: [], refused: [name] });
  });

  test.each([
    ['reconcil', 'reconcile'],
    ['stale_claim', 'stale-claims'],
    ['plan', 'plans'],
    ['memry', 'memory'],
    ['${{ github.token }}', undefined],
    ['toString', undefined],
    ['x'.repeat(65_535), undefined],
  ])('refuse an unknown name and guess what was meant', (name, meant) => {
    expect(parseLoops(`reconcile,${name}`)).toEqual({ kind: 'unknown', name, meant });
  });
});

test.each([
  [{ enabled: true, everySeconds: 60 }, undefined, true],
  [{ enabled: true, everySeconds: 60 }, 40_001, false],
  [{ enabled: true, everySeconds: 60 }, 40_000, true],
  [{ enabled: false, everySeconds: 60 }, undefined, false],
])('with %j a search after one at %s is due: %s', (settings, last, isDue) => {
  expect(isWatchDue(settings, { now: 100_000, last })).toBe(isDue);
});

test.each([
  [1_000, 999, true],
  [1_000, 1_000, false],
  [0, 0, false],
])('with %i tokens a day, and %i used, a search may begin: %s', (dailyTokens, used, may) => {
  expect(hasWatchTokens({ dailyTokens }, used)).toBe(may);
});

test.each([
  ['2026-11-23T08:59:59.999Z', true],
  ['2026-11-23T09:00:00.000Z', false],
  ['2026-11-24T00:00:00.000Z', false],
  ['no moment', true],
])(
  'after weeks that were read until %s, one that ended on Monday at nine is due: %s',
  (since, isDue) => {
    expect(isWeekDue(since, Date.parse('2026-11-23T09:00:00Z'))).toBe(isDue);
  },
);

describe('plans are looked at', () => {
  const HOUR_MS = 3_600_000;
  const last = { digest: 'a', at: Date.parse('2026-11-28T08:00:00Z') };

  test.each([
    ['a', 1, false],
    ['a', 6 * HOUR_MS - 1, false],
    ['a', 6 * HOUR_MS, true],
    ['b', 1, true],
  ])('again with the records %s after %i ms: %s', (digest, laterMs, isDue) => {
    expect(areRecordsDue({ digest, at: last.at + laterMs }, last)).toBe(isDue);
  });

  test('where no pass has seen them, or nobody can read what it saw', () => {
    expect(parseRecordsSeen(renderRecordsSeen(last))).toEqual(last);
    for (const text of [undefined, '', 'a', 'a b', '2026-11-28T08:00:00Z'])
      expect(areRecordsDue(last, parseRecordsSeen(text))).toBe(true);
  });
});
