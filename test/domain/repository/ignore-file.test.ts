/** Which paths an ignore file leaves out, as git would. */
import { describe, expect, test } from 'vitest';
import { readIgnoreFile } from '../../../src/domain/repository/ignore-file.ts';

describe('an ignore file', () => {
  test.each([
    ['lib', 'lib/index.js', true],
    ['lib/', 'packages/a/lib/index.js', true],
    ['/lib', 'lib/index.js', true],
    ['/lib', 'packages/a/lib/index.js', false],
    ['*.gen.ts', 'src/routes/all.gen.ts', true],
    ['*.gen.ts', 'src/routes/all.ts', false],
    ['src/version.ts', 'src/version.ts', true],
    ['src/version.ts', 'other/src/version.ts', false],
    ['src/**/made', 'src/made/a.ts', true],
    ['src/**/made', 'src/deep/down/made/a.ts', true],
    ['**/made', 'deep/made/a.ts', true],
    ['src/*/made', 'src/deep/down/made/a.ts', false],
    ['src/?.ts', 'src/a.ts', true],
    ['src/?.ts', 'src/ab.ts', false],
    ['src/[ab].ts', 'src/b.ts', true],
    // Git knows no braces.
    ['{lib,dist}', 'lib/a.js', false],
    ['made.(ts)', 'made.ts', false],
    ['# lib', 'lib/a.js', false],
    ['!lib', 'lib/a.js', false],
    ['*.js\n!keep.js', 'keep.js', false],
    ['lib  \r', 'lib/a.js', true],
    ['', 'a.js', false],
  ])('%j about %s: %s', (text, path, isLeftOut) => {
    expect(readIgnoreFile(`first\n${text}\nlast\n`).fits(path)).toBe(isLeftOut);
  });

  test('says when lines were left out because they are too costly, or too many', () => {
    const isWhole = (text: string): boolean => readIgnoreFile(text).isWhole;
    expect(isWhole('a\n'.repeat(4_000))).toBe(true);
    expect(isWhole('a\n'.repeat(6_000))).toBe(false);
    expect(isWhole(`lib\n${'**/a/'.repeat(4)}b\n`)).toBe(false);
    expect(isWhole(`lib\n${'a'.repeat(300)}\n`)).toBe(false);
  });

  test('a pattern that was made to take for ever does not', () => {
    const { fits } = readIgnoreFile(`${'*a'.repeat(99)}b\n${'**/'.repeat(60)}b\n`);
    expect(fits(`${'a'.repeat(4_000)}c`)).toBe(false);
    expect(fits('a/'.repeat(2_000))).toBe(false);
  });
});
