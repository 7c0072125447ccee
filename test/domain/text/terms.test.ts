/** What a text names, and which files are worth reading for it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNames } from '../../../src/domain/text/names.ts';
import {
  indexPaths,
  isTestPath,
  resolvePath,
  testsFor,
} from '../../../src/domain/repository/paths.ts';
import { findSecrets, redactSecrets } from '../../../src/domain/secrets/secret-text.ts';
import { pickPaths, scorePaths } from '../../../src/domain/text/terms.ts';
import { diceOf, splitName, tokenise } from '../../../src/domain/text/words.ts';

const PATHS = [
  'README.md',
  'package.json',
  'src/cli.ts',
  'src/config/parse.ts',
  'src/config/load.ts',
  'src/render.ts',
  'test/config/parse.test.ts',
  'test/render.test.ts',
  'docs/config.md',
  'assets/logo.png',
  'dist/render.js',
];

describe('readNames', () => {
  test('paths with lines, symbols, options, errors, frames and issues', () => {
    const names = readNames(
      [
        '`parseConfig()` fails with `--strict`, see src/config/parse.ts:41 and render.ts (Node.js 22, and/or I/O).',
        'Compare https://github.com/o/r/blob/main/src/cli.ts#L10-L20 and #12; add a file `docs/new.md`.',
        'TypeError: Cannot read the header of a table',
        '    at parseConfig (/home/u/app/src/config/parse.ts:41:12)',
        '  File "/srv/tool/run.py", line 7, in main',
        'ENOENT: no such file',
      ].join('\n'),
    );
    expect(names.paths.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['src/config/parse.ts', 'render.ts', 'src/cli.ts', 'docs/new.md']),
    );
    expect(names.paths.map(({ path }) => path)).not.toContain('and/or');
    expect(names.paths.find(({ path }) => path === 'src/cli.ts')).toMatchObject({
      line: 10,
      endLine: 20,
    });
    expect(names.paths.find(({ path }) => path === 'docs/new.md')).toMatchObject({
      isProposed: true,
    });
    expect(names.symbols.map(({ name }) => name)).toContain('parseConfig');
    expect(names.options).toEqual(['--strict']);
    expect(names.errorCodes).toEqual(['ENOENT']);
    expect(names.errorMessages).toEqual(['Cannot read the header of a table']);
    expect(names.frames).toEqual([
      { path: '/home/u/app/src/config/parse.ts', line: 41, symbol: 'parseConfig' },
      { path: '/srv/tool/run.py', line: 7, symbol: 'main' },
    ]);
    expect(names.issueNumbers).toEqual([12]);
  });

  test('any text gives names and no error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        expect(readNames(text).paths.length).toBeLessThanOrEqual(60);
      }),
    );
    expect(readNames('a/'.repeat(400_000)).paths.length).toBeLessThanOrEqual(60);
  });
});

describe('paths', () => {
  test('a written path stands for the one it can only be', () => {
    const index = indexPaths(PATHS);
    expect(resolvePath('parse.ts', index)).toBe('src/config/parse.ts');
    expect(resolvePath('/home/u/app/src/config/parse.ts', index)).toBe('src/config/parse.ts');
    expect(resolvePath('./src/cli.ts', index)).toBe('src/cli.ts');
    expect(resolvePath('other.ts', index)).toBeUndefined();
    expect(resolvePath('a.ts', indexPaths(['x/a.ts', 'y/a.ts']))).toBeUndefined();
  });

  test('tests are known by their habits and found by name', () => {
    expect(
      ['a.test.ts', 'test/a.ts', 'a_test.go', 'test_a.py', 'FooTest.java'].every(isTestPath),
    ).toBe(true);
    expect(['src/testing.ts', 'src/contest.ts', 'latest.py'].some(isTestPath)).toBe(false);
    expect(testsFor('src/config/parse.ts', PATHS)).toEqual(['test/config/parse.test.ts']);
  });

  test('scoring prefers file names that share rare words with the text', () => {
    expect(scorePaths('the parser of the config drops a key', PATHS)[0]?.path).toBe(
      'src/config/parse.ts',
    );
    expect(scorePaths('please help', PATHS)).toEqual([]);
  });

  test('pickPaths: named first, then their tests, then words; manifests last; never binaries', () => {
    const picked = pickPaths('Rendering is wrong\n\nsee src/cli.ts', PATHS, 6);
    expect(picked[0]).toBe('src/cli.ts');
    expect(picked.slice(1, 3)).toEqual(['src/render.ts', 'test/render.test.ts']);
    expect(picked.slice(-2)).toEqual(['README.md', 'package.json']);
    expect(picked).not.toContain('assets/logo.png');
    expect(picked).not.toContain('dist/render.js');
    expect(pickPaths('Rendering', PATHS, 2)).toHaveLength(2);
  });
});

describe('words', () => {
  test('names are split and endings meet', () => {
    expect(splitName('parseHTMLConfig_file-name')).toEqual([
      'parse',
      'html',
      'config',
      'file',
      'name',
    ]);
    expect(new Set(tokenise('parsing parsed parses parse parser'))).toHaveProperty('size', 1);
    expect(tokenise('the of and')).toEqual([]);
    expect(diceOf(new Set(['a', 'b']), new Set(['b', 'c']))).toBe(0.5);
  });
});

describe('secrets in text', () => {
  const token = ['ghp', 'Ab1'.repeat(12)].join('_');

  test('a credential is located and never repeated', () => {
    expect(findSecrets(`a\nb ${token}`)).toEqual([{ kind: 'GitHub token', line: 2, length: 40 }]);
    expect(redactSecrets(`use ${token} now`)).toBe('use (GitHub token removed) now');
    expect(findSecrets('ghp_short, AKIA, sk-test, postgres://user:***@host')).toEqual([]);
  });
});
