/** Skipping is allowed where the list says so, and nowhere else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { judgeSkips } from './skips.ts';

const ALLOWED = [{ file: 'test/a.test.ts', reason: 'no server' }];

test('what the list allows is told with its reason', () => {
  const { lines, isBad } = judgeSkips(
    [{ file: 'test/a.test.ts', tests: ['x', 'y'], isWhole: true }],
    ALLOWED,
  );
  expect(isBad).toBe(false);
  expect(lines).toEqual([
    '2 skipped in test/a.test.ts: no server; the requirements it cites were not shown by this run',
  ]);
});

test('what the list does not name ends the run as failed', () => {
  const { lines, isBad } = judgeSkips(
    [{ file: 'test/b.test.ts', tests: ['x'], isWhole: false }],
    ALLOWED,
  );
  expect(isBad).toBe(true);
  expect(lines[0]).toContain('1 skipped in test/b.test.ts (x)');
});

const LIST = JSON.parse(readFileSync(path.join(import.meta.dirname, 'skips.json'), 'utf8')) as {
  file: string;
}[];

test('every file in the list is there and can skip', () => {
  const place = (file: string): string => path.join(import.meta.dirname, '..', file);
  const idle = LIST.filter(({ file }) => !existsSync(place(file)) || !canSkip(place(file)));
  expect(idle).toEqual([]);
});

test('every file that can skip is in the list', () => {
  const listed = new Set(LIST.map(({ file }) => path.join(import.meta.dirname, '..', file)));
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(import.meta.dirname, name));
  expect(files.filter((file) => canSkip(file) && !listed.has(file))).toEqual([]);
});

/** Some hand their suites to a file beside them. */
function canSkip(file: string): boolean {
  const beside = Array.from(
    readFileSync(file, 'utf8').matchAll(/from '(\.\/[^']+)'/g),
    ([, name = '']) => path.join(path.dirname(file), name),
  );
  return [file, ...beside].some(
    (each) => existsSync(each) && /\.(skipIf|runIf)\(/.test(readFileSync(each, 'utf8')),
  );
}
