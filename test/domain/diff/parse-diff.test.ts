/** Diffs as git, diff and GitHub write them, and as nobody should: every one read or refused with its line. */
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiffFile } from '../../../src/domain/diff/diff.ts';
import { createDiffReader, parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { DIFF_LIMITS } from '../../../src/domain/diff/diff-reading.ts';
import { renderDiff } from '../../../src/domain/diff/render-diff.ts';

function only(text: string): DiffFile {
  const { files, problems } = parseDiff(text);
  expect(problems).toEqual([]);
  expect(files).toHaveLength(1);
  return files[0] ?? expect.fail('no file');
}

const modified = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1111111..2222222 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -3,4 +3,5 @@ function run() {',
  ' one',
  '-two',
  '+TWO',
  '+two and a half',
  ' three',
  ' four',
  '',
].join('\n');

describe('parseDiff', () => {
  test('numbers lines on both sides', () => {
    const file = only(modified);
    expect(file).toMatchObject({
      path: 'src/a.ts',
      oldPath: 'src/a.ts',
      status: 'modified',
      content: 'text',
      additions: 2,
      deletions: 1,
      diffLine: 1,
    });
    expect(file.hunks[0]).toMatchObject({ section: 'function run() {', oldStart: 3, newLines: 5 });
    expect(file.hunks[0]?.lines).toEqual([
      { kind: 'context', text: 'one', oldLine: 3, newLine: 3 },
      { kind: 'removed', text: 'two', oldLine: 4 },
      { kind: 'added', text: 'TWO', newLine: 4 },
      { kind: 'added', text: 'two and a half', newLine: 5 },
      { kind: 'context', text: 'three', oldLine: 5, newLine: 6 },
      { kind: 'context', text: 'four', oldLine: 6, newLine: 7 },
    ]);
  });

  test('an empty text is an empty diff, and other text is refused', () => {
    expect(parseDiff('')).toEqual({ files: [], problems: [] });
    expect(parseDiff('\n\n')).toEqual({ files: [], problems: [] });
    expect(parseDiff('hello\nworld').problems).toMatchObject([{ line: 1, code: 'not-a-diff' }]);
  });

  test.each<[string, string, Partial<DiffFile>]>([
    [
      'an added file',
      'diff --git a/n b/n\nnew file mode 100755\nindex 0000000..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      { path: 'n', status: 'added', newMode: '100755', content: 'text', additions: 1 },
    ],
    [
      'an added empty file',
      'diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n',
      { path: 'n', status: 'added', content: 'none' },
    ],
    [
      'a deleted file',
      'diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      { path: 'd', oldPath: 'd', status: 'deleted', deletions: 1 },
    ],
    [
      'a renamed file, unchanged',
      'diff --git a/old name b/new name\nsimilarity index 100%\nrename from old name\nrename to new name\n',
      { path: 'new name', oldPath: 'old name', status: 'renamed', content: 'none' },
    ],
    [
      'a renamed file, changed',
      'diff --git a/x b/y\nsimilarity index 80%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'y', oldPath: 'x', status: 'renamed', content: 'text' },
    ],
    [
      'a copied file',
      'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n',
      { path: 'y', oldPath: 'x', status: 'copied' },
    ],
    [
      'a mode alone',
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      { status: 'mode-changed', content: 'none', oldMode: '100644', newMode: '100755' },
    ],
    [
      'a binary file',
      'diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n',
      { path: 'i.png', status: 'modified', content: 'binary' },
    ],
    [
      'a binary patch',
      'diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKc${Nk-~+--\n\nliteral 0\nHcmV?d00001\n\n',
      { path: 'i', content: 'binary', hunks: [] },
    ],
    [
      'a submodule',
      'diff --git a/lib b/lib\nindex aaaaaaa..bbbbbbb 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit aaaaaaaaaa\n+Subproject commit bbbbbbbbbb\n',
      { content: 'submodule', submodule: { from: 'aaaaaaaaaa', to: 'bbbbbbbbbb' } },
    ],
    [
      'a submodule as a log',
      'Submodule lib aaaaaaa..bbbbbbb:\n  > a commit\n',
      { path: 'lib', content: 'submodule', submodule: { from: 'aaaaaaa', to: 'bbbbbbb' } },
    ],
    [
      'an LFS pointer',
      'diff --git a/v b/v\nnew file mode 100644\n--- /dev/null\n+++ b/v\n@@ -0,0 +1,3 @@\n+version https://git-lfs.github.com/spec/v1\n+oid sha256:0\n+size 12\n',
      { status: 'added', content: 'lfs' },
    ],
    [
      'a symbolic link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n',
      { content: 'symlink' },
    ],
    [
      'a quoted path',
      'diff --git "a/caf\\303\\251 \\"x\\".txt" "b/caf\\303\\251 \\"x\\".txt"\nold mode 100644\nnew mode 100755\n',
      { path: 'café "x".txt' },
    ],
    [
      'a path with spaces',
      'diff --git a/my file b/my file\nindex 1..2 100644\n--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'my file' },
    ],
    [
      'paths without prefixes',
      'diff --git src/a.ts src/a.ts\n--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'src/a.ts' },
    ],
    [
      'mnemonic prefixes',
      'diff --git i/src/a.ts w/src/a.ts\n--- i/src/a.ts\n+++ w/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
      { path: 'src/a.ts' },
    ],
    [
      'a plain unified diff with dates',
      '--- a.txt\t2024-01-01 00:00:00.000 +0000\n+++ b.txt\t2024-01-02 00:00:00.000 +0000\n@@ -1,2 +1 @@\n a\n-b\n',
      { path: 'b.txt', oldPath: 'a.txt', status: 'modified', deletions: 1 },
    ],
    [
      'a plain new file',
      '--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+a\n',
      { path: 'n.txt', status: 'added' },
    ],
  ])('reads %s', (_name, text, expected) => {
    expect(only(text)).toMatchObject(expected);
  });

  test('removed lines that look like headers stay lines', () => {
    const text =
      '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a comment\n-+++ b\n+++ plus\n+@@ -1 +1 @@\n';
    expect(only(text).hunks[0]?.lines.map((line) => `${line.kind} ${line.text}`)).toEqual([
      'removed -- a comment',
      'removed +++ b',
      'added ++ plus',
      'added @@ -1 +1 @@',
    ]);
  });

  test('CRLF and a missing newline are marks on the line', () => {
    const text =
      '--- a/a\r\n+++ b/a\r\n@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n\\ No newline at end of file\r\n+two\r\n';
    expect(only(text).hunks[0]?.lines).toEqual([
      { kind: 'context', text: 'one', oldLine: 1, newLine: 1, isCrlf: true },
      { kind: 'removed', text: 'two', oldLine: 2, isCrlf: true, hasNoNewline: true },
      { kind: 'added', text: 'two', newLine: 2, isCrlf: true },
    ]);
  });

  test('an empty line that lost its mark is a line of context', () => {
    const text = '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n\n-two\n+TWO\n';
    expect(only(text).hunks[0]?.lines[1]).toMatchObject({ kind: 'context', text: '', newLine: 2 });
  });

  test('a mail around the diff is not read', () => {
    const mail = `From 1234 Mon Sep 17 00:00:00 2001\nSubject: x\n\n---\n a.ts | 2 +-\n\n${modified}-- \n2.39.5\n`;
    expect(only(mail).path).toBe('src/a.ts');
  });

  test.each<[string, string, unknown[]]>([
    [
      'a combined diff',
      'diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n++b\n',
      [{ line: 1, code: 'combined-diff' }],
    ],
    [
      'a hunk header with garbage',
      '--- a/a\n+++ b/a\n@@ what @@\n+a\n',
      [{ line: 3, code: 'bad-hunk-header' }],
    ],
    ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n', [{ line: 1, code: 'hunk-without-file' }]],
    [
      'a hunk that ends early',
      '--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n a\n',
      [{ line: 4, code: 'short-hunk' }],
    ],
    [
      'a hunk with too many lines',
      '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n+c\n',
      [{ line: 6, code: 'long-hunk' }],
    ],
    ['a header without paths', 'diff --git \n', [{ line: 1, code: 'bad-path' }]],
  ])('names the line of %s', (_name, text, problems) => {
    expect(parseDiff(text).problems).toMatchObject(problems);
  });

  test('the file after a refused one is read', () => {
    const { files, problems } = parseDiff(`diff --cc x\n@@@ -1 -1 +1 @@@\n- a\n${modified}`);
    expect(problems).toHaveLength(1);
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts']);
  });

  test('keeps counts and drops text beyond the limits', () => {
    const limits = { maxLines: 3, maxFiles: 1, maxLineLength: 2 };
    const { files, problems } = parseDiff(`${modified}${modified}`, limits);
    expect(files).toMatchObject([{ additions: 2, deletions: 1, isCut: true }]);
    expect(files[0]?.hunks[0]?.lines).toEqual([
      { kind: 'context', text: 'on', oldLine: 3, newLine: 3, isCut: true },
      { kind: 'removed', text: 'tw', oldLine: 4, isCut: true },
      { kind: 'added', text: 'TW', newLine: 4, isCut: true },
    ]);
    expect(problems).toMatchObject([{ code: 'too-many-files' }]);
  });

  test('reads a diff of 100 MB in pieces without keeping it', () => {
    const reader = createDiffReader(DIFF_LIMITS);
    const line = `+${'x'.repeat(99)}\n`;
    reader.push(`--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,1000000 @@\n`);
    const piece = line.repeat(1000);
    for (let count = 0; count < 1000; count += 1) reader.push(piece);
    const [file] = reader.end().files;
    expect(file).toMatchObject({ additions: 1_000_000, isCut: true });
    expect(file?.hunks[0]?.lines).toHaveLength(DIFF_LIMITS.maxLines);
  });

  test('any text in any pieces gives what the whole gives, and nothing throws', () => {
    const piece = oneof(
      constantFrom(
        ...modified.split(/(?<=\n)/),
        '@@ -1,2 +1,9 @@\n',
        '@@@ -1 -1 +1 @@@\n',
        'diff --git "a/\\3',
        '--- x\n',
        '+++ y\n',
        '\\ No newline at end of file\n',
        'rename from \n',
        'Submodule a 1234567..7654321:\n',
        '\r\n',
      ),
      string({ unit: 'binary', maxLength: 12 }),
    );
    assert(
      property(array(piece, { maxLength: 40 }), (pieces) => {
        const reader = createDiffReader();
        for (const each of pieces) reader.push(each);
        expect(reader.end()).toEqual(parseDiff(pieces.join('')));
      }),
      { numRuns: 500 },
    );
  });
});

describe('renderDiff', () => {
  test('what is written is read as the same', () => {
    const text = `${modified}diff --git "a/caf\\303\\251" "b/caf\\303\\251"\nnew file mode 100644\n--- /dev/null\n+++ "b/caf\\303\\251"\n@@ -0,0 +1,1 @@\n+x\r\n\\ No newline at end of file\n`;
    const withoutPlaces = (source: string) =>
      parseDiff(source).files.map(({ diffLine: _line, ...file }) => file);
    expect(withoutPlaces(renderDiff(parseDiff(text)))).toEqual(withoutPlaces(text));
  });
});
