/** Where gates end: one file, second or character on each side of a bound. */
import { describe, expect, test } from 'vitest';
import { judgeScope, type ScopeWanted } from '../../../src/policy/gates/judge-scope.ts';
import { compareCounts, judgeTestRun, judgeTests } from '../../../src/policy/gates/judge-tests.ts';
import { toSlug } from '../../../src/policy/authorise.ts';
import { aChangedFile } from '../../helpers/a-changed-file.ts';

const WANTED: ScopeWanted = {
  planned: [],
  paths: { protected: [] },
  approvedPaths: [],
  maxChangedLines: 1000,
  maxBinaryKb: 5,
  manifests: [],
};
const scope = (files: readonly object[], over: Partial<ScopeWanted> = {}) =>
  judgeScope(
    {
      text: '',
      isTooLarge: false,
      files: files.map((each, n) => aChangedFile(`src/a${n}.ts`, each)),
    },
    { ...WANTED, ...over },
    () => Promise.resolve([]),
  );

describe('gate S', () => {
  test('says nothing of a hundred files, and does of one more', async () => {
    const files = (count: number) => Array.from({ length: count }, () => ({}));
    expect((await scope(files(100))).flags).toEqual([]);
    expect((await scope(files(101))).flags).toEqual(['101 files are changed']);
  });

  test('lets a binary file of the size pass, and none that is larger', async () => {
    const sized = (bytes: number) => scope([{ isBinary: true, bytes }]);
    expect((await sized(5_000)).result).toBe('passed');
    expect(await sized(5_001)).toMatchObject({
      result: 'failed',
      sentence: 'The binary file `src/a0.ts` has 6 KB, more than the 5 allowed.',
    });
    expect((await scope([{ isBinary: false, bytes: 5_001 }])).result).toBe('passed');
  });

  test('counts lines that were added and removed', async () => {
    const lines = (added: number, removed: number) => scope([{ added, removed }]);
    expect((await lines(600, 400)).result).toBe('passed');
    expect((await lines(600, 401)).sentence).toBe(
      '1001 changed lines are more than the 1000 allowed.',
    );
  });
});

describe('gate 2', () => {
  const stopped = (durationMs: number) =>
    judgeTestRun({
      command: 'npm test',
      ended: { exitCode: undefined, isTimedOut: true, durationMs, output: '' },
      before: undefined,
      accepted: undefined,
    }).sentence;

  test.each([
    [1, 1],
    [1_499, 1],
    [1_500, 2],
    [1_000_000, 1000],
  ])('says of %d ms that they are %d seconds', (durationMs, seconds) => {
    expect(stopped(durationMs)).toBe(`\`npm test\` did not end within ${seconds} seconds.`);
  });

  const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });

  test.each([
    ['passed', { exitCode: 0, counts: undefined }],
    ['passed', { exitCode: 0, counts: counts(1) }],
    ['not-run', { exitCode: 0, counts: counts(0, 0, 3) }],
    ['failed', { exitCode: 0, counts: counts(1, 1) }],
    ['failed', { exitCode: 1, counts: counts(1) }],
    ['failed', { exitCode: undefined, counts: counts(1) }],
    ['timed-out', { exitCode: 0, isTimedOut: true, counts: counts(1) }],
  ] as const)('is %s for %j', (result, run) => {
    expect(judgeTests({ isTimedOut: false, ...run })).toBe(result);
  });

  test.each([
    [counts(3, 1, 1), counts(3, 1, 1), []],
    [counts(3, 1, 1), counts(4, 2, 1), []],
    [counts(3, 1, 1), counts(2, 1, 1), ['1 fewer test than before']],
    [counts(3, 1, 1), counts(2, 0, 1), ['2 fewer tests than before']],
    [counts(3, 1, 1), counts(2, 1, 2), ['1 newly skipped']],
  ])('compares %j with %j', (before, after, told) => {
    expect(compareCounts(before, after)).toEqual(told);
  });
});

test.each(['core', 'Core', '@core', 'acme/core', '@acme/Core'])('%s is the team core', (team) => {
  expect(toSlug(team)).toBe('core');
});
