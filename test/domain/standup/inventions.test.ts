/** What an insight cites has to exist at the run's head. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dropInventions, type Viewed } from '../../../src/domain/standup/inventions.ts';
import { anInsight } from './some-insights.ts';

const VIEW: Viewed = {
  paths: [
    'src/cart.ts',
    'src/deep/parse.ts',
    'docs/plan.md',
    'test/cart.test.ts',
    'src/a/one.ts',
    'src/b/one.ts',
    'Makefile',
  ],
  lines: { 'src/deep/parse.ts': 40, 'src/a/one.ts': 5, 'src/b/one.ts': 50 },
  texts: { 'src/cart.ts': "const price = order.price;\nif (price > 0) {\n  charge('now');\n}\n" },
  record: ['The gate said: 3 of 12 tests failed on an empty cart.'],
};

const check = (message: string) => dropInventions([anInsight({ message, refs: [] })], VIEW);
const reasonOf = (message: string) => check(message).invented[0]?.reason;

describe('kept', () => {
  test.each([
    ['a path and line', '`src/cart.ts:3` charges at once.', [{ path: 'src/cart.ts', line: 3 }]],
    ['a range', 'See src/cart.ts#L2-L4.', [{ path: 'src/cart.ts', line: 2, endLine: 4 }]],
    ['a path alone', '`src/cart.ts` has two jobs.', [{ path: 'src/cart.ts' }]],
    ['a file name', '`parse.ts:40` ends early.', [{ path: 'src/deep/parse.ts', line: 40 }]],
    [
      'a name of two files, at a line that one has',
      '`one.ts:30` is odd.',
      [{ path: 'src/b/one.ts', line: 30 }],
    ],
    [
      'lines in words',
      'In `src/deep/parse.ts`, lines 3 to 9 repeat.',
      [{ path: 'src/deep/parse.ts', line: 3, endLine: 9 }],
    ],
    [
      'a line before its path',
      'Line 7 of src/deep/parse.ts repeats.',
      [{ path: 'src/deep/parse.ts', line: 7 }],
    ],
    ['a folder', '`src/deep` has no tests.', []],
    ['a branch', '`origin/main` moved twice.', []],
    ['a command', '`npm test` ran three times.', []],
    ['a name', '`charge()` is called twice.', []],
    ['code that is there', "`charge('now');` has no retry.", []],
    ['a quote of the record', 'The gate said "3 of 12 tests failed", and nobody asked why.', []],
    ['scare quotes', 'It is "done".', []],
    ['a count of lines', 'The change has 900 lines.', []],
    [
      'own link',
      'https://github.com/acme/tidy/blob/abc1234/src/cart.ts#L3 charges.',
      [{ path: 'src/cart.ts', line: 3 }],
    ],
    ['no citation', 'The plan asked the same question twice.', []],
  ])('%s', (_, message, refs) => {
    const { kept, invented } = check(message);
    expect(invented).toEqual([]);
    expect(kept.map((insight) => insight.refs)).toEqual([refs]);
  });
});

describe('dropped', () => {
  test.each([
    ['a path', '`src/basket.ts:3` charges.', 'unknown-path'],
    ['a path in prose', 'See lib/cart.ts for more.', 'unknown-path'],
    ['another case', '`src/Cart.ts` has two jobs.', 'unknown-path'],
    ['a folder', '`src/shallow` has no tests.', 'unknown-path'],
    ['a line beyond the end', '`src/cart.ts:5` is wrong.', 'unknown-line'],
    ['the end of a range', '`src/cart.ts#L2-L9` is wrong.', 'unknown-line'],
    ['line 0', '`src/cart.ts:0` is wrong.', 'unknown-line'],
    ['the second place of a path', '`src/cart.ts:1` and `src/cart.ts:99` differ.', 'unknown-line'],
    ['a line in words', 'In `src/cart.ts` line 12 is wrong.', 'unknown-line'],
    ['a line of a file that was not in view', '`docs/plan.md:3` asks.', 'unseen-line'],
    ['a line of no file', 'Line 12 is wrong.', 'unseen-line'],
    ['code that is not there', '`charge(order, {retry: 3});` loops.', 'unknown-quote'],
    ['a quote that nobody wrote', 'The gate said "all 12 tests failed at once".', 'unknown-quote'],
  ])('%s', (_, message, reason) => {
    expect(reasonOf(message)).toBe(reason);
  });

  test('a place that only the stored list names', () => {
    const insight = anInsight({ message: 'It leaks.', refs: [{ path: 'src/cart.ts', line: 77 }] });
    expect(dropInventions([insight], VIEW).invented).toMatchObject([
      { reason: 'unknown-line', what: 'src/cart.ts:77' },
    ]);
  });
});

const word = fc.stringMatching(/^[a-z]{2,8}$/);
const path = fc.array(word, { minLength: 2, maxLength: 4 }).map((parts) => `${parts.join('/')}.ts`);
const files = fc.uniqueArray(fc.record({ path, count: fc.integer({ min: 1, max: 400 }) }), {
  selector: (file) => file.path.split('/').at(-1),
  minLength: 1,
  maxLength: 8,
});

test('a place is kept exactly when its file has that line', () => {
  fc.assert(
    fc.property(files, fc.nat(), fc.integer({ min: 1, max: 800 }), (all, pick, line) => {
      const file = all[pick % all.length];
      if (file === undefined) return;
      const lines = Object.fromEntries(all.map((each) => [each.path, each.count]));
      const insight = anInsight({ message: `\`${file.path}:${line}\` is odd.`, refs: [] });
      const { kept } = dropInventions([insight], { paths: all.map((each) => each.path), lines });
      expect(kept.length).toBe(line <= file.count ? 1 : 0);
    }),
  );
});

test('a path that is not in view is dropped, wherever it is in the message', () => {
  fc.assert(
    fc.property(files, path, fc.tuple(fc.array(word), fc.array(word)), (all, foreign, words) => {
      const [before, after] = words;
      const paths = all
        .map((each) => each.path)
        .filter((each) => !each.endsWith(foreign.slice(foreign.lastIndexOf('/'))));
      const message = [...before, foreign, ...after].join(' ');
      const { kept, invented } = dropInventions([anInsight({ message, refs: [] })], { paths });
      expect(kept).toEqual([]);
      expect(invented[0]?.reason).toBe('unknown-path');
    }),
  );
});
