/** The store that many processes share: PostgreSQL, with pg-boss as the queue engine. */
import type { Pool } from 'pg';
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
import { Arrivals } from '../queue/arrivals.ts';
import { storeDown } from '../failures.ts';
import { SETTLES_PER_PRUNE, toRetention, type Retention } from '../retention.ts';
import { requireAddress, toOpenFailure } from './database-address.ts';
import { Bell } from './jobs/bell.ts';
import { Database } from './database.ts';
import { Front } from './jobs/front.ts';
import { PostgresErasable } from './postgres-erasable.ts';
import { Jobs, type Ticket } from './jobs/jobs.ts';
import { loadSnapshot } from './load.ts';
import { PostgresMemoryIndex } from './postgres-memory-index.ts';
import { openPool } from './open-pool.ts';
import { Queue } from './jobs/queue.ts';
import { PostgresRecords } from './postgres-records.ts';
import { migratePostgres } from './postgres-schema.ts';
import { Suspects } from './jobs/suspects.ts';
import { WriteBatch } from './jobs/write-batch.ts';
import { Tables } from './postgres-tables.ts';
import { createPostgresUpkeep } from './postgres-upkeep.ts';
import { PostgresStandups } from './standups/postgres-standups.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  clock: Clock;
  /** Of our tables; `quorum` by default. pg-boss lives beside it, in `<schema>_boss`. */
  schema?: string;
  /** How long settled events and effects stay readable, in milliseconds; 90 days by default. */
  retentionMs?: number;
  /** The same of everything that is kept for a time. */
  retention?: Partial<Retention>;
  /** Connections of the pool; 10 by default. One more listens. */
  connections?: number;
  /** Silent unless given. */
  onTrouble?: OnTrouble;
}

type Outcome = 'queued' | 'duplicate';

/** Seconds between pg-boss's looks for dead workers: with its heartbeat of 10 s, work is given out again within 15 s. */
const SUPERVISE_S = 2;

/**
 * Opens the store, brings its tables up to date and sends again what lost its job.
 * ConfigError `store-newer`, `store-schema`, `database-url-invalid`, `database-missing` or `database-refused`;
 * TransientError `store-down`.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const schema = options.schema ?? 'quorum';
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw new ConfigError({
      code: 'store-schema',
      message: `The schema name ${schema} is not usable: at most 40 lower-case letters, digits and underscores.`,
    });
  const address = requireAddress(options.url);
  const { Client } = (await import('pg')).default;
  const onTrouble = options.onTrouble ?? (() => undefined);
  const pool = await openPool(options.url, {
    connections: options.connections,
    onError: (error) => onTrouble(error, 'keep a connection'),
  });
  const db = new Database(pool);
  const jobs = await newJobs({ pool, db, schema, onTrouble });
  try {
    // Neither our migrations nor pg-boss's own bear company: its first start fails beside another.
    await db.alone(`open ${schema}`, async () => {
      await migratePostgres(db, schema);
      await jobs.start();
    });
    const parts = { db, jobs, schema, options, onTrouble };
    const store = new PostgresStore(parts, () => new Client({ connectionString: options.url }));
    await store.start();
    return store;
  } catch (error) {
    await jobs.stop().catch(() => undefined);
    await db.close();
    throw toOpenFailure(error, address);
  }
}

interface JobsParts {
  pool: Pool;
  db: Database;
  schema: string;
  onTrouble: OnTrouble;
}

async function newJobs({ pool, db, schema, onTrouble }: JobsParts): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss');
  const ofBoss = `${schema}_boss`;
  const boss = new PgBoss({
    db: { executeSql: (query, values) => pool.query(query, values) },
    schema: ofBoss,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    monitorIntervalSeconds: SUPERVISE_S,
  });
  boss.on('error', (error) => onTrouble(error, 'look after its queue'));
  return new Jobs(boss, new Front(db, ofBoss));
}

interface StoreParts {
  db: Database;
  jobs: Jobs;
  schema: string;
  options: PostgresStoreOptions;
  onTrouble: OnTrouble;
}

class PostgresStore implements Store {
  readonly records: Records;
  readonly memory: Store['memory'];
  readonly standups: Store['standups'];
  readonly erasure: Store['erasure'];
  readonly #parts: StoreParts;
  readonly #tables: Tables;
  readonly #bell: Bell;
  readonly #queue: Queue;
  readonly #arrivals = new Arrivals();
  readonly #appends: WriteBatch<NewEvent[], Outcome[]>;
  #settles = 0;
  #isOpen = true;

  constructor(parts: StoreParts, connect: ConstructorParameters<typeof Bell>[0]['connect']) {
    const { db, jobs, schema, options, onTrouble } = parts;
    const { clock } = options;
    this.#parts = parts;
    this.#tables = new Tables(schema);
    this.#bell = new Bell({
      db,
      connect,
      channel: `${schema}_work`,
      self: crypto.randomUUID(),
      clock,
      onRing: () => this.#queue.nudge(),
      onTrouble,
    });
    this.#queue = new Queue({
      db,
      jobs,
      tables: this.#tables,
      suspects: new Suspects(schema),
      bell: this.#bell,
      arrivals: this.#arrivals,
      clock,
      onTrouble,
    });
    this.#appends = new WriteBatch((calls) => this.#insert(calls));
    this.records = new PostgresRecords(db, schema);
    this.memory = new PostgresMemoryIndex(db, schema);
    this.standups = new PostgresStandups(db, schema);
    this.erasure = new StoreErasure(
      new PostgresErasable({ db, schema, jobs }),
      createPostgresUpkeep({ db, schema, tables: this.#tables, retention: toRetention(options) }),
    );
  }

  async start(): Promise<void> {
    const { schema } = this.#parts;
    await this.#send((tx) => this.#tables.orphans(tx, `${schema}_boss`));
    await this.#bell.listen();
  }

  async append(events: NewEvent[]): Promise<Outcome[]> {
    if (!this.#isOpen) throw storeDown('it is closed');
    return this.#appends.add(events);
  }

  async #insert(calls: readonly NewEvent[][]): Promise<Outcome[][]> {
    const { db, jobs } = this.#parts;
    const events = calls.flat();
    const { outcomes, tickets } = await db.transaction(async (tx) => {
      const appended = await this.#tables.insertEvents(tx, events);
      await jobs.send(tx, appended.tickets);
      return appended;
    });
    if (tickets.length > 0) this.#bell.ring();
    this.#arrivals.note(calls.length, this.#parts.options.clock.now());
    this.#queue.nudge(this.#queue.dueIn(tickets, events));
    const rest = [...outcomes];
    return calls.map(({ length }) => rest.splice(0, length));
  }

  load(key: string): Promise<Snapshot | undefined> {
    return loadSnapshot(this.#parts.db, this.#parts.schema, key);
  }

  async settle(work: Work, settlement: Settlement): Promise<void> {
    await this.#queue.settle(work, settlement);
    this.#settles += 1;
    if (this.#settles % SETTLES_PER_PRUNE === 0) await this.#prune();
  }

  async work(options: WorkerOptions): Promise<Worker> {
    if (!this.#isOpen) throw storeDown('it is closed');
    return this.#queue.work(options);
  }

  async requeue(filter: { ids?: string[]; status: 'dead' | 'parked' }): Promise<number> {
    const sent = await this.#send((tx) => this.#tables.requeue(tx, filter));
    return sent.length;
  }

  async #send(
    find: (tx: Parameters<Tables['requeue']>[0]) => Promise<Ticket[]>,
  ): Promise<Ticket[]> {
    const { db, jobs } = this.#parts;
    const sent = await db.transaction(async (tx) => {
      const tickets = await find(tx);
      await jobs.send(tx, tickets);
      return tickets;
    });
    if (sent.length > 0) this.#bell.ring();
    this.#queue.nudge();
    return sent;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#queue.close();
    await this.#bell.close();
    await this.#parts.jobs.stop();
    await this.#parts.db.close();
  }

  /** It comes round again. */
  async #prune(): Promise<void> {
    const { settledMs } = toRetention(this.#parts.options);
    await this.#tables
      .prune(this.#parts.db, settledMs)
      .catch((error: unknown) => this.#parts.onTrouble(error, 'forget what is old'));
  }
}
