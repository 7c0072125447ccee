/** Reading the embedded store: the log, the effects, the counts, and the ledger. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerEntry } from '../../../domain/run/ledger.ts';
import type { Clock } from '../../../ports/clock.ts';
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
import { storeDown } from '../failures.ts';
import { number, text, type Row } from '../row.ts';
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
import type { GroupCommit } from './group-commit.ts';
import { isAway, type Sql } from './sql.ts';

const TOTALS = 'SELECT of, name, value FROM totals';

export interface RecordParts {
  sql: Sql;
  commits: GroupCommit;
  clock: Clock;
  /** Ids that a worker holds: they do not wait. */
  inHand: () => Set<string>;
}

interface Where {
  text: string;
  values: SQLInputValue[];
}

/** The log, the effects and what was spent, which can be read without writing. */
export class SqliteLog implements Pick<
  Records,
  'events' | 'effects' | 'spent' | 'topSpenders' | 'calls'
> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async events(filter: RecordFilter): Promise<StoredEvent[]> {
    return read(() => {
      const settled = this.#events(filter, 'seq IS NOT NULL', 'seq');
      const waiting = this.#events(filter, 'seq IS NULL', 'ord');
      const all = filter.newestFirst === true ? [...waiting, ...settled] : [...settled, ...waiting];
      return all.slice(0, filter.limit).map(toStoredEvent);
    });
  }

  /** Two reads, as each part has an index for its own order. */
  #events(filter: RecordFilter, part: string, order: string): Row[] {
    const where = toWhere(filter);
    return this.#sql.all(
      `SELECT * FROM events WHERE ${part} AND data <> ''${where.text}
       ORDER BY ${order} ${filter.newestFirst === true ? 'DESC' : 'ASC'} LIMIT ?`,
      ...where.values,
      filter.limit,
    );
  }

  async effects(filter: RecordFilter): Promise<StoredEffect[]> {
    return read(() => {
      const where = toWhere(filter);
      const rows = this.#sql.all(
        `SELECT * FROM effects WHERE data <> ''${where.text}
         ORDER BY ord ${filter.newestFirst === true ? 'DESC' : 'ASC'} LIMIT ?`,
        ...where.values,
        filter.limit,
      );
      return rows.map(toStoredEffect);
    });
  }

  async spent(filter: SpendFilter): Promise<{ usd: number; unknownCalls: number; calls: number }> {
    return read(() => {
      const conditions = toSpendConditions(filter);
      if (conditions.text === '') return toSpentInAll(this.#sql.all(TOTALS));
      return sumLedger(this.#sql, conditions);
    });
  }

  async calls({ key, since = '', limit }: Parameters<Records['calls']>[0]): Promise<LedgerEntry[]> {
    return read(() =>
      this.#sql
        .all(
          `SELECT entry FROM ledger WHERE key = ? AND at >= ? AND is_settled = 1
           ORDER BY at, id LIMIT ?`,
          key,
          since,
          limit,
        )
        .map(toLedgerEntry),
    );
  }

  async topSpenders({ by, since, exceptPayer, limit }: SpenderFilter): Promise<Spender[]> {
    const where = toSpendConditions({ since, ...(exceptPayer && { exceptPayer }) });
    return read(() =>
      this.#sql
        .all(
          `SELECT ${by}_id AS id, sum(cost_usd) AS usd FROM ledger
           WHERE ${by}_id IS NOT NULL AND cost_usd IS NOT NULL${where.text}
           GROUP BY ${by}_id ORDER BY usd DESC, id LIMIT ?`,
          ...where.values,
          limit,
        )
        .map(toSpender),
    );
  }
}

export class SqliteRecords extends SqliteLog implements Records {
  readonly #parts: RecordParts;

  constructor(parts: RecordParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  async counts(): Promise<StoreCounts> {
    return read(() => {
      const totals = this.#parts.sql.all(TOTALS);
      return toCounts(totals, this.#lag());
    });
  }

  #lag(): number {
    const now = this.#parts.clock.now();
    const inHand = this.#parts.inHand();
    const oldest = ['events', 'effects'].map((table) => {
      const due = this.#parts.sql.all(
        `SELECT id, run_at FROM ${table} WHERE status = 'pending' AND run_at <= ? ORDER BY run_at LIMIT ?`,
        now,
        inHand.size + 1,
      );
      const oldestWaiting = due.find((row) => !inHand.has(text(row, 'id')));
      return oldestWaiting === undefined ? now : number(oldestWaiting, 'run_at');
    });
    return now - Math.min(...oldest);
  }

  reserve(entry: LedgerEntry, limits: readonly SpendLimit[] = []): Promise<number[]> {
    return this.#parts.commits.submit({
      run: () => {
        this.#dropReservation(entry.id);
        this.#insert(entry, 0);
        const sums = limits.map(
          ({ filter }) => sumLedger(this.#parts.sql, toSpendConditions(filter)).usd,
        );
        if (isPassed(limits, sums)) this.#dropReservation(entry.id);
        return sums;
      },
    });
  }

  settleCall(reservationId: string, entries: LedgerEntry[]): Promise<void> {
    return this.#parts.commits.submit({
      run: () => {
        this.#dropReservation(reservationId);
        for (const entry of entries) this.#insert(entry, 1);
      },
    });
  }

  #dropReservation(id: string): void {
    this.#parts.sql.run('DELETE FROM ledger WHERE id = ? AND is_settled = 0', id);
  }

  #insert(entry: LedgerEntry, isSettled: 0 | 1): void {
    this.#parts.sql.run(
      `INSERT INTO ledger (${LEDGER_COLUMNS}, is_settled)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      ...ledgerColumns(entry),
      isSettled,
    );
  }

  /** Writes, as a full disk still reads well. */
  ping(): Promise<void> {
    return this.#parts.commits.submit({
      run: () => {
        this.#parts.sql.run(
          `INSERT INTO counters (name, value) VALUES ('ping', ?)
           ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          this.#parts.clock.now(),
        );
      },
    });
  }
}

function sumLedger(sql: Sql, { text: conditions, values }: Where) {
  const row = sql.get(
    `SELECT coalesce(sum(cost_usd), 0.0) AS usd, count(*) - count(cost_usd) AS unknown_calls, count(*) AS calls
     FROM ledger WHERE TRUE${conditions}`,
    ...values,
  );
  return toSpent(row ?? {});
}

/** Runs a read and tells apart a store that is away. */
async function read<T>(query: () => T): Promise<T> {
  try {
    return query();
  } catch (error) {
    throw isAway(error) ? storeDown(error) : error;
  }
}

function toWhere({ key, run, status, idEnd = '', holds }: RecordFilter): Where {
  return toConditions([
    ['key = ?', key],
    ['run = ?', run],
    ['status = ?', status],
    [`substr(id, -${idEnd.length}) = ?`, idEnd === '' ? undefined : idEnd],
    ['instr(data, ?) > 0', holds],
  ]);
}

function toSpendConditions(filter: SpendFilter): Where {
  const { installationId, repositoryId, key, keyStart, exceptKeyStart, since } = filter;
  const { run, role, person, exceptPayer } = filter;
  return toConditions([
    ['installation_id = ?', installationId],
    ['repository_id = ?', repositoryId],
    ['key = ?', key],
    ['instr(key, ?) = 1', keyStart],
    ['instr(key, ?) <> 1', exceptKeyStart],
    ['run = ?', run],
    ["json_extract(entry, '$.role') = ?", role],
    ["json_extract(entry, '$.person') = ?", person],
    // Quotes in a text of JSON are escaped, so that only the field itself looks like this.
    ['instr(entry, ?) = 0', exceptPayer && `"payer":"${exceptPayer}"`],
    ['at >= ?', since === undefined ? undefined : toUtc(since)],
  ]);
}

function toConditions(candidates: [string, SQLInputValue | undefined][]): Where {
  const where: Where = { text: '', values: [] };
  for (const [condition, value] of candidates) {
    if (value === undefined) continue;
    where.text += ` AND ${condition}`;
    where.values.push(value);
  }
  return where;
}
