/** The index of memory in the embedded store keeps the contract. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import type { IndexedEntry } from '../../../src/ports/memory-index.ts';
import { memoryIndexContract } from '../../contract/memory-index.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

memoryIndexContract(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-memory-'));
  return {
    open: () => openSqliteStore({ dir, clock }),
    remove: () => rm(dir, { recursive: true }),
    dump: async () => {
      const names = (await readdir(dir)).filter((name) => name.startsWith('quorum.db'));
      const files = await Promise.all(names.map((name) => readFile(path.join(dir, name))));
      return Buffer.concat(files).toString('latin1');
    },
  };
});

test('after many small changes the words of a repository are looked for in few places', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-memory-'));
  const store = await openSqliteStore({ dir, clock });
  const entries: IndexedEntry[] = [];
  for (let head = 1; head <= 60; head += 1) {
    for (let at = 0; at < 10; at += 1) {
      const text = `lesson${head}x${at} is about parsing`;
      entries.push({ id: `${head}-${at}`, persona: 'maya', text, words: [], paths: [] });
    }
    await store.memory.put(7, `${head}`, entries);
  }
  const query = { repository: 7, head: '60', persona: 'maya', paths: [], limit: 3 };
  const [best] = (await store.memory.find({ ...query, terms: ['lesson31x4'] })) ?? [];
  expect(best).toBe('31-4');
  await store.close();
  const db = new DatabaseSync(path.join(dir, 'quorum.db'), { readOnly: true });
  const [row] = db.prepare('SELECT count(DISTINCT segid) AS n FROM memory_search_idx').all();
  db.close();
  await rm(dir, { recursive: true });
  // One of each size. Without merging there are more than twice as many.
  expect(Number(row?.['n'])).toBeLessThanOrEqual(3);
});
