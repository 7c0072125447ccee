/** The shared store, only to be looked at: nothing is made or changed in a database that may be the wrong one. */
import type { StoreReader } from '../../../ports/store.ts';
import { StoreKeptData } from '../store-kept-data.ts';
import { requireShape, storeMissing } from '../failures.ts';
import { requireAddress, toOpenFailure } from './database-address.ts';
import { Database, sqlState } from './database.ts';
import { PostgresErasable } from './postgres-erasable.ts';
import { loadSnapshot } from './load.ts';
import { openPool } from './open-pool.ts';
import { PostgresRecords } from './postgres-records.ts';
import { MIGRATIONS, postgresShapeOf } from './postgres-schema.ts';
import { PostgresStandups } from './standups/postgres-standups.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: invalid_catalog_name, undefined_table. */
const NOT_THERE = new Set(['3D000', '42P01']);

/**
 * ConfigError `store-missing`, `store-older`, `store-newer`, `database-url-invalid` or `database-refused`;
 * TransientError `store-down`.
 */
export async function openPostgresReader({
  url,
  schema = 'quorum',
}: {
  url: string;
  schema?: string;
}): Promise<StoreReader> {
  const address = requireAddress(url);
  const db = new Database(await openPool(url, { connections: 1 }));
  try {
    // On the only connection: everything is read as it is at this moment.
    await db.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    requireShape(await postgresShapeOf(db, schema), MIGRATIONS.length);
  } catch (error) {
    await db.close();
    if (!NOT_THERE.has(sqlState(error))) throw toOpenFailure(error, address);
    throw storeMissing(`${address.host}${address.pathname} (PostgreSQL)`, 'DATABASE_URL');
  }
  return {
    records: new PostgresRecords(db, schema),
    erasure: new StoreKeptData(new PostgresErasable({ db, schema })),
    standups: new PostgresStandups(db, schema),
    load: (key) => loadSnapshot(db, schema, key),
    close: () => db.close(),
  };
}
