/** What the weekly digest tells of the memory, and what it asks GitHub for. */
import { expect, test } from 'vitest';
import { readMemoryHealth, type HealthContext } from '../../../src/act/digest/memory-health.ts';
import { createReadMemory } from '../../../src/act/memory/read-memory.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { addEntries } from '../../../src/domain/memory/file/edit-memory-file.ts';
import { renderMemoryFile } from '../../../src/domain/memory/file/memory-file.ts';
import type { MemoryEntry } from '../../../src/domain/memory/memory-entry.ts';
import type { RecordFilter, StoredEffect } from '../../../src/ports/store.ts';
import { THREAD } from '../../helpers/play.ts';

const WEEK = { from: '2026-11-23T09:00:00.000Z', to: '2026-11-30T09:00:00.000Z' };
const IN_WEEK = '2026-11-25T09:00:00.000Z';

function note(id: number, createdAt: string, refs: MemoryEntry['refs'] = []): MemoryEntry {
  return {
    id: String(id).padStart(10, '0'),
    persona: 'maya',
    category: 'PATTERN',
    text: `The parser counts quoted separators, lesson ${id}`,
    refs,
    words: [],
    source: { kind: 'run', run: 'RUN', thread: 7 },
    author: undefined,
    trust: 'maintainer',
    createdAt,
    state: 'active',
  };
}

const FILE = renderMemoryFile(
  addEntries({ parts: [], problems: [] }, [
    note(1, '2026-11-20'),
    note(2, '2026-01-02'),
    note(3, '2026-01-03'),
  ]),
);

const GONE = renderMemoryFile(
  addEntries({ parts: [], problems: [] }, [
    note(1, '2026-11-20', [{ path: 'src/there.ts', from: 1, to: 2, blobSha: 'blob' }]),
    note(2, '2026-11-20', [{ path: 'src/removed.ts', from: 1, to: 2, blobSha: 'older' }]),
    // It counts once.
    note(3, '2026-01-03', [{ path: 'src/removed.ts', from: 4, to: 5, blobSha: 'older' }]),
  ]),
);

/** A reflection that ended with the step `ask`. */
function failed(key: string, over: Partial<StoredEffect> = {}): StoredEffect {
  const data = { kind: 'ask', purpose: 'reflection' } as unknown as EffectData;
  return { key, at: IN_WEEK, status: 'dead', data, ...over } as StoredEffect;
}

interface Around {
  effects?: StoredEffect[];
  fails?: Error;
  isEnabled?: boolean;
  isQuiet?: boolean;
  waits?: HealthContext['waits'];
  file?: string;
}

/** Reads the same memory twice: `reads` says for each whether its head was known. */
async function health(around: Around) {
  const { effects = [], fails, isEnabled = true, isQuiet = false, waits, file = FILE } = around;
  const { memory, ...settings } = defaultConfig();
  const reads: boolean[] = [];
  const files = new Map([['personas/maya/working.md', file]]);
  const session = {
    code: { blobs: async () => new Map([['src/there.ts', 'blob']]), texts: async () => [] },
    memory: {
      doubtful: async () => new Set(),
      read: async (_: unknown, { known }: { known?: string }) => {
        if (fails !== undefined) throw fails;
        reads.push(known === 'h');
        return { head: 'h', isKnown: known === 'h', files, unread: [] };
      },
    },
  };
  const records = {
    effects: async ({ status, idEnd }: RecordFilter) =>
      idEnd === '-ask' ? effects.filter((each) => each.status === status) : [],
  };
  const ports = {
    clock: { now: () => Date.parse(WEEK.to) },
    store: { records },
  } as unknown as ActPorts;
  const context = {
    ports,
    readMemory: createReadMemory(ports),
    session,
    config: { ...settings, memory: { ...memory, enabled: isEnabled } },
    week: WEEK,
    headSha: 'main',
    isQuiet,
    waits,
  } as unknown as HealthContext;
  const first = await readMemoryHealth(THREAD, context);
  expect(await readMemoryHealth(THREAD, context)).toEqual(first);
  return { told: first, reads };
}

const own = `thread:${THREAD.repositoryId}/7`;

test('notes that expired and reflections that failed are counted; a known head reads no file again', async () => {
  const ask = { kind: 'ask', purpose: 'answer' } as unknown as EffectData;
  const effects = [
    failed(own),
    failed(own, { status: 'refused' }),
    failed(own, { data: ask }),
    failed(own, { at: WEEK.from }),
    failed(own, { at: '2026-11-20T09:00:00.000Z', settledAt: IN_WEEK }),
    failed(own, { at: WEEK.from, settledAt: WEEK.to }),
    failed(own, { settledAt: '2026-12-01T09:00:00.000Z' }),
    failed(`thread:${THREAD.repositoryId}1/7`),
  ];
  const { told, reads } = await health({ effects });
  expect(told).toEqual({ stale: 2, failed: 4 });
  expect(reads).toEqual([false, true]);
});

test('a note that cites what is gone is counted among the stale ones, once', async () => {
  expect((await health({ file: GONE })).told).toEqual({ stale: 2, failed: 0 });
});

test('a memory that cannot be read stops no digest; what may pass is tried again', async () => {
  const refused = new RefusedError({ code: 'memory-unreadable', message: 'no' });
  expect((await health({ fails: refused, effects: [failed(own)] })).told).toEqual({
    failed: 1,
  });
  const away = new TransientError({ code: 'github-unavailable', message: 'away' });
  await expect(health({ fails: away })).rejects.toThrow(away);
  const waits = { code: away.code, since: 0, times: 2 };
  await expect(health({ fails: away, waits })).rejects.toThrow(away);
  const told = { failed: 1 };
  const lasting = { fails: away, waits: { ...waits, times: 3 }, effects: [failed(own)] };
  expect((await health(lasting)).told).toEqual(told);
});

test.each([
  ['memory is switched off', { isEnabled: false }],
  ['the week has nothing else to tell', { isQuiet: true }],
])('where %s, GitHub is not asked, and reflections that failed are counted', async (_, around) => {
  const effects = [failed(own)];
  expect(await health({ ...around, effects })).toEqual({
    told: { failed: 1 },
    reads: [],
  });
  expect((await health(around)).told).toBeUndefined();
});
