/** Skipping is allowed where the list says so, and nowhere else. */
import { existsSync, readFileSync } from 'node:fs';
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

test('every file in the list is there and can skip', () => {
  const list = JSON.parse(readFileSync(path.join(import.meta.dirname, 'skips.json'), 'utf8')) as {
    file: string;
  }[];
  const skips = (place: string): boolean =>
    existsSync(place) && readFileSync(place, 'utf8').includes('.skipIf(');
  // Some hand their suites to a file beside them.
  const beside = (place: string): string[] =>
    Array.from(readFileSync(place, 'utf8').matchAll(/from '(\.\/[^']+)'/g), ([, name = '']) =>
      path.join(path.dirname(place), name),
    );
  const idle = list.filter(({ file }) => {
    const place = path.join(import.meta.dirname, '..', file);
    return !existsSync(place) || ![place, ...beside(place)].some(skips);
  });
  expect(idle).toEqual([]);
});
