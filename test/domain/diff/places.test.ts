/** Where a review comment may stand. */
import { describe, expect, test } from 'vitest';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { hunkLinesOf, placeComment } from '../../../src/domain/review/comment-place.ts';

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
const hunks = hunkLinesOf(file ?? expect.fail('no file'));
type Range = Parameters<typeof placeComment>[0];

describe('placeComment', () => {
  test.each<[string, Omit<Range, 'path'>, unknown]>([
    [
      'a new line',
      { line: 11, side: 'RIGHT' },
      { path: 'f', line: 11, side: 'RIGHT', isWhole: true },
    ],
    [
      'a line of context',
      { line: 13, side: 'RIGHT' },
      { path: 'f', line: 13, side: 'RIGHT', isWhole: true },
    ],
    [
      'a removed line',
      { line: 51, side: 'LEFT' },
      { path: 'f', line: 51, side: 'LEFT', isWhole: true },
    ],
    ['a line beyond the hunks', { line: 30, side: 'RIGHT' }, undefined],
    ['a removed line on the new side', { line: 52, side: 'RIGHT' }, undefined],
    [
      'a range in one hunk',
      { line: 11, endLine: 12, side: 'RIGHT' },
      { path: 'f', line: 12, side: 'RIGHT', startLine: 11, startSide: 'RIGHT', isWhole: true },
    ],
    [
      'a range that leaves its hunk',
      { line: 12, endLine: 51, side: 'RIGHT' },
      { path: 'f', line: 12, side: 'RIGHT', isWhole: false },
    ],
  ])('places %s', (_name, range, place) => {
    expect(placeComment({ path: 'f', ...range }, hunks)).toEqual(place);
  });
});
