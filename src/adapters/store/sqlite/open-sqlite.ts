/** The embedded store: one process, one directory, no service. */
import { DatabaseSync } from 'node:sqlite';
import type { NewEvent } from '../../../domain/event/event.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type {
  OnTrouble,
  Records,
  Settlement,
  Snapshot,
  Store,
  Work,
  Worker,
  WorkerOptions,
} from '../../../ports/store.ts';
import { StoreErasure } from '../store-erasure.ts';
import { storeDown } from '../failures.ts';
import { SETTLES_PER_PRUNE, toRetention, type Retention } from '../retention.ts';
import { number } from '../row.ts';
import {
  databaseFile,
  makePrivate,
  requireContent,
  wasUsedBefore,
} from './files/data-directory.ts';
import { lockDirectory } from './files/directory-lock.ts';
import { SqliteErasable } from './sqlite-erasable.ts';
import { Arrivals } from '../queue/arrivals.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteMemoryIndex } from './memory/sqlite-memory-index.ts';
import { Lanes } from './lanes.ts';
import { Queue } from './queue.ts';
import { SqliteRecords } from './sqlite-records.ts';
import { migrateSqlite } from './sqlite-schema.ts';
import { isAway, resultCode, Sql } from './sql.ts';
import { markHeld } from './suspects.ts';
import { Tables, type Nudge } from './sqlite-tables.ts';
import { createSqliteUpkeep } from './sqlite-upkeep.ts';
import { SqliteStandups } from './standups/sqlite-standups.ts';
import { openWalFile, type Disk } from './files/wal-file.ts';

export type SqliteStoreOptions = (
  | { /** Where the data lives; made when it is not there. */ dir: string }
  | { /** Nothing is kept after close. */ memory: true }
) & {
  clock: Clock;
  /** How long settled events and effects stay readable, in milliseconds; 90 days by default. */
  retentionMs?: number;
  /** The same of everything that is kept for a time. */
  retention?: Partial<Retention>;
  /** Silent unless given. */
  onTrouble?: OnTrouble;
};

/**
 * Opens the store, brings its tables up to date and puts back into the queue what was in hand, as suspect.
 * ConfigError `data-dir-locked`, `data-dir-unusable`, `store-empty`, `store-newer` or `store-corrupt`;
 * TransientError `store-down`.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const now = options.clock.now();
  const dir = 'dir' in options ? options.dir : undefined;
  const wasUsed = dir !== undefined && wasUsedBefore(dir);
  const unlock = dir === undefined ? () => undefined : lockDirectory(dir, now);
  try {
    if (dir !== undefined) requireContent(dir, wasUsed);
    const file = dir === undefined ? undefined : databaseFile(dir);
    if (file !== undefined) makePrivate(file);
    const db = openDatabase(file ?? ':memory:');
    migrateSqlite(db, now);
    const disk = file === undefined ? undefined : openWalFile(file);
    return new SqliteStore({ sql: new Sql(db), disk, unlock }, options);
  } catch (error) {
    unlock();
    throw toOpenError(error);
  }
}

/** In kibibytes: the indexes of a busy store fit; it is only taken when it is used. */
const CACHE_KIB = 16_384;
/** Pages between two checkpoints, four times the default: a checkpoint holds the event loop for milliseconds. */
const CHECKPOINT_PAGES = 4000;

function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 });
  // What is deleted is overwritten: it was private text.
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON;
    PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return db;
}

/** https://sqlite.org/rescode.html: corrupt, not a database. */
const CORRUPT = new Set([11, 26]);

/** What an opening threw, in our words. */
export function toOpenError(error: unknown): unknown {
  if (CORRUPT.has(resultCode(error)))
    return new ConfigError({
      code: 'store-corrupt',
      message:
        'The store file is damaged. Stop the App, move quorum.db and the quorum.db-wal and quorum.db-shm beside it away, and put a backup back as quorum.db; without one the next start makes a new store, and open discussions begin again from their labels.',
      cause: error,
    });
  return isAway(error) ? storeDown(error) : error;
}

interface StoreParts {
  sql: Sql;
  /** Absent in memory. */
  disk: Disk | undefined;
  unlock: () => void;
}

class SqliteStore implements Store {
  readonly records: Records;
  readonly memory: Store['memory'];
  readonly standups: Store['standups'];
  readonly erasure: Store['erasure'];
  readonly #sql: Sql;
  readonly #tables: Tables;
  readonly #commits: GroupCommit;
  readonly #queue: Queue;
  readonly #arrivals = new Arrivals();
  readonly #clock: Clock;
  readonly #retention: Retention;
  readonly #unlock: () => void;
  readonly #onTrouble: OnTrouble;
  #settles = 0;
  #isOpen = true;

  constructor({ sql, disk, unlock }: StoreParts, options: SqliteStoreOptions) {
    this.#sql = sql;
    this.#clock = options.clock;
    this.#retention = toRetention(options);
    this.#unlock = unlock;
    this.#onTrouble = options.onTrouble ?? (() => undefined);
    this.#tables = new Tables(sql);
    this.#tables.distrustWaiting();
    markHeld(sql);
    this.#commits = new GroupCommit(sql.db, disk);
    this.#queue = new Queue({
      sql,
      tables: this.#tables,
      commits: this.#commits,
      lanes: new Lanes(),
      arrivals: this.#arrivals,
      clock: options.clock,
      boot: countBoot(sql),
      onTrouble: this.#onTrouble,
    });
    this.records = new SqliteRecords({
      sql,
      commits: this.#commits,
      clock: options.clock,
      inHand: () => this.#queue.inHand,
    });
    const { clock } = options;
    const parts = { sql, commits: this.#commits, clock, tables: this.#tables };
    this.memory = new SqliteMemoryIndex({ ...parts, onTrouble: this.#onTrouble });
    this.standups = new SqliteStandups(parts);
    this.erasure = new StoreErasure(
      new SqliteErasable(parts),
      createSqliteUpkeep({ ...parts, retention: this.#retention }),
    );
  }

  append(events: NewEvent[]): Promise<('queued' | 'duplicate')[]> {
    const nudges: Nudge[] = [];
    return this.#commits.submit({
      run: () =>
        events.map((event) => {
          const { outcome, nudge } = this.#tables.insertEvent(event, this.#clock.now());
          if (nudge !== undefined) nudges.push(nudge);
          return outcome;
        }),
      committed: () => {
        this.#arrivals.note(1, this.#clock.now());
        this.#queue.nudge(nudges);
      },
    });
  }

  async load(key: string): Promise<Snapshot | undefined> {
    try {
      return this.#tables.load(key);
    } catch (error) {
      throw isAway(error) ? storeDown(error) : error;
    }
  }

  async settle(work: Work, settlement: Settlement): Promise<void> {
    await this.#queue.settle(work, settlement);
    this.#settles += 1;
    if (this.#settles % SETTLES_PER_PRUNE === 0) this.#prune();
  }

  async work(options: WorkerOptions): Promise<Worker> {
    if (!this.#isOpen) throw storeDown('it is closed');
    return this.#queue.work(options);
  }

  async requeue(filter: { ids?: string[]; status: 'dead' | 'parked' }): Promise<number> {
    const lanes = await this.#commits.submit({
      run: () => this.#tables.requeue(filter, this.#clock.now()),
      committed: (touched) => this.#queue.nudge(touched),
    });
    return lanes.length;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#queue.close();
    this.#commits.close();
    this.#sql.db.close();
    this.#unlock();
  }

  /** It comes round again. */
  #prune(): void {
    this.#commits
      .submit({
        run: () => this.#tables.prune(this.#clock.now(), this.#retention.settledMs),
        durable: false,
      })
      .catch((error: unknown) => this.#onTrouble(error, 'forget what is old'));
  }
}

function countBoot(sql: Sql): number {
  const row = sql.get(
    `INSERT INTO counters (name, value) VALUES ('boot', 1)
     ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
  );
  return row === undefined ? 1 : number(row, 'value');
}
