/** The index of memory in the embedded store keeps the contract. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { GroupCommit } from '../../../src/adapters/store/sqlite/group-commit.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { SqliteMemoryIndex } from '../../../src/adapters/store/sqlite/memory/sqlite-memory-index.ts';
import { migrateSqlite } from '../../../src/adapters/store/sqlite/sqlite-schema.ts';
import { Sql } from '../../../src/adapters/store/sqlite/sql.ts';
import type { IndexedEntry } from '../../../src/ports/memory-index.ts';
import { memoryIndexContract } from '../../contract/memory-index.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

memoryIndexContract(async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-memory-'));
  return {
    open: () => openSqliteStore({ dir, clock }),
    remove: () => rm(dir, { recursive: true }),
    dump: () => bytesOf(dir),
  };
});

/** The database with its log. */
async function bytesOf(dir: string): Promise<string> {
  const names = (await readdir(dir)).filter((name) => name.startsWith('quorum.db'));
  const files = await Promise.all(names.map((name) => readFile(path.join(dir, name))));
  return Buffer.concat(files).toString('latin1');
}

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

const NEIGHBOURS = ['aardvark', 'marmot', 'zebra'];

/** A folder with three repositories in the index, 1 to 3, and a way to open its store. */
async function threeNeighbours() {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-memory-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const open = () => openSqliteStore({ dir, clock });
  const store = await open();
  for (const [at, word] of NEIGHBOURS.entries()) await store.memory.put(at + 1, 'h1', manyOf(word));
  return { dir, store, open, read: () => bytesOf(dir) };
}

function manyOf(word: string): IndexedEntry[] {
  return Array.from({ length: 1_000 }, (_, at) => ({
    id: `${at}`,
    persona: 'maya',
    text: `${word}${at}`,
    words: [],
    paths: [],
  }));
}

test('the index is rebuilt after a restart, where notes went before it', async () => {
  const { store, open, read } = await threeNeighbours();
  await store.memory.put(2, 'h2', []);
  await store.close();
  expect(await read()).toContain('marmot');
  const again = await open();
  await again.erasure.compact();
  expect((await read()).includes('marmot')).toBe(false);
  await again.close();
});

test('an index of the version before is rebuilt with the next compaction', async () => {
  const { dir, store, open, read } = await threeNeighbours();
  await store.erasure.erase({ kind: 'repository', repositoryId: 2 });
  await store.close();
  // As that version left it.
  const db = new DatabaseSync(path.join(dir, 'quorum.db'));
  db.exec(`DELETE FROM counters WHERE name = 'memory-removed';
    DELETE FROM migrations WHERE version = (SELECT max(version) FROM migrations); VACUUM`);
  db.close();
  expect(await read()).toContain('marmot');
  const again = await open();
  await again.erasure.compact();
  expect((await read()).includes('marmot')).toBe(false);
  await again.close();
});

test('a store without an index has nothing to rebuild after an upgrade', () => {
  const db = new DatabaseSync(':memory:');
  migrateSqlite(db, 0);
  expect(db.prepare('SELECT name FROM counters').all()).toEqual([]);
  db.close();
});

test('parts of the index that cannot be merged fail no put, and are merged after the next change', async () => {
  const db = new DatabaseSync(':memory:', { defensive: false });
  migrateSqlite(db, 0);
  const troubles: string[] = [];
  const index = new SqliteMemoryIndex({
    sql: new Sql(db),
    commits: new GroupCommit(db),
    onTrouble: (_, doing) => void troubles.push(doing),
  });
  const parts = () => {
    const [row] = db.prepare('SELECT count(DISTINCT segid) AS n FROM memory_search_idx').all();
    return Number(row?.['n']);
  };
  const some = manyOf('zebra').slice(0, 10);
  await index.put(4, 'h1', some.slice(0, 8));
  db.exec(`CREATE TRIGGER no_merge BEFORE DELETE ON memory_search_idx
    BEGIN SELECT raise(ABORT, 'full'); END`);
  await index.put(4, 'h2', some.slice(0, 9));
  expect(troubles).toEqual(['merge the index of memory']);
  // Nothing changed, so nothing is merged.
  await index.put(4, 'h3', some.slice(0, 9));
  expect(troubles).toHaveLength(1);
  const query = { repository: 4, head: 'h3', persona: 'maya', paths: [], limit: 3 };
  expect(await index.find({ ...query, terms: ['zebra3'] })).toEqual(['3']);
  expect(parts()).toBe(2);
  db.exec('DROP TRIGGER no_merge');
  await index.put(4, 'h4', some);
  expect(troubles).toHaveLength(1);
  expect(parts()).toBe(1);
  db.close();
});
