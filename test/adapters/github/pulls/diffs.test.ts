/** Diffs put together from GitHub's lists, and the lines of a diff that take a comment. */
import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeDiff } from '../../../../src/adapters/github/pulls/compose-diff.ts';
import { readPlaceable } from '../../../../src/adapters/github/pulls/placeable.ts';
import { renderUnplaced } from '../../../../src/adapters/github/pulls/unplaced.ts';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';

const PATCH = '@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n@@ -20 +20,2 @@\n-e\n+f\n+g';

function wireFile(filename: string, more: { status?: string; previous_filename?: string } = {}) {
  return {
    filename,
    status: 'modified',
    additions: 3,
    deletions: 2,
    patch: PATCH,
    contents_url: '',
    ...more,
  };
}

describe('a composed diff', () => {
  test('is read back with the same paths, whatever is in them', () => {
    const path = string({ unit: 'binary', minLength: 1, maxLength: 30 }).filter(
      (text) => text.isWellFormed() && !text.includes('\0'),
    );
    assert(
      property(array(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const { diff, leftOut } = composeDiff(paths.map((one) => wireFile(one)));
        const { files, problems } = parseDiff(diff);
        expect([files.map((one) => one.path), problems, leftOut]).toEqual([paths, [], []]);
      }),
    );
  });
});

describe('places that take a comment', () => {
  const { diff } = composeDiff([
    wireFile('a b.ts'),
    wireFile('new.ts', { status: 'renamed', previous_filename: 'old.ts' }),
    wireFile('gone.ts', { status: 'removed' }),
  ]);
  const placeable = readPlaceable(diff);

  test.each([
    ['an added line', { path: 'a b.ts', line: 2, side: 'RIGHT' }, true],
    ['a removed line', { path: 'a b.ts', line: 2, side: 'LEFT' }, true],
    ['a line around a change, on either side', { path: 'a b.ts', line: 3, side: 'LEFT' }, true],
    ['a line outside of the hunks', { path: 'a b.ts', line: 10, side: 'RIGHT' }, false],
    ['a line that only the other side has', { path: 'a b.ts', line: 21, side: 'LEFT' }, false],
    ['a moved file by its new name', { path: 'new.ts', line: 2, side: 'LEFT' }, true],
    ['a moved file by its old name', { path: 'old.ts', line: 2, side: 'LEFT' }, false],
    ['a deleted file', { path: 'gone.ts', line: 2, side: 'LEFT' }, true],
    ['a file that did not change', { path: 'x.ts', line: 1, side: 'RIGHT' }, false],
    ['several lines', { path: 'a b.ts', startLine: 1, line: 3, side: 'RIGHT' }, true],
    [
      'from a removed to an added line',
      { path: 'a b.ts', startLine: 2, startSide: 'LEFT', line: 2, side: 'RIGHT' },
      true,
    ],
    ['lines of two hunks', { path: 'a b.ts', startLine: 1, line: 20, side: 'RIGHT' }, false],
    ['lines upside down', { path: 'a b.ts', startLine: 3, line: 1, side: 'RIGHT' }, false],
    ['one line twice', { path: 'a b.ts', startLine: 2, line: 2, side: 'RIGHT' }, false],
  ] as const)('%s', (_, at, isPlaceable) => {
    expect(placeable.has(at)).toBe(isPlaceable);
  });
});

test('a comment without a place keeps a path that holds backticks and line ends', () => {
  const comment = {
    key: 'k',
    path: '`a``b`\n# x',
    line: 3,
    side: 'RIGHT' as const,
    body: ' text ',
  };
  expect(renderUnplaced([comment])).toBe('\n\n**``` `a``b` # x#L3 ```**\n\ntext');
});
