/** Several processes on one PostgreSQL: they share the work, survive each other's deaths, and keep every order. */
import { createServer, type AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../src/adapters/store/postgres/database.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { openPostgresReader } from '../../../src/adapters/store/postgres/postgres-reader.ts';
import {
  migratePostgres,
  MIGRATIONS,
} from '../../../src/adapters/store/postgres/postgres-schema.ts';
import { SETTLES_PER_PRUNE } from '../../../src/adapters/store/retention.ts';
import type { Store } from '../../../src/ports/store.ts';
import {
  dropSchema,
  newSchema,
  onPostgres,
  postgresUrl as url,
  missingPostgresReason,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';
import { startChild, type Child } from '../../contract/store-process.ts';
import { verifies } from '../../verifies.ts';
import { DONE, effect, idle, startLog, timer } from '../../contract/store-words.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const missing = await missingPostgresReason();
describe.skipIf(missing !== undefined)(
  `processes on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let schema: string;
    const children: Child[] = [];
    const stores: Store[] = [];

    beforeEach(() => {
      schema = newSchema();
    });

    afterEach(async () => {
      for (const child of children.splice(0)) await child.kill();
      for (const store of stores.splice(0)) await store.close();
      await dropSchema(schema);
    });

    async function open(): Promise<Store> {
      const store = await openPostgresStore({ url, schema, clock });
      stores.push(store);
      return store;
    }

    async function start(
      name: string,
      more: { poison?: string; effectMs?: number } = {},
    ): Promise<Child> {
      const order = { name, appends: false, concurrency: 8, effectMs: 3, place: { url, schema } };
      const child = await startChild({ ...order, ...more });
      children.push(child);
      return child;
    }

    verifies(
      'P1',
      'two workers do 2,000 effects once each, though one is killed in the middle',
      async () => {
        const store = await open();
        const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
        const events = Array.from({ length: 1000 }, (_, n) => timer(`e${n}`, keys[n % 20] ?? ''));
        await store.append(events);
        const [one, two] = await Promise.all([start('one'), start('two')]);
        await waitUntil(() => one.ids('settled').length + two.ids('settled').length > 1200);
        await one.kill();
        await idle(store);

        const effects = await store.records.effects({ limit: 5000 });
        expect(effects).toHaveLength(2000);
        expect(effects.filter(({ status }) => status !== 'done')).toEqual([]);
        const log = await store.records.events({ limit: 5000 });
        expect(log.filter(({ status }) => status !== 'done')).toEqual([]);

        // Both took part, and each piece of work was settled by one of them, once.
        await waitUntil(() => two.ids('settled').length === two.ids('began').length);
        const settled = [...one.ids('settled'), ...two.ids('settled')];
        expect(new Set(settled).size).toBe(settled.length);
        expect(one.ids('settled').length).toBeGreaterThan(100);
        expect(two.ids('settled').length).toBeGreaterThan(100);

        // What began twice was in the dead worker's hands: at most its eight.
        const unfinished = one.ids('began').filter((id) => !one.ids('settled').includes(id));
        const again = two.ids('began').filter((id) => one.ids('began').includes(id));
        expect(unfinished.length).toBeLessThanOrEqual(8);
        expect(again.filter((id) => !unfinished.includes(id))).toEqual([]);
        const attempts = [...effects, ...log].reduce((sum, row) => sum + row.attempts, 0);
        expect(attempts - 3000).toBeLessThanOrEqual(8);
        expect(attempts - 3000).toBeGreaterThanOrEqual(again.length);

        // Order: each stream's events, and each lane's effects, as they were appended.
        for (const key of keys) {
          const order = events.filter((event) => event.key === key).map(({ id }) => id);
          expect(log.filter((event) => event.key === key).map(({ id }) => id)).toEqual(order);
          expect(await store.load(key)).toEqual({ version: 50, state: { last: order.at(-1) } });
          const lane = effects.filter((row) => row.lane === key);
          expect(lane.map(({ id }) => id)).toEqual(order.map((id) => `l-${id}`));
          const times = lane.map(({ settledAt }) => settledAt ?? '');
          expect(times).toEqual(times.toSorted());
        }
        const left = await onPostgres(`SELECT count(*)::int AS n FROM ${schema}_boss.job`);
        expect(left).toEqual([{ n: 0 }]);
      },
    );

    test('what a worker dies of is given out again, before the rest of its lane', async () => {
      const store = await open();
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const child = await start('one', { poison: 'a' });
      await child.ended();
      expect(child.ids('began')).toEqual([]);
      const log = await startLog(store);
      await idle(store);
      expect(log.given.map(({ id, attempt }) => `${id}${attempt}`)).toEqual(['a1', 'b1']);
    });

    test('a claim that another worker took over is refused at settling, and its retry too', async () => {
      const store = await open();
      await store.append([timer('a', 'k'), timer('b', 'k')]);
      const outcomes: unknown[] = [];
      const log = await startLog(store, async (work) => {
        if (log.given.length > 1) return DONE;
        // As if the heartbeat had run out and pg-boss had given the job to somebody else.
        await onPostgres(`UPDATE ${schema}.events SET token = 'another' WHERE id = 'a'`);
        const retry = { kind: 'retry', delayMs: 0, reason: 'x', countsAsAttempt: true } as const;
        for (const settlement of [DONE, retry])
          await store.settle(work, settlement).catch((error: unknown) => outcomes.push(error));
        return undefined;
      });
      await idle(store);
      expect(outcomes).toMatchObject([{ code: 'work-lost' }, { code: 'work-lost' }]);
      expect(log.ids()).toEqual(['a', 'a', 'b']);
    });

    test('waiting rows whose jobs were lost are sent again by the next opening', async () => {
      const first = await open();
      await first.append([timer('a', 'k'), timer('b', 'k'), timer('t', 'k', { delayMs: 200 })]);
      await onPostgres(`DELETE FROM ${schema}_boss.job`);
      const store = await open();
      const log = await startLog(store);
      await idle(store);
      expect(log.ids()).toEqual(['a', 'b', 't']);
    });

    test('work appended by one process wakes another', async () => {
      const [store, other] = [await open(), await open()];
      const log = await startLog(other, (work) =>
        work.kind === 'effect' ? DONE : { kind: 'finish', status: 'done', effects: [effect('f')] },
      );
      await clock.sleep(500);
      await store.append([timer('a', 'k')]);
      await idle(store);
      expect(log.ids()).toEqual(['a', 'f']);
    });

    test('many processes that open a new database at once do not collide', async () => {
      const opened = await Promise.all(Array.from({ length: 5 }, () => open()));
      const results = await Promise.all(opened.map((store) => store.append([timer('a', 'k')])));
      expect(results.flat().toSorted()).toEqual([
        'duplicate',
        'duplicate',
        'duplicate',
        'duplicate',
        'queued',
      ]);
      expect(await onPostgres(`SELECT count(*)::int AS n FROM ${schema}.migrations`)).toEqual([
        { n: MIGRATIONS.length },
      ]);
    });

    test('a filled database of an older shape is brought up to date', async () => {
      const db = new Database(new Pool({ connectionString: url }));
      await migratePostgres(db, schema, 1);
      await db.query(
        `INSERT INTO ${schema}.events (id, key, version, at, data, status, run_at, is_timer, seq, settled_at)
       VALUES ('old', 'k', 1, 'then', '{"kind":"timer","timer":"t","run":"r"}', 'done', 1, false, nextval('${schema}.log'), 5),
              ('waiting', 'k', 1, 'then', '{"kind":"timer","timer":"t","run":"r"}', 'pending', 1, false, NULL, NULL)`,
      );
      await db.query(`INSERT INTO ${schema}.states VALUES ('k', 3, '{"n":1}')`);
      await db.query(
        `INSERT INTO ${schema}.ledger VALUES ('c', '2026-01-01T00:00:00.000Z', 7, 'k', 'r', 0.5, '{}', true)`,
      );
      await db.close();
      const store = await open();
      const day = { since: '2026-01-01T00:00:00Z' };
      expect(await store.records.spent({ repositoryId: 7, ...day })).toMatchObject({ usd: 0.5 });
      expect(await store.records.topSpenders({ by: 'installation', limit: 9, ...day })).toEqual([]);
      expect(await store.load('k')).toEqual({ version: 3, state: { n: 1 } });
      await startLog(store);
      await idle(store);
      expect((await store.records.counts()).events).toMatchObject({ done: 2, pending: 0 });
      expect((await store.records.events({ limit: 9 })).map(({ id, seq }) => [id, seq])).toEqual([
        ['old', 1],
        ['waiting', 2],
      ]);
      await onPostgres(`INSERT INTO ${schema}.migrations VALUES (999, 1)`);
      await expect(open()).rejects.toMatchObject({ code: 'store-newer' });
    });

    test('the store reports the upkeep that failed, and does it once it can', async () => {
      const told: string[] = [];
      const onTrouble = (_error: unknown, doing: string): void => void told.push(doing);
      const store = await openPostgresStore({ url, schema, clock, retentionMs: 0, onTrouble });
      stores.push(store);
      const events = Array.from({ length: SETTLES_PER_PRUNE }, (_, n) => timer(`e${n}`, `k${n}`));
      await store.append(events);
      await onPostgres(`CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
      const refuse = (what: string): Promise<unknown> =>
        onPostgres(
          `CREATE TRIGGER a BEFORE UPDATE${what} FOR EACH ROW EXECUTE FUNCTION ${schema}.refuse()`,
        );
      await refuse(` ON ${schema}_boss.job`);
      await refuse(` OF data ON ${schema}.events`);
      const log = await startLog(store);
      await waitUntil(() => told.includes('give out work'));
      expect(log.given).toEqual([]);
      await onPostgres(`DROP TRIGGER a ON ${schema}_boss.job`);
      await idle(store);
      await waitUntil(() => told.includes('forget what is old'));
    });

    test('who only reads sees the moment of its opening, and makes no store', async () => {
      const reading = { url, schema };
      await expect(openPostgresReader(reading)).rejects.toMatchObject({ code: 'store-missing' });
      const elsewhere = new URL(url);
      elsewhere.pathname = '/quorum_of_nobody';
      await expect(openPostgresReader({ url: elsewhere.href })).rejects.toMatchObject({
        code: 'store-missing',
      });
      const store = await open();
      await store.append([timer('a', 'k')]);
      const reader = await openPostgresReader(reading);
      await store.append([timer('b', 'k')]);
      expect(await reader.records.events({ limit: 9 })).toMatchObject([{ id: 'a' }]);
      expect(await reader.load('k')).toBeUndefined();
      await reader.close();
    });

    verifies(
      'DUR-05: connections cut',
      'work goes on after the server has cut every connection',
      async () => {
        const store = await open();
        await store.append([timer('a', 'k')]);
        const cut = async () => {
          await onPostgres(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid()`,
            [`%${schema}%`],
          );
        };
        const log = await startLog(store, async (work) => {
          if (work.attempt === 1) await cut();
          return DONE;
        });
        await cut();
        await waitUntil(() =>
          store.records.counts().then(
            ({ events }) => events.done === 1,
            () => false,
          ),
        );
        expect(log.ids()).toContain('a');
        expect(await store.records.events({ limit: 9 })).toMatchObject([
          { id: 'a', status: 'done' },
        ]);
      },
    );
  },
);

test('a port where nobody listens is store-down', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  const nowhere = `postgres://root@127.0.0.1:${address.port}/test`;
  await expect(openPostgresStore({ url: nowhere, clock })).rejects.toMatchObject({
    code: 'store-down',
    retryable: true,
  });
});

test('a schema name that is not plain is refused', async () => {
  await expect(openPostgresStore({ url, schema: 'a"; drop', clock })).rejects.toMatchObject({
    code: 'store-schema',
  });
});
