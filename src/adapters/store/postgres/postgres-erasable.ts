/** Finding and erasing rows of the store on PostgreSQL, beside the processes that work on it. */
import type { ErasedRows } from '../../../domain/tenant/erasure-target.ts';
import type { KeptRow } from '../../../ports/erasure.ts';
import { ANONYMOUS, losesInstallation, NO_REPOSITORY, withoutNames } from '../kept-rows.ts';
import type {
  CallsOf,
  Changes,
  ErasableMemory,
  ErasableRows,
  ErasableStandups,
  StreamRows,
  WorkRow,
} from '../kept-rows.ts';
import { number, text, textOrNone, type Row } from '../row.ts';
import type { Database, Sql } from './database.ts';
import { erasablePostgresMemory } from './postgres-erasable-memory.ts';
import { erasablePostgresStandups } from './standups/postgres-erasable-standups.ts';
import type { Jobs } from './jobs/jobs.ts';

const WORK = ['events', 'effects'] as const;
/** Rows of one read. */
const PAGE = 500;

export interface ErasableParts {
  db: Database;
  schema: string;
  /** Absent in a store that is only read. */
  jobs?: Jobs;
}

export class PostgresErasable implements ErasableRows {
  readonly memory: ErasableMemory;
  readonly standups: ErasableStandups;
  readonly #parts: ErasableParts;

  constructor(parts: ErasableParts) {
    this.#parts = parts;
    this.memory = erasablePostgresMemory(parts);
    this.standups = erasablePostgresStandups(parts);
  }

  async keys(start: string): Promise<string[]> {
    const from = (table: string) =>
      `SELECT key FROM ${this.#parts.schema}.${table} WHERE starts_with(key, $1)`;
    const rows = await this.#parts.db.query(
      `${from('events')} UNION ${from('effects')} UNION ${from('states')}`,
      [start],
    );
    return rows.map((row) => text(row, 'key'));
  }

  async keysWith(texts: readonly string[]): Promise<string[]> {
    if (texts.length === 0) return [];
    const { db, schema } = this.#parts;
    const work = (table: string) =>
      `SELECT key FROM ${schema}.${table} WHERE ${has('data')} OR ${has("coalesce(reason, '')")}`;
    const rows = await db.query(
      `${work('events')} UNION ${work('effects')} UNION SELECT key FROM ${schema}.states WHERE ${has('value')}`,
      [texts.map((each) => each.toLowerCase())],
    );
    return rows.map((row) => text(row, 'key'));
  }

  async read(key: string): Promise<StreamRows> {
    const { db, schema } = this.#parts;
    const work: WorkRow[] = [];
    for (const table of WORK) {
      const rows = await db.query(
        `SELECT id, key, status, data, reason FROM ${schema}.${table} WHERE key = $1 AND data <> ''`,
        [key],
      );
      for (const row of rows)
        work.push({
          table,
          id: text(row, 'id'),
          key: text(row, 'key'),
          status: text(row, 'status'),
          data: text(row, 'data'),
          reason: textOrNone(row, 'reason') ?? null,
        });
    }
    const states = await db.query(
      `SELECT key, version, value FROM ${schema}.states WHERE key = $1`,
      [key],
    );
    return {
      work,
      states: states.map((row) => ({
        key: text(row, 'key'),
        version: number(row, 'version'),
        value: text(row, 'value'),
      })),
    };
  }

  async count(keys: readonly string[], calls: CallsOf): Promise<ErasedRows> {
    const { db, schema } = this.#parts;
    const of = async (table: string): Promise<number> => {
      if (keys.length === 0) return 0;
      const [row] = await db.query(
        `SELECT count(*) AS n FROM ${schema}.${table} WHERE key = ANY($1)`,
        [keys],
      );
      return row === undefined ? 0 : number(row, 'n');
    };
    return {
      events: await of('events'),
      effects: await of('effects'),
      states: await of('states'),
      ledger: (await this.#calls(db, calls)).length,
    };
  }

  async *rows(keys: readonly string[], calls: CallsOf): AsyncIterable<KeptRow> {
    for (const table of [...WORK, 'states'] as const)
      for (const key of keys) yield* this.#pages(table, key);
    for (const row of await this.#calls(this.#parts.db, calls)) yield { table: 'ledger', row };
  }

  async *#pages(table: (typeof WORK)[number] | 'states', key: string): AsyncIterable<KeptRow> {
    const order = table === 'states' ? 'key' : 'id';
    for (let from = 0; ; from += PAGE) {
      const rows = await this.#parts.db.query(
        `SELECT * FROM ${this.#parts.schema}.${table} WHERE key = $1 ORDER BY ${order} LIMIT ${PAGE} OFFSET $2`,
        [key, from],
      );
      for (const row of rows) yield { table, row };
      if (rows.length < PAGE) return;
    }
  }

  async #calls(sql: Sql, { repositories, installations }: CallsOf): Promise<Row[]> {
    if (repositories.length + installations.length === 0) return [];
    return sql.query(
      `SELECT * FROM ${this.#parts.schema}.ledger WHERE repository_id = ANY($1)
       OR (repository_id = ${NO_REPOSITORY} AND installation_id = ANY($2))`,
      [repositories, installations],
    );
  }

  write(changes: Changes): Promise<ErasedRows> {
    return this.#parts.db.transaction(async (tx) => {
      const written = await this.#delete(tx, changes);
      await this.#rewrite(tx, changes, written);
      written.ledger = await this.#anonymise(tx, changes.calls);
      return written;
    });
  }

  async #delete(tx: Sql, { streams, droppedStates }: Changes): Promise<ErasedRows> {
    const { schema, jobs } = this.#parts;
    const of = async (table: string, keys: readonly string[], also: string): Promise<number> => {
      if (keys.length === 0) return 0;
      const rows = await tx.query(
        `DELETE FROM ${schema}.${table} WHERE key = ANY($1) RETURNING key${also}`,
        [keys],
      );
      const places = rows.filter((row) => row['status'] === 'pending');
      await jobs?.removeAt(
        tx,
        places.map((row) => number(row, 'place')),
      );
      return rows.length;
    };
    return {
      events: await of('events', streams, ', place, status'),
      effects: await of('effects', streams, ', place, status'),
      states: await of('states', [...streams, ...droppedStates], ''),
      ledger: 0,
    };
  }

  async #rewrite(tx: Sql, changes: Changes, written: ErasedRows): Promise<void> {
    const { schema } = this.#parts;
    for (const { table, id } of changes.blanked) {
      const rows = await tx.query(
        `UPDATE ${schema}.${table} SET data = '', reason = NULL WHERE id = $1 AND status <> 'pending' RETURNING id`,
        [id],
      );
      written[table] += rows.length;
    }
    for (const { table, id, data, reason } of changes.rewritten) {
      const rows = await tx.query(
        `UPDATE ${schema}.${table} SET data = $2, reason = $3 WHERE id = $1 AND data <> '' RETURNING id`,
        [id, data, reason],
      );
      written[table] += rows.length;
    }
    for (const { key, version, value } of changes.states) {
      const rows = await tx.query(
        `UPDATE ${schema}.states SET version = version + 1, value = $3 WHERE key = $1 AND version = $2 RETURNING key`,
        [key, version, value],
      );
      written.states += rows.length;
    }
  }

  /** The amounts stay: what was spent in all is no text of anybody. */
  async #anonymise(tx: Sql, calls: CallsOf): Promise<number> {
    const rows = await this.#calls(tx, calls);
    const installation = losesInstallation(calls) ? 'NULL' : 'installation_id';
    for (const row of rows)
      await tx.query(
        `UPDATE ${this.#parts.schema}.ledger SET id = $2, repository_id = ${NO_REPOSITORY},
           installation_id = ${installation}, key = $3, run = $3, entry = $4 WHERE id = $1`,
        [
          text(row, 'id'),
          `${ANONYMOUS}:${crypto.randomUUID()}`,
          ANONYMOUS,
          withoutNames(text(row, 'entry'), calls),
        ],
      );
    return rows.length;
  }
}

/** Whether a column has one of the words of the first parameter. */
function has(column: string): string {
  return `EXISTS (SELECT 1 FROM unnest($1::text[]) AS word WHERE strpos(lower(${column}), word) > 0)`;
}
