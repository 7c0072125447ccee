/** The queue engine: pg-boss carries one small job for each waiting row, in the same transactions. */
import type { Db, PgBoss } from 'pg-boss';
import { number, text, type Row } from '../../row.ts';
import { installationIn } from '../../rows.ts';
import type { Shares } from '../../queue/shares.ts';
import { together, type Sql } from '../database.ts';
import type { Front } from './front.ts';

/** `lane`: one at a time for each key, in order. `free`: in parallel. `timer`: joins its lane when due. */
export type QueueName = 'lane' | 'free' | 'timer';

export const QUEUES: readonly QueueName[] = ['lane', 'free', 'timer'];

/** A job that is to be sent for a row. */
export interface Ticket {
  queue: QueueName;
  kind: 'event' | 'effect';
  id: string;
  place: number;
  installation: number;
  /** Needed in queue `lane`. */
  lane?: string;
  /** Milliseconds since the epoch, by the server's clock. */
  runAt?: number;
}

/** A claimed job: id and count together name one claim, which tells it apart from an older one. */
export interface Claim {
  queue: QueueName;
  jobId: string;
  retryCount: number;
  kind: 'event' | 'effect';
  /** Of the row. */
  id: string;
}

interface JobData {
  kind: 'event' | 'effect';
  id: string;
}

const YEAR_S = 365 * 24 * 60 * 60;

/** A worker that shows no sign of life for this long has lost its jobs: the shortest that pg-boss 12 takes. */
const HEARTBEAT_S = 10;

/** Attempts are counted in the rows, by the engine's rules; a job itself must never fail for good, as that blocks its lane. */
const QUEUE_OPTIONS = {
  retryLimit: 2_000_000_000,
  retryDelay: 0,
  retryBackoff: false,
  heartbeatSeconds: HEARTBEAT_S,
  expireInSeconds: 24 * 60 * 60 - 1,
  retentionSeconds: 10 * YEAR_S,
  deleteAfterSeconds: 24 * 60 * 60,
};

export class Jobs {
  readonly #boss: PgBoss;
  readonly #front: Front;

  constructor(boss: PgBoss, front: Front) {
    this.#boss = boss;
    this.#front = front;
  }

  async start(): Promise<void> {
    await this.#boss.start();
    for (const name of QUEUES)
      await this.#boss.createQueue(name, {
        ...QUEUE_OPTIONS,
        policy: name === 'lane' ? 'key_strict_fifo' : 'standard',
      });
    // A failed job would block its lane for ever: none should exist, and its row is sent again.
    for (const name of QUEUES) await this.#boss.deleteStoredJobs(name);
    await this.#front.start();
  }

  stop(): Promise<void> {
    return this.#boss.stop({ graceful: false, close: false });
  }

  /** Sends jobs as part of the transaction. */
  async send(tx: Sql, tickets: readonly Ticket[]): Promise<void> {
    await together(
      QUEUES.map(async (name) => {
        const jobs = tickets.filter(({ queue }) => queue === name).map(toJob);
        if (jobs.length > 0) await this.#boss.insert(name, jobs, { db: toBossDb(tx) });
      }),
    );
  }

  /** Takes up to `room` jobs of lanes and free ones, fairly: see {@link Front.claim}. */
  claim(room: number, shares: Shares): Promise<Claim[]> {
    return this.#front.claim(room, shares);
  }

  /** Takes up to `limit` timers that are due. */
  async fetchTimers(limit: number): Promise<Claim[]> {
    const jobs = await this.#boss.fetch<JobData>('timer', { batchSize: limit });
    return jobs.map(({ id, retryCount, data }) => ({
      queue: 'timer',
      jobId: id,
      retryCount,
      kind: data.kind,
      id: data.id,
    }));
  }

  /** Removes the jobs whose rows are settled, also those that another worker holds now. */
  async remove(tx: Sql, claims: readonly Claim[]): Promise<void> {
    for (const name of QUEUES) {
      const ids = claims.filter(({ queue }) => queue === name).map(({ jobId }) => jobId);
      if (ids.length > 0) await this.#boss.deleteJob(name, ids, { db: toBossDb(tx) });
    }
  }

  /** Removes the jobs of rows that were at these places, whichever queue has them. */
  async removeAt(tx: Sql, places: readonly number[]): Promise<void> {
    const ids = places.map(toJobId);
    if (ids.length === 0) return;
    for (const name of QUEUES) await this.#boss.deleteJob(name, ids, { db: toBossDb(tx) });
  }

  /** Gives a claim back until `runAt` (milliseconds since the epoch); its lane waits. False when the claim is another's. */
  async postpone(tx: Sql, claim: Claim, runAt: number): Promise<boolean> {
    const { queue, jobId, retryCount, kind, id } = claim;
    const options = { db: toBossDb(tx) };
    await this.#boss.fail(queue, { id: jobId, retryCount }, null, options);
    const startAfter = new Date(runAt);
    const data = { kind, id };
    const waiting = await this.#boss.update(queue, data, { ...options, id: jobId, startAfter });
    return waiting.updated > 0;
  }

  /** Shows that the claims are still worked on. */
  async touch(claims: readonly Claim[]): Promise<void> {
    for (const name of QUEUES) {
      const held = claims
        .filter(({ queue }) => queue === name)
        .map(({ jobId, retryCount }) => ({ id: jobId, retryCount }));
      if (held.length > 0) await this.#boss.touch(name, held);
    }
  }
}

/** pg-boss runs its statements in our transaction. */
function toBossDb(tx: Sql): Db {
  return { executeSql: async (query, values) => ({ rows: await tx.query(query, values) }) };
}

/**
 * The job's id carries the row's place: within one transaction pg-boss sees one time for all jobs and
 * orders a lane by id.
 */
export function toJobId(place: number): string {
  return `00000000-0000-4000-8000-${place.toString(16).padStart(12, '0')}`;
}

function toJob({ kind, id, place, installation, lane, runAt }: Ticket) {
  return {
    id: toJobId(place),
    data: { kind, id },
    group: { id: String(installation) },
    ...(lane === undefined ? {} : { singletonKey: lane }),
    ...(runAt === undefined ? {} : { startAfter: new Date(runAt) }),
  };
}

function ofRow(row: Row): Pick<Ticket, 'id' | 'place' | 'installation'> {
  return { id: text(row, 'id'), place: number(row, 'place'), installation: installationIn(row) };
}

/** The job of an event's row. */
export function eventTicket(row: Row): Ticket {
  const common = { kind: 'event' as const, ...ofRow(row) };
  if (row['is_timer'] === true) return { ...common, queue: 'timer', runAt: number(row, 'run_at') };
  return { ...common, queue: 'lane', lane: `event:${text(row, 'key')}` };
}

/** The job of an effect's row. */
export function effectTicket(row: Row): Ticket {
  const common = { kind: 'effect' as const, ...ofRow(row) };
  if (row['lane'] === null) return { ...common, queue: 'free' };
  return { ...common, queue: 'lane', lane: `lane:${text(row, 'lane')}` };
}

/** Names one claim of one job: a later claim of the same job has another token. */
export function toToken({ queue, jobId, retryCount }: Claim): string {
  return `${queue}/${jobId}/${retryCount}`;
}
