/** Which files the code watch reads, and in which order. */
import { expect, test } from 'vitest';
import { codeToRead, holdsNames, isBelow } from '../../../src/domain/repository/watch-paths.ts';

const PATHS = [
  'README.md',
  'assets/logo.png',
  'dist/a.js',
  'package-lock.json',
  'package.json',
  'src/a.ts',
  'src/b/c.py',
  'src/b/data.json',
  'test/a.test.ts',
  'test/fixtures/a.ts',
  'vendor/x/a.go',
];

test('what names are looked up in comes first, then programs, tests, and all other texts', () => {
  expect(codeToRead(PATHS, '')).toEqual([
    'package.json',
    'src/a.ts',
    'src/b/c.py',
    'test/a.test.ts',
    'README.md',
    'src/b/data.json',
  ]);
});

test('among equals what was asked about comes first', () => {
  expect(codeToRead(PATHS, 'src/b').slice(0, 3)).toEqual([
    'package.json',
    'src/b/c.py',
    'src/a.ts',
  ]);
});

test('a folder is asked about by its whole name', () => {
  expect([isBelow('src/a.ts', 'src'), isBelow('src/a.ts', 'src/a.ts'), isBelow('x', '')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isBelow('src2/a.ts', 'src'), isBelow('src', 'src/a.ts')]).toEqual([false, false]);
});

test('rules about absent names need programs, tests and manifests, and no documents', () => {
  expect(PATHS.filter(holdsNames)).toEqual([
    'package.json',
    'src/a.ts',
    'src/b/c.py',
    'test/a.test.ts',
  ]);
});
