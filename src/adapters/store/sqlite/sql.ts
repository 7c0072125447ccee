/** Statements that are prepared once, and which failures of the database mean that it is away. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Row } from '../row.ts';

export class Sql {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** Rows changed. */
  run(text: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(text).run(...values).changes);
  }

  /** The first row. */
  get(text: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(text).get(...values);
  }

  all(text: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(text).all(...values);
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** Primary result codes that say "not now": https://sqlite.org/rescode.html (busy, locked, nomem, readonly, ioerr, full, cantopen, protocol). */
const AWAY = new Set([5, 6, 7, 8, 10, 13, 14, 15]);

/** Whether the database cannot be used, as opposed to a statement that is wrong. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return true;
  return AWAY.has(resultCode(error));
}

/** SQLite's primary result code; 0 for other errors. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error)) return 0;
  return Number(error.errcode) & 0xff;
}

/**
 * A condition: the column has one of the words of the first parameter, a JSON array in lower case. A column called `value`
 * needs the name of its table, because `json_each` has one too.
 */
export function hasWord(column: string): string {
  return `EXISTS (SELECT 1 FROM json_each(?1) AS word WHERE instr(lower(${column}), word.value) > 0)`;
}
