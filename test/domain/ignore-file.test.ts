/** Which paths an ignore file leaves out, as git would, as far as imports need it. */
import { describe, expect, test } from 'vitest';
import { readIgnoreFile } from '../../src/domain/ignore-file.ts';

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
    ['made.(ts)', 'made.ts', false],
    ['# lib', 'lib/a.js', false],
    ['!lib', 'lib/a.js', false],
    ['  lib  \r', 'lib/a.js', true],
    ['', 'a.js', false],
  ])('%j about %s: %s', (text, path, isLeftOut) => {
    expect(readIgnoreFile(`first\n${text}\nlast\n`)(path)).toBe(isLeftOut);
  });

  test('a pattern that was made to take for ever does not', () => {
    const ignores = readIgnoreFile(`${'*a'.repeat(99)}b\n${'**/'.repeat(60)}b\n`);
    expect(ignores(`${'a'.repeat(4_000)}c`)).toBe(false);
    expect(ignores('a/'.repeat(2_000))).toBe(false);
  });
});
