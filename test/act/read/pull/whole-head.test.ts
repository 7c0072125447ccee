/** A head without a commit in common with its base, read as a change that adds every file. */
import { expect, test } from 'vitest';
import { readWholeHead } from '../../../../src/act/read/pull/whole-head.ts';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';
import type { PullSession } from '../../../../src/ports/github/pulls.ts';
import { THREAD } from '../../../helpers/play.ts';

const LIMITS = { files: 10, bytes: 100, total: 100 };
const UNRELATED =
  'the base branch: no commit in common with this head, so every file was reviewed as added';

interface Head {
  texts: Record<string, string>;
  /** Paths that GitHub lists beside those with a text. */
  unread?: string[];
  isCut?: boolean;
  limits?: typeof LIMITS;
}

async function read({ texts, unread = [], isCut = false, limits = LIMITS }: Head) {
  const asked: { paths: string[]; maxBytes: number }[] = [];
  const session = {
    read: {
      paths: async () => ({ paths: [...Object.keys(texts), ...unread], isCut }),
      files: async (_: object, sha: string, wanted: (typeof asked)[number]) => {
        asked.push(wanted);
        return wanted.paths
          .filter((path) => path in texts)
          .map((path) => ({
            path,
            text: texts[path] ?? '',
            isCut: path.startsWith('cut') && sha === 'head',
          }));
      },
    },
  } as unknown as PullSession;
  const head = await readWholeHead(session, THREAD, { headSha: 'head', limits });
  return { head, asked, files: head === undefined ? [] : parseDiff(head.diff).files };
}

test('every file is one that was added, line by line, an unfinished last line as well', async () => {
  const { head, files } = await read({
    texts: { 'a.ts': 'one\ntwo\n', 'b.ts': 'half', 'c.ts': '' },
  });
  expect(files.map(({ path, status, additions }) => [path, status, additions])).toEqual([
    ['a.ts', 'added', 2],
    ['b.ts', 'added', 1],
    ['c.ts', 'added', 0],
  ]);
  const lines = files.map(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  expect(lines[0]).toMatchObject([
    { kind: 'added', text: 'one', newLine: 1 },
    { kind: 'added', text: 'two', newLine: 2 },
  ]);
  expect(lines[1]).toMatchObject([{ text: 'half', hasNoNewline: true }]);
  expect(lines[0]?.[1]).not.toHaveProperty('hasNoNewline');
  expect(head?.notRead).toEqual([UNRELATED]);
});

test('lockfiles are not asked for, and are listed as not read', async () => {
  const { head, asked } = await read({ texts: { 'a.ts': 'a\n', 'package-lock.json': '{}\n' } });
  expect(asked).toEqual([{ paths: ['a.ts'], maxBytes: 100 }]);
  expect(head?.notRead).toEqual([UNRELATED, 'package-lock.json: not read']);
});

test('what is cut, or does not fit any more, is left out; a smaller one after it is read', async () => {
  const texts = {
    'cut.ts': 'x\n',
    'first.ts': `${'a'.repeat(59)}\n`,
    'second.ts': `${'b'.repeat(40)}\n`,
    'third.ts': `${'c'.repeat(39)}\n`,
    'fourth.ts': 'd',
  };
  const { head, files } = await read({ texts });
  expect(files.map(({ path }) => path)).toEqual(['first.ts', 'third.ts']);
  expect(head?.notRead.slice(1)).toEqual(
    ['cut.ts', 'second.ts', 'fourth.ts'].map((path) => `${path}: not read`),
  );
});

test('300 files are asked for at most', async () => {
  const many = Array.from({ length: 301 }, (_, n) => [`f${n}.ts`, ''] as const);
  const { asked, head } = await read({ texts: Object.fromEntries(many) });
  expect(asked[0]?.paths).toHaveLength(300);
  expect(head?.notRead).toEqual([UNRELATED, 'f300.ts: not read']);
});

test('3,000 that were not read are named, the others are counted', async () => {
  const unread = (count: number): string[] => Array.from({ length: count }, (_, n) => `u${n}.bin`);
  const atMost = await read({ texts: {}, unread: unread(3_000) });
  expect(atMost.head?.notRead).toHaveLength(3_001);
  const { head } = await read({ texts: {}, unread: unread(3_002) });
  expect(head?.notRead).toHaveLength(3_002);
  expect(head?.notRead.at(-1)).toBe('2 more files');
});

test('a list that GitHub cuts says so', async () => {
  const { head } = await read({ texts: { 'a.ts': 'a\n' }, isCut: true });
  expect(head?.notRead).toEqual([UNRELATED, 'files that GitHub leaves out of the list']);
});

test('a head without files is nothing to read, and no text is asked for', async () => {
  expect(await read({ texts: {} })).toMatchObject({ head: undefined, asked: [] });
});
