/** The embedded store, only to be looked at: beside the process that has it, without its lock. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StoreReader } from '../../../ports/store.ts';
import { StoreKeptData } from '../store-kept-data.ts';
import { requireShape, storeMissing } from '../failures.ts';
import { databaseFile, requireContent, wasUsedBefore } from './files/data-directory.ts';
import { SqliteErasable } from './sqlite-erasable.ts';
import { toOpenError } from './open-sqlite.ts';
import { SqliteLog } from './sqlite-records.ts';
import { MIGRATIONS, sqliteShapeOf } from './sqlite-schema.ts';
import { Sql } from './sql.ts';
import { Tables } from './sqlite-tables.ts';
import { SqliteStandups } from './standups/sqlite-standups.ts';

/**
 * Opens what is there as it is at this moment; what is written meanwhile is not seen.
 * ConfigError `store-missing`, `store-empty`, `store-older`, `store-newer` or `store-corrupt`; TransientError `store-down`.
 */
export async function openSqliteReader({ dir }: { dir: string }): Promise<StoreReader> {
  const file = databaseFile(dir);
  requireContent(dir, wasUsedBefore(dir));
  if (!existsSync(file)) throw storeMissing(dir, 'QUORUM_DATA');
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    db.exec('BEGIN');
    requireShape(sqliteShapeOf(db), MIGRATIONS.length);
  } catch (error) {
    db?.close();
    throw toOpenError(error);
  }
  const opened = db;
  const sql = new Sql(opened);
  const tables = new Tables(sql);
  return {
    records: new SqliteLog(sql),
    erasure: new StoreKeptData(new SqliteErasable({ sql })),
    standups: new SqliteStandups({ sql }),
    load: async (key) => tables.load(key),
    close: async () => opened.close(),
  };
}
