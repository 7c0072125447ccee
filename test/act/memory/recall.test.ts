/** Which remembered notes a run is given, and that it goes on where memory cannot be read. */
import { describe, expect, test } from 'vitest';
import { createReadMemory } from '../../../src/act/memory/read-memory.ts';
import { createRecall, type RecallAsk } from '../../../src/act/memory/recall.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import { renderEntryLine } from '../../../src/domain/memory/file/entry-line.ts';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { renderMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import { linesDigest } from '../../../src/domain/memory/memory-entry.ts';
import type { DoubtfulLines } from '../../../src/ports/github/memory-branch.ts';
import { TEAM } from '../../helpers/an-issue.ts';
import { THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

const [persona] = TEAM;
const handle = persona?.handle ?? '';
const NOW = new Date(systemClock.now()).toISOString().slice(0, 10);

function entry(id: string, over: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id: id.padStart(10, '0'),
    persona: handle,
    category: 'PATTERN',
    text: `The parser counts quoted separators, lesson ${id}`,
    refs: [],
    words: [],
    source: { kind: 'run', run: 'RUN', thread: 7 },
    author: undefined,
    trust: 'maintainer',
    createdAt: NOW,
    state: 'active',
    ...over,
  };
}

const LINES = ['const a = 1;', 'const b = 2;'];
const cites = (path: string, blobSha: string) => ({
  refs: [{ path, from: 1, to: 2, blobSha, digest: linesDigest(LINES) }],
});

interface Around {
  onStaleNotes?: ActPorts['onStaleNotes'];
  doubtful?: DoubtfulLines;
  expireDays?: number;
  isEnabled?: boolean;
}

async function recall(
  entries: MemoryEntry[],
  fails?: Error,
  { doubtful = new Set(), expireDays, onStaleNotes, isEnabled = true }: Around = {},
) {
  const { memory, ...settings } = defaultConfig();
  const config = { ...settings, memory: { ...memory, expireDays, enabled: isEnabled } };
  const file = renderMemoryFile(addEntries({ parts: [], problems: [] }, entries));
  const read = { texts: 0 };
  const session = {
    memory: {
      doubtful: async () => doubtful,
      read: async () => {
        if (fails !== undefined) throw fails;
        const files = new Map([[`personas/${handle}/working.md`, file]]);
        return { head: 'h', isKnown: false, files, unread: [] };
      },
    },
    code: {
      blobs: async () =>
        new Map([
          ['src/same.ts', 'one'],
          ['src/other.ts', 'new'],
          ['src/shifted.ts', 'newer'],
          ['src/moved.ts', 'two'],
        ]),
    },
    read: {
      files: async () => {
        read.texts += 1;
        return [
          { path: 'src/other.ts', text: 'const c = 3;\n', isCut: false },
          { path: 'src/shifted.ts', text: `// new\n${LINES.join('\n')}\n`, isCut: false },
        ];
      },
    },
  };
  const store = await openSqliteStore({ memory: true, clock: systemClock });
  const warned: unknown[] = [];
  const ports = {
    clock: systemClock,
    memoryIndex: store.memory,
    onStaleNotes,
    log: { warn: (...args: unknown[]) => void warned.push(args), info: () => undefined },
  } as unknown as ActPorts;
  const ask = {
    asker: { run: 'RUN', effectId: 'RUN/1-look' },
    thread: THREAD,
    session,
    headSha: 'tip',
    config,
    personas: TEAM,
    about: { paths: ['src/parse.ts'], terms: ['parser quoted separators'] },
  } as unknown as RecallAsk;
  const found = await createRecall(ports, createReadMemory(ports))(ask);
  await store.close();
  return { ids: (found?.notes[handle] ?? []).map(({ id }) => id), found, warned, read };
}

describe('what is recalled', () => {
  verifies(
    'MEM-01: what waits is not recalled',
    'is active, cites what is still there, and follows a renamed file without reading a text',
    async () => {
      const { ids, found, read } = await recall([
        entry('1'),
        entry('2', { state: 'quarantined' }),
        entry('3', cites('src/same.ts', 'one')),
        entry('4', cites('src/before.ts', 'two')),
        entry('5', cites('src/gone.ts', 'three')),
        entry('6', { createdAt: '2020-01-01' }),
      ]);
      expect(ids.toSorted()).toEqual(['0000000001', '0000000003', '0000000004']);
      expect(found?.notes[handle]?.find(({ id }) => id === '0000000004')?.refs[0]?.path).toBe(
        'src/moved.ts',
      );
      expect(read.texts).toBe(0);
    },
  );

  verifies(
    ['MEM-03: lines of another App', 'MEM-03: nobody says who pushed'],
    'is in a line that a person or Quorum pushed, and is nothing where GitHub does not say who pushed',
    async () => {
      const entries = [entry('1'), entry('2')];
      const line = renderEntryLine(entry('2'), NOW);
      const { ids } = await recall(entries, undefined, { doubtful: new Set([line]) });
      expect(ids).toEqual(['0000000001']);
      expect((await recall(entries, undefined, { doubtful: 'all' })).ids).toEqual([]);
    },
  );

  test('leaves out stale notes, and their number is reported', async () => {
    const told: unknown[] = [];
    const onStaleNotes = (of: { repositoryId: number }, count: number) =>
      void told.push([of.repositoryId, count]);
    const old = { createdAt: '2020-01-01' };
    const entries = [entry('1'), entry('2', old), entry('3', old)];
    expect((await recall(entries, undefined, { onStaleNotes })).ids).toEqual(['0000000001']);
    expect(told).toEqual([[THREAD.repositoryId, 2]]);
    const refused = new RefusedError({ code: 'memory-unreadable', message: 'no' });
    await recall(entries, refused, { onStaleNotes });
    await recall(entries, undefined, { onStaleNotes, isEnabled: false });
    expect(told.slice(1)).toEqual([
      [THREAD.repositoryId, 0],
      [THREAD.repositoryId, 0],
    ]);
  });

  verifies('MEM-05: cap on what is read', 'is eight notes of a persona at most', async () => {
    const entries = Array.from({ length: 20 }, (_, n) => entry(`${n + 1}`));
    expect((await recall(entries)).ids).toHaveLength(8);
    expect((await recall(entries.slice(0, 8))).ids).toHaveLength(8);
  });

  test('whose file changed is used only while its lines are in it, and all files are read at once', async () => {
    const { ids, read } = await recall([
      entry('1', cites('src/other.ts', 'old')),
      entry('2', cites('src/shifted.ts', 'old')),
    ]);
    expect([ids, read.texts]).toEqual([['0000000002'], 1]);
  });

  test('is what was confirmed in the days that the settings say', async () => {
    const before = new Date(systemClock.now() - 100 * 86_400_000).toISOString().slice(0, 10);
    const old = [entry('1', { createdAt: before })];
    expect((await recall(old)).ids).toEqual([]);
    expect((await recall(old, undefined, { expireDays: 200 })).ids).toEqual(['0000000001']);
  });

  test('is nothing where the branch cannot be read, and the log says so', async () => {
    const refused = new RefusedError({ code: 'github-forbidden', message: 'no' });
    const { found, warned } = await recall([entry('1')], refused);
    expect(found).toEqual({ head: undefined, notes: {} });
    expect(warned).toHaveLength(1);
  });

  test('is asked for again where the failure may pass', async () => {
    const passing = new TransientError({ code: 'github-unreachable', message: 'later' });
    await expect(recall([entry('1')], passing)).rejects.toBe(passing);
  });
});
