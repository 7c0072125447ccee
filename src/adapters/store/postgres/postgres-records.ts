/** Reading the store on PostgreSQL: the log, the effects, the counts, and the ledger. */
import type { LedgerEntry } from '../../../domain/run/ledger.ts';
import type {
  RecordFilter,
  Records,
  SpendFilter,
  SpendLimit,
  Spender,
  SpenderFilter,
  StoreCounts,
  StoredEffect,
  StoredEvent,
} from '../../../ports/store.ts';
import { number, type Row } from '../row.ts';
import {
  LEDGER_COLUMNS,
  isPassed,
  ledgerColumns,
  toCounts,
  toLedgerEntry,
  toSpender,
  toSpent,
  toSpentInAll,
  toStoredEffect,
  toStoredEvent,
  toUtc,
} from '../rows.ts';
import type { Database, Sql } from './database.ts';
import { NOW_MS } from './postgres-schema.ts';

interface Where {
  text: string;
  values: unknown[];
}

export class PostgresRecords implements Records {
  readonly #db: Database;
  readonly #schema: string;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  async events(filter: RecordFilter): Promise<StoredEvent[]> {
    const settled = await this.#events(filter, 'seq IS NOT NULL', 'seq');
    const waiting = await this.#events(filter, 'seq IS NULL', 'place');
    const all = filter.newestFirst === true ? [...waiting, ...settled] : [...settled, ...waiting];
    return all.slice(0, filter.limit).map(toStoredEvent);
  }

  /** Two reads, as each part has an index for its own order. */
  #events(filter: RecordFilter, part: string, order: string): Promise<Row[]> {
    const where = toWhere(filter);
    const direction = filter.newestFirst === true ? 'DESC' : 'ASC';
    return this.#db.query(
      `SELECT * FROM ${this.#schema}.events WHERE ${part} AND data <> ''${where.text}
       ORDER BY ${order} ${direction} LIMIT $${where.values.length + 1}`,
      [...where.values, filter.limit],
    );
  }

  async effects(filter: RecordFilter): Promise<StoredEffect[]> {
    const where = toWhere(filter);
    const direction = filter.newestFirst === true ? 'DESC' : 'ASC';
    const rows = await this.#db.query(
      `SELECT * FROM ${this.#schema}.effects WHERE data <> ''${where.text}
       ORDER BY place ${direction} LIMIT $${where.values.length + 1}`,
      [...where.values, filter.limit],
    );
    return rows.map(toStoredEffect);
  }

  async counts(): Promise<StoreCounts> {
    const oldest = (table: string) =>
      `(SELECT min(run_at) FROM ${this.#schema}.${table} WHERE status = 'pending' AND token IS NULL AND run_at <= ${NOW_MS})`;
    const [lag] = await this.#db.query(
      `SELECT greatest(0, coalesce(${NOW_MS} - least(${oldest('events')}, ${oldest('effects')}), 0)) AS lag`,
    );
    return toCounts(await this.#totals(), number(lag ?? {}, 'lag'));
  }

  #totals(): Promise<Row[]> {
    return this.#db.query(
      `SELECT of, name, sum(value) AS value FROM ${this.#schema}.totals GROUP BY of, name`,
    );
  }

  async reserve(entry: LedgerEntry, limits: readonly SpendLimit[] = []): Promise<number[]> {
    return this.#db.transaction(async (tx) => {
      // The next one reads what this one kept: without the lock, two of them would not see each other's.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `ledger ${this.#schema}`,
      ]);
      await this.#dropReservation(tx, entry.id);
      await this.#insert(tx, entry, false);
      const sums: number[] = [];
      for (const { filter } of limits)
        sums.push((await this.#sumLedger(tx, toSpendConditions(filter))).usd);
      if (isPassed(limits, sums)) await this.#dropReservation(tx, entry.id);
      return sums;
    });
  }

  async settleCall(reservationId: string, entries: LedgerEntry[]): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await this.#dropReservation(tx, reservationId);
      for (const entry of entries) await this.#insert(tx, entry, true);
    });
  }

  async #dropReservation(sql: Sql, id: string): Promise<void> {
    await sql.query(`DELETE FROM ${this.#schema}.ledger WHERE id = $1 AND NOT is_settled`, [id]);
  }

  async #insert(sql: Sql, entry: LedgerEntry, isSettled: boolean): Promise<void> {
    await sql.query(
      `INSERT INTO ${this.#schema}.ledger (${LEDGER_COLUMNS}, is_settled)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
      [...ledgerColumns(entry), isSettled],
    );
  }

  async spent(filter: SpendFilter): Promise<{ usd: number; unknownCalls: number; calls: number }> {
    const where = toSpendConditions(filter);
    if (where.text === '') return toSpentInAll(await this.#totals());
    return this.#sumLedger(this.#db, where);
  }

  async #sumLedger(sql: Sql, where: Where) {
    const [row] = await sql.query(
      `SELECT coalesce(sum(cost_usd), 0) AS usd, count(*) - count(cost_usd) AS unknown_calls, count(*) AS calls
       FROM ${this.#schema}.ledger WHERE TRUE${where.text}`,
      where.values,
    );
    return toSpent(row ?? {});
  }

  async calls({ key, since = '', limit }: Parameters<Records['calls']>[0]): Promise<LedgerEntry[]> {
    const rows = await this.#db.query(
      `SELECT entry FROM ${this.#schema}.ledger WHERE key = $1 AND at >= $2 AND is_settled
       ORDER BY at, id COLLATE "C" LIMIT $3`,
      [key, since, limit],
    );
    return rows.map(toLedgerEntry);
  }

  async topSpenders({ by, since, exceptPayer, limit }: SpenderFilter): Promise<Spender[]> {
    const where = toSpendConditions({ since, ...(exceptPayer && { exceptPayer }) });
    const rows = await this.#db.query(
      `SELECT ${by}_id AS id, sum(cost_usd) AS usd FROM ${this.#schema}.ledger
       WHERE ${by}_id IS NOT NULL AND cost_usd IS NOT NULL${where.text}
       GROUP BY ${by}_id ORDER BY usd DESC, id LIMIT $${where.values.length + 1}`,
      [...where.values, limit],
    );
    return rows.map(toSpender);
  }

  /** Reads one of Quorum's tables: a server without the schema is of no use either. */
  async ping(): Promise<void> {
    await this.#db.query(`SELECT 1 FROM ${this.#schema}.migrations LIMIT 1`);
  }
}

function toWhere({ key, run, status, idEnd = '', holds }: RecordFilter): Where {
  return toConditions([
    ['key =', key],
    ['run =', run],
    ['status =', status],
    [`right(id, ${idEnd.length}) =`, idEnd === '' ? undefined : idEnd],
    ['data LIKE', holds && `%${holds.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`],
  ]);
}

function toSpendConditions(filter: SpendFilter): Where {
  return toConditions([
    ['installation_id =', filter.installationId],
    ['repository_id =', filter.repositoryId],
    ['key =', filter.key],
    ['key ^@', filter.keyStart],
    ['NOT key ^@', filter.exceptKeyStart],
    ['run =', filter.run],
    ["entry::json ->> 'role' =", filter.role],
    ["(entry::json ->> 'person')::bigint =", filter.person],
    // Quotes in a text of JSON are escaped, so that only the field itself looks like this.
    ['entry NOT LIKE', filter.exceptPayer && `%"payer":"${filter.exceptPayer}"%`],
    ['at >=', filter.since === undefined ? undefined : toUtc(filter.since)],
  ]);
}

function toConditions(candidates: [string, unknown][]): Where {
  const where: Where = { text: '', values: [] };
  for (const [condition, value] of candidates) {
    if (value === undefined) continue;
    where.values.push(value);
    where.text += ` AND ${condition} $${where.values.length}`;
  }
  return where;
}
