/** Which notes people see listed, in which order, and why some of them are stale. */
import { expect, test } from 'vitest';
import { listNotes } from '../../../src/act/memory/list-notes.ts';
import type { MemoryNow } from '../../../src/act/memory/read-memory.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { linesDigest, type MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { NO_USE } from '../../../src/domain/memory/file/memory-use.ts';
import type { GitHubSession } from '../../../src/ports/github/github.ts';
import { anEntry } from '../../domain/memory/some-memory.ts';
import { THREAD } from '../../helpers/play.ts';

const TODAY = '2026-06-01';
const LINES = ['const a = 1;', 'const b = 2;'];
const TREE = { 'a.ts': 'new', 'same.ts': 'same', 'cut.ts': 'new', 'big.ts': 'new' };
/** What is too large has no text. */
const TEXTS = [
  { path: 'a.ts', text: 'const c = 3;\n', isCut: false },
  { path: 'cut.ts', text: 'const c = 3;\n', isCut: true },
  { path: 'beyond.ts', text: 'the tree was cut', isCut: false },
];

function anActive(id: string, over: Partial<MemoryEntry> = {}): MemoryEntry {
  return anEntry({ id: id.padStart(10, '0'), createdAt: '2026-05-30', state: 'active', ...over });
}

const citing = (id: string, path: string, blobSha = 'old') =>
  anActive(id, { refs: [{ path, from: 1, to: 2, blobSha, digest: linesDigest(LINES) }] });

async function list(
  entries: MemoryEntry[],
  headSha: string | undefined,
  uses: MemoryNow['uses'] = {},
) {
  const asked: string[][] = [];
  const session = {
    memory: {},
    code: {
      blobs: async () => new Map(Object.entries(TREE)),
      texts: async (_: object, __: string, { paths }: { paths: string[] }) => {
        asked.push(paths);
        return TEXTS.filter(({ path }) => paths.includes(path));
      },
    },
  } as unknown as GitHubSession;
  const memory = { head: 'h', entries, uses, selves: new Map(), doubtful: new Set<string>() };
  const listed = await listNotes(THREAD, {
    session,
    config: defaultConfig(),
    readMemory: async () => memory,
    clock: { now: () => Date.parse(TODAY), sleep: async () => undefined },
    ...(headSha !== undefined && { headSha }),
  });
  const notes = listed?.notes ?? [];
  return { asked, notes, more: listed?.more, why: notes.map(({ id, why }) => [Number(id), why]) };
}

test('a note is stale when its file or lines are gone, by what is known, in one request', async () => {
  const entries = [
    citing('1', 'a.ts'),
    citing('2', 'gone.ts'),
    citing('3', 'same.ts', 'same'),
    citing('4', 'cut.ts'),
    citing('5', 'big.ts'),
    citing('6', 'beyond.ts'),
    anActive('7'),
  ];
  const { asked, notes, why } = await list(entries, 'tip');
  expect(why.filter(([, reason]) => reason !== undefined)).toEqual([
    [1, 'gone'],
    [2, 'gone'],
  ]);
  expect(notes.slice(0, 3).map(({ state }) => state)).toEqual(['stale', 'stale', 'active']);
  expect(asked).toEqual([['a.ts', 'gone.ts', 'cut.ts', 'big.ts', 'beyond.ts']]);
});

test('a note that was not confirmed for too long, or led to wrong findings, is stale without a look at the code', async () => {
  const run = { source: { kind: 'run' as const, run: 'RUN', thread: 7 } };
  const entries = [
    anActive('1', { ...run, createdAt: '2025-01-01' }),
    anActive('2', run),
    citing('3', 'gone.ts'),
  ];
  const uses = { '0000000002': { ...NO_USE, dismissed: 3 } };
  const { asked, why } = await list(entries, undefined, uses);
  expect(why).toEqual([
    [2, 'dismissed'],
    [1, 'expired'],
    [3, undefined],
  ]);
  expect(asked).toEqual([]);
});

test('of many notes the newest 500 are listed, and what waits or is stale before all others', async () => {
  const many = Array.from({ length: 505 }, (_, at) => anActive(`${at + 10}`));
  const old = { createdAt: '2026-03-20' };
  const { notes, more } = await list(
    [
      ...many,
      anActive('1', { ...old, state: 'quarantined' }),
      anActive('2', { ...old, state: 'stale' }),
    ],
    'tip',
  );
  expect(notes.slice(0, 3).map(({ state }) => state)).toEqual(['quarantined', 'stale', 'active']);
  expect([notes.length, more]).toEqual([500, 7]);
});
