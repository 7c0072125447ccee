/** Which files `.gitattributes` declares to be generated or vendored. */
import { describe, expect, test } from 'vitest';
import { readAttributes } from '../../../src/domain/repository/git-attributes.ts';

describe('git attributes', () => {
  test.each([
    ['*.gen.ts linguist-generated', 'src/deep/a.gen.ts', 'generated'],
    ['*.gen.ts text eol=lf linguist-generated=true', 'a.gen.ts', 'generated'],
    ['api/** linguist-generated', 'api/v1/a.ts', 'generated'],
    ['/made.ts linguist-generated', 'src/made.ts', undefined],
    ['lib/*.js linguist-vendored', 'lib/a.js', 'vendored'],
    ['lib/*.js linguist-vendored', 'lib/deep/a.js', undefined],
    // Unlike an ignore file's, a folder's name says nothing of what is in it.
    ['api linguist-generated', 'api/a.ts', undefined],
    ['*.ts linguist-generated\nsrc/*.ts -linguist-generated', 'src/a.ts', undefined],
    ['*.ts linguist-generated=false\nsrc/*.ts linguist-generated', 'src/a.ts', 'generated'],
    ['*.ts linguist-documentation', 'src/a.ts', undefined],
    ['*.ts linguist-generated=maybe', 'src/a.ts', undefined],
    ['# *.ts linguist-generated', 'src/a.ts', undefined],
    ['*.ts text', 'src/a.ts', undefined],
    ['', 'src/a.ts', undefined],
  ])('%j about %s: %s', (text, path, declared) => {
    expect(readAttributes(text)(path)).toBe(declared);
  });
});
