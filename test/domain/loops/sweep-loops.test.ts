/** Which loops a workflow runs, and what it says of the others. */
import { describe, expect, test } from 'vitest';
import {
  APP_LOOPS,
  isWatchDue,
  parseLoops,
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
