/** Where a review comment may stand. */
import { describe, expect, test } from 'vitest';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { commentableLines, commentPlace } from '../../../src/domain/diff/commentable-lines.ts';
import type { LineRange } from '../../../src/domain/diff/commentable-lines.ts';

const [file] = parseDiff(
  [
    'diff --git a/f b/f',
    '--- a/f',
    '+++ b/f',
    '@@ -10,3 +10,4 @@',
    ' ten',
    '-eleven',
    '+ELEVEN',
    '+eleven and a half',
    ' twelve',
    '@@ -50,2 +51,1 @@',
    ' fifty',
    '-gone',
    '',
  ].join('\n'),
).files;
const lines = commentableLines(file ?? expect.fail('no file'));

describe('commentPlace', () => {
  test.each<[string, LineRange, unknown]>([
    ['a new line', { line: 11, side: 'RIGHT' }, { path: 'f', line: 11, side: 'RIGHT' }],
    ['a line of context', { line: 13, side: 'RIGHT' }, { path: 'f', line: 13, side: 'RIGHT' }],
    ['a removed line', { line: 51, side: 'LEFT' }, { path: 'f', line: 51, side: 'LEFT' }],
    ['a line beyond the hunks', { line: 30, side: 'RIGHT' }, undefined],
    ['a removed line on the new side', { line: 52, side: 'RIGHT' }, undefined],
    [
      'a range in one hunk',
      { line: 11, endLine: 12, side: 'RIGHT' },
      { path: 'f', line: 12, side: 'RIGHT', startLine: 11, startSide: 'RIGHT' },
    ],
    [
      'a range that leaves its hunk',
      { line: 12, endLine: 51, side: 'RIGHT' },
      { path: 'f', line: 12, side: 'RIGHT', isShrunk: true },
    ],
  ])('places %s', (_name, range, place) => {
    expect(commentPlace('f', range, lines)).toEqual(place);
  });
});
