/** Connections, transactions, and which failures of PostgreSQL mean that it is away. */
import type { Pool, PoolClient } from 'pg';
import { QuorumError } from '../../../domain/event/errors.ts';
import { storeDown } from '../failures.ts';
import type { Row } from '../row.ts';

/** Runs statements: in a transaction of one's own, or each by itself. */
export interface Sql {
  query(text: string, values?: unknown[]): Promise<Row[]>;
}

/** SQLSTATE classes that say "not now" (appendix A of PostgreSQL's manual): connection, resources, operator, system. */
const AWAY_CLASSES = new Set(['08', '53', '57', '58']);
/** Serialization failure and deadlock: the same transaction may well succeed when tried again. */
const CLASHES = new Set(['40001', '40P01']);
const CLASH_ATTEMPTS = 4;
/** "cached plan must not change result type": another process changed the tables under a prepared statement. */
const STALE_PLAN = '0A000';
/** Statements that are prepared on each connection; any beyond these are planned each time. */
const MAX_PREPARED = 200;

export class Database implements Sql {
  readonly #pool: Pool;
  readonly #names = new Map<string, string>();

  /** Best with connections that pipeline: then what does not wait for an answer shares a round trip. */
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** TransientError `store-down` when the database is away. */
  async query(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      const result = await this.#pool.query<Row>(this.#prepared(text, values));
      return result.rows;
    } catch (error) {
      throw toStoreFailure(error);
    }
  }

  /** All or nothing; repeated when it clashed with another one. TransientError `store-down` when the database is away. */
  async transaction<T>(body: (tx: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(body);
      } catch (error) {
        const state = sqlState(error);
        const isPassing = CLASHES.has(state) || state === STALE_PLAN;
        if (attempt >= CLASH_ATTEMPTS || !isPassing) throw toStoreFailure(error);
      }
    }
  }

  async #once<T>(body: (tx: Sql) => Promise<T>): Promise<T> {
    const client = await this.#checkOut();
    let broken: Error | undefined;
    try {
      const [, value] = await together([client.query('BEGIN'), body(this.#toSql(client))]);
      await client.query('COMMIT');
      return value;
    } catch (error) {
      broken = await rollBack(client);
      if (error instanceof Error && sqlState(error) === STALE_PLAN) broken ??= error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  #toSql(client: PoolClient): Sql {
    return {
      query: async (text, values = []) => {
        const result = await client.query<Row>(this.#prepared(text, values));
        return result.rows;
      },
    };
  }

  /** Planning took as long as running: each connection plans a statement once. */
  #prepared(text: string, values: unknown[]): { text: string; values: unknown[]; name?: string } {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < MAX_PREPARED) {
      name = `quorum_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name === undefined ? { text, values } : { text, values, name };
  }

  /** A connection that breaks while nobody waits for an answer must not end the process: its next statement fails. */
  async #checkOut(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    return client.on('error', ignore);
  }

  /** Only one process at a time is in here for this name; a process that dies leaves. */
  async alone<T>(name: string, body: () => Promise<T>): Promise<T> {
    const client = await this.#checkOut();
    try {
      await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
      return await body();
    } finally {
      // Ends the session and with it the lock, whatever state the connection is in.
      client.release(true);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

function ignore(): void {}

/** Waits for all of them, also when one fails, so that nothing of a transaction is sent after its end. */
export async function together<T extends readonly unknown[]>(
  parts: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T>;
export async function together(parts: readonly Promise<unknown>[]): Promise<unknown[]> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

/** The error when the connection is of no more use. */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** SQLSTATE; empty when the error did not come from the server. */
export function sqlState(error: unknown): string {
  const isFromServer = error instanceof Error && 'severity' in error && 'code' in error;
  return isFromServer ? String(error.code) : '';
}

/**
 * Quorum's errors and those of the statement stay as they are. Those of the network or the server's state become
 * `store-down`.
 */
export function toStoreFailure(error: unknown): unknown {
  if (error instanceof QuorumError || error instanceof TypeError || error instanceof RangeError)
    return error;
  const state = sqlState(error);
  if (state !== '') return AWAY_CLASSES.has(state.slice(0, 2)) ? storeDown(error) : error;
  const isBug = error instanceof Error && 'code' in error && error.code === 'ERR_ASSERTION';
  return isBug ? error : storeDown(error);
}
