/** The embedded store's files: one process at a time, nothing lost by kill -9, older shapes brought up to date. */
import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GroupCommit } from '../../../src/adapters/store/sqlite/group-commit.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { openSqliteReader } from '../../../src/adapters/store/sqlite/sqlite-reader.ts';
import { migrateSqlite, MIGRATIONS } from '../../../src/adapters/store/sqlite/sqlite-schema.ts';
import { SETTLES_PER_PRUNE } from '../../../src/adapters/store/retention.ts';
import type { Settlement } from '../../../src/ports/store.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { settlementOf } from '../../contract/store-child.ts';
import { startChild } from '../../contract/store-process.ts';
import { verifies } from '../../verifies.ts';
import { DONE, effect, idle, startLog, timer } from '../../contract/store-words.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'quorum-files-'));
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

test('a directory in use is refused, and the message names the process', async () => {
  const store = await openSqliteStore({ dir, clock });
  const refusal = {
    code: 'data-dir-locked',
    message: expect.stringContaining(`process ${process.pid} since`),
  };
  await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject(refusal);
  // The attempt drops no lock of this process: another one is still kept out.
  const lock = JSON.stringify(path.join(dir, 'lock.db'));
  const take = `new (require('node:sqlite').DatabaseSync)(${lock}).exec('BEGIN EXCLUSIVE')`;
  const other = spawnSync(process.execPath, ['--no-warnings', '-e', take], { encoding: 'utf8' });
  expect(other.stderr).toContain('database is locked');
  await store.close();
  await (await openSqliteStore({ dir, clock })).close();
});

/** Modes of what is in a directory, and of itself as `.`. */
async function modesIn(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder))].toSorted();
  const modes = names.map(async (name) => {
    const { mode } = await stat(path.join(folder, name));
    return [name, (mode & 0o777).toString(8)] as const;
  });
  return Object.fromEntries(await Promise.all(modes));
}

describe.each([0o000, 0o022, 0o077])('with umask %i', (mask) => {
  const CLOSED = {
    '.': '700',
    'lock.db': '600',
    'owner.json': '600',
    'quorum.db': '600',
    'quorum.db-shm': '600',
    'quorum.db-wal': '600',
  };
  let before: number;
  beforeEach(() => {
    before = process.umask(mask);
  });
  afterEach(() => process.umask(before));

  test('only the owner can read a new store and its directory', async () => {
    const data = path.join(dir, 'data');
    const store = await openSqliteStore({ dir: data, clock });
    await store.append([timer('a', 'k')]);
    expect(await modesIn(data)).toMatchObject(CLOSED);
    await store.close();
  });
});

test('a store that others could read is taken from them at the next start', async () => {
  const data = path.join(dir, 'data');
  await (await openSqliteStore({ dir: data, clock })).close();
  await chmod(data, 0o755);
  for (const name of await readdir(data)) await chmod(path.join(data, name), 0o644);
  const store = await openSqliteStore({ dir: data, clock });
  const modes = await modesIn(data);
  expect([modes['.'], modes['quorum.db'], modes['lock.db']]).toEqual(['700', '600', '600']);
  await store.close();
});

test('a backup that others could read is taken from them at the next start; a link is not followed', async () => {
  const data = path.join(dir, 'data');
  await (await openSqliteStore({ dir: data, clock })).close();
  const elsewhere = path.join(dir, 'elsewhere');
  for (const file of [
    path.join(data, 'quorum-backup.db'),
    path.join(data, 'quorum.db.old'),
    elsewhere,
  ]) {
    await writeFile(file, 'text of every tenant');
    await chmod(file, 0o644);
  }
  await symlink(elsewhere, path.join(data, 'quorum-link'));
  const store = await openSqliteStore({ dir: data, clock });
  const modes = await modesIn(data);
  expect([modes['quorum-backup.db'], modes['quorum.db.old']]).toEqual(['600', '600']);
  expect((await stat(elsewhere)).mode & 0o777).toBe(0o644);
  await store.close();
});

test('a directory that holds other files keeps its mode; the store in it is private', async () => {
  await mkdir(path.join(dir, 'photos'));
  await chmod(dir, 0o755);
  const store = await openSqliteStore({ dir, clock });
  expect(await modesIn(dir)).toMatchObject({ '.': '755', 'quorum.db': '600' });
  await store.close();
});

test('of many processes that want a dead one’s directory at once, one gets it', async () => {
  const place = { dir };
  const idleOrder = { place, appends: false, concurrency: 1, effectMs: 0 };
  const dead = await startChild({ ...idleOrder, name: 'dead' });
  await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject({ code: 'data-dir-locked' });
  await dead.kill();
  const takers = await Promise.allSettled(
    Array.from({ length: 8 }, () => openSqliteStore({ dir, clock })),
  );
  const won = takers.filter((taker) => taker.status === 'fulfilled');
  expect(won).toHaveLength(1);
  await won[0]?.value.close();
});

verifies(
  'P2',
  'what waited while it was closed may have been begun: a power cut hides it',
  async () => {
    const store = await openSqliteStore({ dir, clock });
    await store.append([timer('a', 'k')]);
    const lane = { lane: 'l' };
    const log = await startLog(store, (work) => {
      if (work.kind === 'effect') return new Promise<undefined>(() => undefined);
      return { ...DONE, effects: [effect('in-hand', lane), effect('waiting', lane)] } as Settlement;
    });
    await waitUntil(() => log.given.length === 2);
    await store.close();
    const again = await openSqliteStore({ dir, clock });
    const after = await startLog(again);
    await idle(again);
    expect(after.given).toMatchObject([{ isFirst: false }, { id: 'waiting', isFirst: false }]);
    await again.close();
  },
);

verifies(
  'P1',
  'in ten kills at random moments nothing that was acknowledged is lost, and order holds',
  async () => {
    const acked: string[] = [];
    const settled: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const child = await startChild({
        place: { dir },
        name: `r${round}`,
        appends: true,
        concurrency: 4,
        effectMs: 1,
      });
      await waitUntil(() => child.ids('acked').length > 10);
      await clock.sleep(Math.random() * 150);
      await child.kill();
      acked.push(...child.ids('acked'));
      settled.push(...child.ids('settled'));
    }
    const store = await openSqliteStore({ dir, clock });
    await startLog(store, (work) => settlementOf(store, work), 8);
    await idle(store);
    const events = await store.records.events({ limit: 1_000_000 });
    const effects = await store.records.effects({ limit: 1_000_000 });
    expect(acked.length).toBeGreaterThan(100);
    const done = new Set(
      [...events, ...effects].filter(({ status }) => status === 'done').map(({ id }) => id),
    );
    expect(done.size).toBe(events.length + effects.length);
    expect(acked.filter((id) => !done.has(id))).toEqual([]);
    expect(effects).toHaveLength(events.length * 2);
    expect(new Set(settled).size).toBe(settled.length);
    for (const key of ['k0', 'k1', 'k2', 'k3', 'k4']) {
      const log = events.filter((event) => event.key === key).map(({ id }) => id);
      expect(log.toSorted(inOrder)).toEqual(log);
      expect(await store.load(key)).toEqual({ version: log.length, state: { last: log.at(-1) } });
    }
    await store.close();
  },
);

/** By round and number, as the children appended them. */
function inOrder(a: string, b: string): number {
  const [roundA = 0, countA = 0] = a.slice(1).split('-').map(Number);
  const [roundB = 0, countB = 0] = b.slice(1).split('-').map(Number);
  return roundA - roundB || countA - countB;
}

test('a filled store of an older shape is brought up to date, once', async () => {
  const file = path.join(dir, 'quorum.db');
  const old = new DatabaseSync(file);
  migrateSqlite(old, 1, 1);
  const insert = old.prepare(
    `INSERT INTO events (id, key, version, at, data, status, run_at, place, seq, settled_at)
     VALUES (?, 'k', 1, 'then', '{"kind":"timer","timer":"t","run":"r"}', ?, 1, ?, ?, ?)`,
  );
  insert.run('old', 'done', null, 41, 5);
  insert.run('waiting', 'pending', 7, null, null);
  old.exec(`INSERT INTO states VALUES ('k', 3, '{"n":1}')`);
  old.exec(
    `INSERT INTO ledger VALUES ('c', '2026-01-01T00:00:00.000Z', 7, 'k', 'r', 0.5, '{}', 1)`,
  );
  old.close();
  for (let opening = 0; opening < 2; opening += 1) {
    const store = await openSqliteStore({ dir, clock });
    expect(await store.load('k')).toEqual({ version: 3, state: { n: 1 } });
    await startLog(store);
    await idle(store);
    expect((await store.records.counts()).events).toMatchObject({ done: 2, pending: 0 });
    const day = { since: '2026-01-01T00:00:00Z' };
    expect(await store.records.spent({ repositoryId: 7, ...day })).toMatchObject({ usd: 0.5 });
    expect(await store.records.topSpenders({ by: 'installation', limit: 9, ...day })).toEqual([]);
    const events = await store.records.events({ limit: 9 });
    expect(events.map(({ id, seq }) => [id, seq])).toEqual([
      ['old', 41],
      ['waiting', 42],
    ]);
    await store.close();
  }
  const db = new DatabaseSync(file);
  expect(db.prepare('SELECT version FROM migrations').all()).toHaveLength(MIGRATIONS.length);
  db.close();
});

test('a store of a newer shape is left alone', async () => {
  await (await openSqliteStore({ dir, clock })).close();
  const db = new DatabaseSync(path.join(dir, 'quorum.db'));
  db.exec('INSERT INTO migrations VALUES (999, 1)');
  db.close();
  await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject({ code: 'store-newer' });
});

test('the store reports the upkeep that failed, and does it once it can', async () => {
  const told: string[] = [];
  const onTrouble = (_error: unknown, doing: string): void => void told.push(doing);
  const store = await openSqliteStore({ dir, clock, onTrouble });
  const meddler = new DatabaseSync(path.join(dir, 'quorum.db'), { timeout: 5000 });
  meddler.exec(`
    CREATE TRIGGER a BEFORE UPDATE OF attempts ON events BEGIN SELECT raise(ABORT, 'no'); END;
    CREATE TRIGGER b BEFORE INSERT ON counters BEGIN SELECT raise(ABORT, 'no'); END`);
  const events = Array.from({ length: SETTLES_PER_PRUNE }, (_, n) => timer(`e${n}`, `k${n}`));
  await store.append(events);
  const log = await startLog(store);
  await waitUntil(() => told.length > 0);
  expect([...new Set(told)]).toEqual(['give out work']);
  expect(log.given).toEqual([]);
  meddler.exec('DROP TRIGGER a');
  await idle(store);
  await waitUntil(() => told.includes('forget what is old'));
  meddler.exec('DROP TRIGGER b');
  meddler.close();
  const before = told.length;
  await store.close();
  expect(told).toHaveLength(before);
});

test('who only reads sees the moment of its opening, beside the process that writes', async () => {
  const store = await openSqliteStore({ dir, clock });
  await store.append([timer('a', 'k')]);
  const reader = await openSqliteReader({ dir });
  await store.append([timer('b', 'k')]);
  expect(await reader.records.events({ limit: 9 })).toMatchObject([{ id: 'a' }]);
  expect(await reader.load('k')).toBeUndefined();
  await reader.close();
  await store.append([timer('c', 'k')]);
  expect(await store.records.events({ limit: 9 })).toHaveLength(3);
  await store.close();
});

test('who only reads makes no store, and does not bring an older one up to date', async () => {
  await expect(openSqliteReader({ dir })).rejects.toMatchObject({ code: 'store-missing' });
  expect(await readdir(dir)).toEqual([]);
  const db = new DatabaseSync(path.join(dir, 'quorum.db'));
  migrateSqlite(db, 0, 1);
  await expect(openSqliteReader({ dir })).rejects.toMatchObject({ code: 'store-older' });
  migrateSqlite(db, 0);
  db.exec('INSERT INTO migrations VALUES (999, 1)');
  await expect(openSqliteReader({ dir })).rejects.toMatchObject({ code: 'store-newer' });
  db.close();
});

test('distinguishes a damaged file from a busy one', async () => {
  await writeFile(
    path.join(dir, 'quorum.db'),
    'not a database, but long enough to be read as one'.repeat(99),
  );
  await expect(openSqliteStore({ dir, clock })).rejects.toMatchObject({ code: 'store-corrupt' });
  await expect(openSqliteReader({ dir })).rejects.toMatchObject({ code: 'store-corrupt' });
  expect(await readFile(path.join(dir, 'quorum.db'), 'utf8')).toContain('not a database');
});

verifies(
  'DUR-05: full disk',
  'a full disk is `store-down`, keeps nothing of the write, and passes',
  async () => {
    const db = new DatabaseSync(path.join(dir, 'full.db'));
    db.exec('CREATE TABLE t (v TEXT)');
    const commits = new GroupCommit(db);
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    const count = db.prepare('SELECT count(*) AS n FROM t');
    db.exec('PRAGMA max_page_count = 4');
    const writes = ['x', 'y'.repeat(100_000)].map((value) =>
      commits.submit({ run: () => insert.run(value) }),
    );
    const down = { status: 'rejected', reason: { code: 'store-down' } };
    expect(await Promise.allSettled(writes)).toMatchObject([down, down]);
    expect(count.get()).toEqual({ n: 0 });
    db.exec('PRAGMA max_page_count = 4000');
    await commits.submit({ run: () => insert.run('x') });
    expect(count.get()).toEqual({ n: 1 });
    commits.close();
    db.close();
  },
);

test('one write that fails leaves those beside it standing', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (v TEXT)');
  const commits = new GroupCommit(db);
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const write = (value: string) =>
    commits.submit({
      run: () => {
        insert.run(value);
        if (value === 'bad') throw new Error('refused');
      },
    });
  const results = await Promise.allSettled([write('a'), write('bad'), write('b')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(db.prepare('SELECT v FROM t').all()).toEqual([{ v: 'a' }, { v: 'b' }]);
  commits.close();
  db.close();
});

test('a store in memory needs no directory and keeps nothing', async () => {
  const store = await openSqliteStore({ memory: true, clock });
  await store.append([timer('a', 'k')]);
  const log = await startLog(store, () => DONE);
  await idle(store);
  expect(log.ids()).toEqual(['a']);
  await store.close();
  const next = await openSqliteStore({ memory: true, clock });
  expect(await next.records.events({ limit: 9 })).toEqual([]);
  await next.close();
});
