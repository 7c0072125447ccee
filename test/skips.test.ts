/** Skipping is allowed where the list says so, and nowhere else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isIn, judgeSkips } from './skips.ts';
import { isTimeLeft, NOT_BEGUN, spread, turnByDay } from './time-left.ts';

const ALLOWED = [{ file: 'test/a.test.ts', reason: 'no server' }];

test('lists skips that are allowed, with their reason', () => {
  const { lines, isBad } = judgeSkips(
    [{ file: 'test/a.test.ts', tests: ['x', 'y'], isWhole: true }],
    ALLOWED,
  );
  expect(isBad).toBe(false);
  expect(lines).toEqual([
    '2 skipped in test/a.test.ts: no server; the requirements it cites were not shown by this run',
  ]);
});

test('a folder in the list stands for its files', () => {
  const skips = { tests: ['x'], isWhole: false };
  const all = ['test/b/a.test.ts', 'test/bb.test.ts'].map((file) => ({ file, ...skips }));
  const { lines } = judgeSkips(all, [{ file: 'test/b/', reason: 'no server' }]);
  expect(lines.map((line) => line.startsWith('NOT ALLOWED'))).toEqual([false, true]);
});

test('what the list does not name ends the run as failed', () => {
  const { lines, isBad } = judgeSkips(
    [{ file: 'test/b.test.ts', tests: ['x'], isWhole: false }],
    ALLOWED,
  );
  expect(isBad).toBe(true);
  expect(lines[0]).toContain('1 skipped in test/b.test.ts (x)');
});

test('names the files that began too late, and they alone are no failure', () => {
  const late = ['test/b.test.ts', 'test/c.test.ts'];
  const skips = late.map((file) => ({ file, tests: [NOT_BEGUN], isWhole: true }));
  expect(judgeSkips(skips, ALLOWED)).toEqual({
    isBad: false,
    lines: [`2 files ${NOT_BEGUN}: test/b.test.ts, test/c.test.ts`],
  });
  const other = { file: 'test/d.test.ts', tests: [NOT_BEGUN, 'x'], isWhole: true };
  expect(judgeSkips([...skips, other], ALLOWED).isBad).toBe(true);
});

test('files begin until the time that the run was given, and always without one', () => {
  expect(isTimeLeft('1000', 999)).toBe(true);
  expect(isTimeLeft('1000', 1000)).toBe(false);
  expect(isTimeLeft(undefined, 1000)).toBe(true);
});

test('what comes last on one day comes earlier on others, and nothing is lost', () => {
  const all = Array.from({ length: 100 }, (_, at) => at);
  const days = Array.from({ length: 10 }, (_, day) => turnByDay(all, day * 86_400));
  for (const day of days) expect(day.toSorted((a, b) => a - b)).toEqual(all);
  expect(new Set(days.map((day) => day.at(-1))).size).toBe(10);
  expect(turnByDay([], 0)).toEqual([]);
});

test('of two lists that are spread, every part has its share of both, in order', () => {
  const [few, many] = [[1, 2, 3, 4], Array.from({ length: 12 }, (_, at) => at + 100)];
  const all = spread(few, many);
  expect(all.toSorted((a, b) => a - b)).toEqual([...few, ...many]);
  expect(all.filter((each) => each < 100)).toEqual(few);
  expect(all.filter((each) => each >= 100)).toEqual(many);
  for (const half of [all.slice(0, 8), all.slice(8)])
    expect(half.filter((each) => each < 100)).toHaveLength(2);
  expect(spread([], many)).toEqual(many);
});

const LIST = JSON.parse(readFileSync(path.join(import.meta.dirname, 'skips.json'), 'utf8')) as {
  file: string;
}[];

const ROOT = path.join(import.meta.dirname, '..');
const FILES = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll(path.sep, '/')}`);
const SKIPPING = FILES.filter((file) => canSkip(path.join(ROOT, file)));

test('every file and folder in the list is there and can skip', () => {
  const idle = LIST.filter(({ file: name }) => !SKIPPING.some((file) => isIn(name, file)));
  expect(idle).toEqual([]);
});

test('every file that can skip is in the list', () => {
  expect(SKIPPING.filter((file) => !LIST.some(({ file: name }) => isIn(name, file)))).toEqual([]);
});

/** Some hand their suites to a file beside them. */
function canSkip(file: string): boolean {
  const beside = Array.from(
    readFileSync(file, 'utf8').matchAll(/from '(\.\/[^']+\.ts)'/g),
    ([, name = '']) => path.join(path.dirname(file), name),
  );
  return [file, ...beside].some(
    (each) => existsSync(each) && /\.(skipIf|runIf)\(/.test(readFileSync(each, 'utf8')),
  );
}
