/** The index of memory in the shared store keeps the contract on a real PostgreSQL, and lists entries by token. */
import { Pool } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../../src/adapters/store/postgres/database.ts';
import { PART_SIZE } from '../../../src/adapters/store/postgres/entries-by-token.ts';
import { openPool } from '../../../src/adapters/store/postgres/open-pool.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres.ts';
import { PostgresMemoryIndex } from '../../../src/adapters/store/postgres/postgres-memory-index.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/postgres-schema.ts';
import type { IndexedEntry } from '../../../src/ports/memory-index.ts';
import { memoryIndexContract } from '../../contract/memory-index.ts';
import {
  dropSchema,
  dumpSchemas,
  missingPostgresReason,
  newSchema,
  postgresUrl as url,
} from '../../contract/postgres-place.ts';
import { realClock as clock } from '../../contract/real-clock.ts';

const missing = await missingPostgresReason();

/** The last shape whose searches read a GIN index. */
const BEFORE_LISTS = 12;

interface Place {
  db: Database;
  schema: string;
  index: PostgresMemoryIndex;
}

async function placeAt(shape?: number): Promise<Place> {
  const schema = newSchema();
  const db = new Database(new Pool({ connectionString: url }));
  onTestFinished(async () => {
    await db.close();
    await dropSchema(schema);
  });
  await migratePostgres(db, schema, shape);
  return { db, schema, index: new PostgresMemoryIndex(db, schema) };
}

function entries(count: number, text: (at: number) => string): IndexedEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `e${at}`,
    persona: 'team',
    text: text(at),
    words: ['lease'],
    paths: [`src/${at % 7}/a.ts`],
  }));
}

const find = ({ index }: Place, head: string, term: string) =>
  index.find({
    repository: 7,
    head,
    persona: 'reviewer',
    paths: [],
    terms: [term],
    limit: 5_000,
  });

/** What is listed and is not in an entry, or the other way round. */
async function wronglyListed({ db, schema }: Place): Promise<unknown[]> {
  const listed = `SELECT token, part * ${PART_SIZE} + at AS ord FROM ${schema}.memory_tokens CROSS JOIN LATERAL unnest(ords) AS at`;
  const held = `SELECT token, ord FROM ${schema}.memory_entries CROSS JOIN LATERAL unnest(tsvector_to_array(tokens)) AS token`;
  return db.query(
    `(${listed} EXCEPT ALL ${held}) UNION ALL (${held} EXCEPT ALL ${listed})
     UNION ALL SELECT token, part FROM ${schema}.memory_tokens WHERE cardinality(ords) = 0`,
  );
}

/** How many wait for a lock of the entries. */
async function waitingFor({ db, schema }: Place): Promise<number> {
  const waiting = await db.query(
    'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = to_regclass($1)',
    [`${schema}.memory_entries`],
  );
  return waiting.length;
}

describe.skipIf(missing !== undefined)(
  `on PostgreSQL${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    memoryIndexContract(async () => {
      const schema = newSchema();
      return {
        open: () => openPostgresStore({ url, schema, clock }),
        remove: () => dropSchema(schema),
        dump: () => dumpSchemas([schema]),
      };
    });

    test('no statement is compiled by the server, which takes longer than it lasts', async () => {
      const pool = await openPool(url, {});
      onTestFinished(() => pool.end());
      const shown = await Promise.all([1, 2, 3].map(() => pool.query('SHOW jit')));
      expect(shown.map(({ rows }) => rows)).toEqual([1, 2, 3].map(() => [{ jit: 'off' }]));
    });

    test('the lists hold each entry once for each of its tokens, whatever was changed and removed', async () => {
      const place = await placeAt();
      const all = entries(2_500, (at) => `Renew number ${at % 50}`);
      await place.index.put(7, 'h1', all);
      expect(await wronglyListed(place)).toEqual([]);
      const some = all.filter((_, at) => at % 3 > 0);
      const changed = some.map((each, at) => (at % 5 > 0 ? each : { ...each, text: 'Drop it' }));
      await place.index.put(7, 'h2', changed);
      expect(await wronglyListed(place)).toEqual([]);
      await place.index.put(7, 'h3', []);
      expect(await place.db.query(`SELECT * FROM ${place.schema}.memory_tokens`)).toEqual([]);
    });

    test('entries in two parts are all found', async () => {
      const place = await placeAt();
      await place.db.query(
        `ALTER TABLE ${place.schema}.memory_entries ALTER COLUMN ord RESTART WITH ${PART_SIZE - 1_000}`,
      );
      await place.index.put(
        7,
        'h1',
        entries(4_500, (at) => (at % 1_500 === 0 ? 'Mind the wombat' : 'Mind it')),
      );
      const parts = await place.db.query(
        `SELECT DISTINCT part FROM ${place.schema}.memory_tokens ORDER BY part`,
      );
      expect(parts.map(({ part }) => Number(part))).toEqual([0, 1]);
      expect(await find(place, 'h1', 'wombat')).toEqual(['e0', 'e1500', 'e3000']);
      expect(await find(place, 'h1', 'lease')).toContain('e4499');
      expect(await wronglyListed(place)).toEqual([]);
    });

    test.each([
      ['one that is among them', 1_000, true],
      ['not one that is older', 100, false],
    ])('of a common term the newest entries are read, and %s', async (_, marked, isRead) => {
      const place = await placeAt();
      const isRare = (at: number): boolean => at >= 3_500 || at === marked;
      const all = entries(3_900, (at) => (isRare(at) ? 'Mind the wombat' : 'Mind it'));
      const withoutLease = all.map((each, at) => (at < 3_500 ? each : { ...each, words: [] }));
      await place.index.put(7, 'h1', withoutLease);
      // More entries share the rare term than are ranked: that of both is ranked only where its common one was read.
      const found = await find(place, 'h1', 'wombat lease');
      expect(found).toContain('e3899');
      expect(found?.includes(`e${marked}`)).toBe(isRead);
    });

    test('a list that lacks an entry leaves none of its words when all is erased', async () => {
      const place = await placeAt();
      await place.index.put(
        7,
        'h1',
        entries(3, () => 'Mind the wombat'),
      );
      await place.db.query(
        `UPDATE ${place.schema}.memory_tokens SET ords = ords[1:2] WHERE token LIKE '%wombat'`,
      );
      await place.index.put(7, 'h2', []);
      expect(await place.db.query(`SELECT * FROM ${place.schema}.memory_tokens`)).toEqual([]);
    });

    test('a list that lacks an entry that goes keeps the others', async () => {
      const place = await placeAt();
      const all = entries(4, () => 'Mind the wombat');
      await place.index.put(7, 'h1', all);
      await place.db.query(
        `UPDATE ${place.schema}.memory_tokens SET ords = ords[2:4] WHERE token LIKE '%wombat'`,
      );
      await place.index.put(7, 'h2', all.slice(0, 1));
      expect(await find(place, 'h2', 'wombat')).toEqual(['e0']);
      expect(await wronglyListed(place)).toEqual([]);
    });

    test('an upgrade lists what a process of the version before writes meanwhile', async () => {
      const place = await placeAt(BEFORE_LISTS);
      await place.index.put(
        7,
        'h1',
        entries(3, () => 'Mind the wombat'),
      );
      let upgrade: Promise<void> | undefined;
      await place.db.transaction(async (tx) => {
        await tx.query(
          `INSERT INTO ${place.schema}.memory_entries (repository, id, scope, digest, tokens, terms, candidate)
           SELECT repository, id || ' again', scope, digest, tokens, terms, candidate FROM ${place.schema}.memory_entries`,
        );
        upgrade = migratePostgres(place.db, place.schema);
        await expect.poll(() => waitingFor(place), { timeout: 10_000 }).toBeGreaterThan(0);
      });
      await upgrade;
      expect(await wronglyListed(place)).toEqual([]);
      expect(await place.db.query(`SELECT id FROM ${place.schema}.memory_entries`)).toHaveLength(6);
    });

    test('a process of the version before finds its index after the upgrade', async () => {
      const { db, schema } = await placeAt();
      const [index] = await db.query('SELECT to_regclass($1) AS name', [`${schema}.memory_search`]);
      expect(index?.['name']).not.toBeNull();
    });

    test('entries of an older shape are found after the upgrade, and lose their lists when they go', async () => {
      const place = await placeAt(BEFORE_LISTS);
      await place.index.put(
        7,
        'h1',
        entries(300, (at) => (at === 250 ? 'Mind the wombat' : 'Mind it')),
      );
      await migratePostgres(place.db, place.schema);
      expect(await find(place, 'h1', 'wombat')).toEqual(['e250']);
      expect(await wronglyListed(place)).toEqual([]);
      await place.index.put(7, 'h2', []);
      expect(await place.db.query(`SELECT * FROM ${place.schema}.memory_tokens`)).toEqual([]);
    });
  },
);
