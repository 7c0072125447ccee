/** What real git writes about random edits: lines and numbers agree with the files on both sides. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { array, assert, boolean, constantFrom, dictionary, property, record } from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { DiffFile } from '../../../src/domain/diff/diff.ts';
import { parseDiff } from '../../../src/domain/diff/parse-diff.ts';
import { hunkLinesOf } from '../../../src/domain/review/comment-place.ts';
import { applyDiff, undoChange } from '../../../src/domain/diff/turn-text.ts';
import { renderDiff } from '../../../src/domain/diff/render-diff.ts';

const root = mkdtempSync(path.join(tmpdir(), 'quorum-diff-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Tree = Record<string, string>;

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 });
}

git('init', '--quiet');
git('config', 'core.autocrlf', 'false');

function writeTree(tree: Tree): string {
  for (const name of readdirSync(root))
    if (name !== '.git') rmSync(path.join(root, name), { recursive: true });
  for (const [name, text] of Object.entries(tree)) writeFileSync(path.join(root, name), text);
  git('add', '--all');
  return git('write-tree').trim();
}

/** Git's diff between two trees, as between two commits. */
function gitDiff(before: Tree, after: Tree): string {
  return git('diff', '-M', '--no-color', '--no-ext-diff', writeTree(before), writeTree(after));
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Every line that the diff shows is in the file at the number that the diff gives. */
function expectConsistent(file: DiffFile, before: Tree, after: Tree): void {
  const old = linesOf(before[file.oldPath ?? ''] ?? '');
  const now = linesOf(after[file.path] ?? '');
  for (const line of file.hunks.flatMap((hunk) => hunk.lines)) {
    const text = `${line.text}${line.isCrlf === true ? '\r' : ''}`;
    if (line.kind !== 'added') expect(old[line.oldLine - 1]).toBe(text);
    if (line.kind !== 'removed') expect(now[line.newLine - 1]).toBe(text);
  }
  const added = file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'added'));
  expect(added).toHaveLength(file.additions);
  expect(now.length - old.length).toBe(file.additions - file.deletions);
}

const someText = record({
  lines: array(
    constantFrom(
      'a',
      'b',
      '',
      '--- x',
      '+++ y',
      '@@ -1 +1 @@',
      ' c',
      '\td',
      'é',
      '\\ No newline',
      'e\r',
    ),
    { maxLength: 30 },
  ),
  endsWithNewline: boolean(),
}).map(({ lines, endsWithNewline }) => lines.join('\n') + (endsWithNewline ? '\n' : ''));
const tree = dictionary(
  constantFrom('plain.txt', 'with space.ts', 'caf\u00e9.md', 'q"uote'),
  someText,
);

describe('the output of git diff', () => {
  test('agrees with both sides for random edits, and is written back the same', () => {
    assert(
      property(tree, tree, (before, after) => {
        const { files, problems } = parseDiff(gitDiff(before, after));
        expect(problems).toEqual([]);
        const changed = new Set([...Object.keys(before), ...Object.keys(after)]);
        for (const file of files) {
          expect(changed).toContain(file.path);
          expectConsistent(file, before, after);
        }
        const again = parseDiff(renderDiff({ files }));
        expect(again.problems).toEqual([]);
        expect(again.files.map(({ hunks }) => hunks)).toEqual(files.map(({ hunks }) => hunks));
      }),
      { numRuns: 60 },
    );
  });

  test('leads from either side to the other, through renames, new and deleted files', () => {
    assert(
      property(tree, tree, (before, after) => {
        for (const file of parseDiff(gitDiff(before, after)).files) {
          const [old = '', now = ''] = [before[file.oldPath ?? ''], after[file.path]];
          // Of an empty file that went nothing is shown.
          const isTold = file.content === 'text' || file.status !== 'deleted';
          expect(undoChange(file, now)).toBe(isTold ? old : undefined);
          expect(applyDiff(file, old)).toBe(isTold ? now : undefined);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('leads nowhere from a text that is not the one it was made of', () => {
    const [file] = parseDiff(gitDiff({ f: 'a\nb\nc\n' }, { f: 'a\nB\nc\n' })).files;
    if (file === undefined) expect.fail('no file');
    expect(undoChange(file, 'a\nB\nc\n')).toBe('a\nb\nc\n');
    for (const text of ['a\nb\nc\n', 'a\nB\nc', 'a\r\nB\r\nc\r\n', 'B\nc\n', ''])
      expect(undoChange(file, text)).toBeUndefined();
    expect(undoChange({ ...file, isCut: true }, 'a\nB\nc\n')).toBeUndefined();
  });

  test('names every path that changed', () => {
    const { files } = parseDiff(
      gitDiff({ 'q"uote': 'a\n', 'x y': 'b\n' }, { 'caf\u00e9': 'b\n', 'q"uote': 'c\n' }),
    );
    expect(files.map(({ path: name, oldPath }) => `${oldPath} > ${name}`)).toEqual([
      'x y > caf\u00e9',
      'q"uote > q"uote',
    ]);
  });

  test('lines that git shows may carry a comment, and others may not', () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const after = before.with(19, 'new');
    const [file] = parseDiff(gitDiff({ f: before.join('\n') }, { f: after.join('\n') })).files;
    expect(hunkLinesOf(file ?? expect.fail('no file'))).toEqual([
      { path: 'f', old: [17, 23], new: [17, 23] },
    ]);
  });
});
