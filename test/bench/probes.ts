/** What a probe of a running process costs: `/readyz` and `/metrics` with 1,000 and with 1,000,000 events in the store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'pg';
import { createReadiness } from '../../src/adapters/http/readiness.ts';
import { NO_HOST_CAPS } from '../../src/domain/config/host-caps.ts';
import { createMetrics } from '../../src/adapters/http/metrics.ts';
import { Database } from '../../src/adapters/store/postgres/database.ts';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres.ts';
import { migratePostgres } from '../../src/adapters/store/postgres/postgres-schema.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { realClock } from '../contract/real-clock.ts';
import type { Store } from '../../src/ports/store.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';

const SIZES = [1_000, 1_000_000];
const PROBES = 50;
/** Of a probe, at any size (docs/operations.md). */
const REACH_MS = 2;

export const probes: Section = {
  name: 'probes',
  title: 'Probes of health and metrics',
  method:
    'CPU of this process and the median time until the answer, for 50 looks at readiness and 50 renderings of the metrics each, with as many settled events in the store.',
  run: async () => {
    const loadOf = watchForeignLoad([]);
    const stores = [{ name: 'SQLite', open: openFilledSqlite }];
    const url = process.env['DATABASE_URL'];
    if (url !== undefined)
      stores.push({ name: 'PostgreSQL', open: (events) => openFilledPostgres(url, events) });
    const rows: Omit<Row, 'load'>[] = [];
    for (const { name, open } of stores)
      for (const events of SIZES) {
        const filled = await open(events);
        rows.push(...(await measure(filled.store, `${name}, ${events.toLocaleString('en')}`)));
        await filled.remove();
      }
    const load = describeLoad(loadOf());
    return rows.map((row) => ({ ...row, load }));
  },
};

interface Filled {
  store: Store;
  remove: () => Promise<void>;
}

async function openFilledSqlite(events: number): Promise<Filled> {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-probes-'));
  await (await openSqliteStore({ dir, clock: realClock })).close();
  const db = new DatabaseSync(path.join(dir, 'quorum.db'));
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${events})
    INSERT INTO events (id, key, version, at, data, status, run_at, seq, settled_at)
    SELECT 'e' || i, 'k' || (i % 1000), 1, '', '{}', 'done', 1, i, 9e15 FROM n`);
  db.close();
  const store = await openSqliteStore({ dir, clock: realClock });
  const remove = async (): Promise<void> => {
    await store.close();
    await rm(dir, { recursive: true });
  };
  return { store, remove };
}

/** Filled before the totals are kept, as a bulk insert afterwards would leave a row of them for each event. */
async function openFilledPostgres(url: string, events: number): Promise<Filled> {
  const schema = 'quorum_probes';
  const pool = new Pool({ connectionString: url, max: 1 });
  const drop = async (): Promise<void> => {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await pool.query(`DROP SCHEMA IF EXISTS ${schema}_boss CASCADE`);
  };
  await drop();
  await migratePostgres(new Database(pool), schema, 3);
  await pool.query(`INSERT INTO ${schema}.events
    (id, key, version, at, data, status, run_at, is_timer, seq, settled_at)
    SELECT 'e' || i, 'k' || (i % 1000), 1, '', '{}', 'done', 1, false, i, 9e15 FROM generate_series(1, ${events}) AS i`);
  const store = await openPostgresStore({ url, schema, clock: realClock });
  const remove = async (): Promise<void> => {
    await store.close();
    await drop();
    await pool.end();
  };
  return { store, remove };
}

async function measure(store: Store, what: string): Promise<Omit<Row, 'load'>[]> {
  let now = 0;
  const clock = { ...realClock, now: () => (now += 10_000) };
  const readiness = createReadiness({
    records: store.records,
    clock,
    isGitHubKnown: () => true,
    isConfigured: () => true,
    isOpen: () => true,
    maxLagMs: 60_000,
  });
  const { records } = store;
  const metrics = createMetrics({
    records,
    clock,
    hostCaps: NO_HOST_CAPS,
    githubCalls: () => ({}),
  });
  return [
    await time(`${what} events, /readyz`, readiness),
    await time(`${what} events, /metrics`, () => metrics.render()),
  ];
}

async function time(what: string, probe: () => Promise<unknown>): Promise<Omit<Row, 'load'>> {
  for (let warm = 0; warm < 10; warm += 1) await probe();
  const walls: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < PROBES; n += 1) {
    const startedAt = performance.now();
    await probe();
    walls.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000 / PROBES;
  return {
    what,
    reach: `<= ${REACH_MS} ms of CPU`,
    measured: `${cpuMs.toFixed(2)} ms of CPU, ${median(walls).toFixed(1)} ms until answered`,
    isReached: cpuMs <= REACH_MS,
  };
}
