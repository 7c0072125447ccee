/**
 * Claims the next jobs, fairly between installations, and takes their rows in the same statement. By itself, pg-boss can
 * leave groups out or cap them, but hands out jobs by age: a flood makes everyone wait for all of it. The claim is that
 * of pg-boss; only the choice of jobs differs.
 */
import { NO_INSTALLATION } from '../../../../domain/tenant/tenant.ts';
import type { Shares } from '../../shares.ts';
import { number, rowOrNone, text, word, type Row } from '../../row.ts';
import { sqlState, type Sql } from '../database.ts';
import type { Claim } from './jobs.ts';

/** Jobs that a worker takes, as opposed to timers. */
const TAKEN = ['lane', 'free'] as const;
const IS_TAKEN = `name IN ('lane', 'free')`;
/** Jobs that were sent by older versions have no group. */
const GROUP = `(COALESCE(group_id, '${NO_INSTALLATION}') COLLATE "C")`;
/** SQLSTATE. */
const UNIQUE_VIOLATION = '23505';
const IS_WAITING = `${IS_TAKEN} AND state < 'active' AND NOT blocked`;

/** A claim and the row that it is for. */
export interface Taken {
  claim: Claim;
  /** Absent where the row no longer waits, or is a suspect. */
  row: Row | undefined;
}

export class Front {
  readonly #db: Sql;
  readonly #boss: string;
  readonly #schema: string;
  /** The group that was served last: among equals the next ones come first. */
  #last = '';

  /** @param schemas - pg-boss's and ours */
  constructor(db: Sql, schemas: { boss: string; ours: string }) {
    this.#db = db;
    this.#boss = schemas.boss;
    this.#schema = schemas.ours;
  }

  /** Once pg-boss has made its tables. */
  async start(): Promise<void> {
    await this.#db.query(
      `CREATE INDEX IF NOT EXISTS quorum_front ON ${this.#boss}.job_common (${GROUP}, created_on, id, start_after)
       WHERE ${IS_WAITING}`,
    );
  }

  /**
   * Takes up to `room` jobs that are due, of each lane at most the first. Installations with the fewest items under
   * way come first, and none gets more than its share. The rows count one attempt more.
   */
  async claim(room: number, shares: Shares): Promise<Taken[]> {
    const rows = await this.#query(room, shares);
    const groups = rows.map((row) => text(row, 'installation'));
    // They were served in this order: those after the last one, then from the beginning.
    const wrapped = groups.filter((group) => group <= this.#last);
    this.#last = (wrapped.length > 0 ? wrapped : groups).toSorted().at(-1) ?? this.#last;
    return rows.map(toTaken);
  }

  async #query(room: number, shares: Shares): Promise<Row[]> {
    const held = JSON.stringify(Object.fromEntries(shares.held));
    try {
      return await this.#db.query(this.#statement(), [held, this.#last, room, shares.most]);
    } catch (error) {
      // Another process claimed the head of one of the lanes at the same moment.
      if (sqlState(error) === UNIQUE_VIOLATION) return [];
      throw error;
    }
  }

  /** One text whatever the room, so that each connection plans it once. */
  #statement(): string {
    // The table that our queues are in: planning across the partitions takes longer than the claim.
    const job = `${this.#boss}.job_common`;
    const isDue = `j.start_after <= ${this.#boss}.job_now()`;
    return `
      WITH RECURSIVE waiting AS (
        (SELECT ${GROUP} AS installation FROM ${job} WHERE ${IS_WAITING} ORDER BY ${GROUP} LIMIT 1)
        UNION ALL
        SELECT (SELECT ${GROUP} FROM ${job}
          WHERE ${IS_WAITING} AND ${GROUP} > w.installation ORDER BY ${GROUP} LIMIT 1)
        FROM waiting w WHERE w.installation IS NOT NULL
      ), installations AS (
        SELECT w.installation, COALESCE(h.value::int, 0) AS held
        FROM waiting w LEFT JOIN json_each_text($1::json) h ON h.key = w.installation
        WHERE w.installation IS NOT NULL AND COALESCE(h.value::int, 0) < $4::int
      ), front AS (
        SELECT i.installation, f.name, f.id,
          i.held + row_number() OVER (PARTITION BY i.installation ORDER BY f.created_on, f.id) AS nth
        FROM installations i CROSS JOIN LATERAL (
          SELECT j.name, j.id, j.created_on FROM ${job} j
          WHERE ${IS_WAITING} AND ${GROUP} = i.installation AND ${isDue} AND ${isHead(job)}
          ORDER BY j.created_on, j.id LIMIT LEAST($3::int, $4::int - i.held) FOR UPDATE OF j SKIP LOCKED
        ) f
      ), chosen AS (
        SELECT name, id FROM front ORDER BY nth, installation <= $2, installation LIMIT $3::int
      ), claimed AS (
      UPDATE ${job} j SET state = 'active', started_on = ${this.#boss}.job_now(), heartbeat_on = ${this.#boss}.job_now(),
        retry_count = CASE WHEN j.started_on IS NOT NULL THEN j.retry_count + 1 ELSE j.retry_count END
      FROM chosen c WHERE j.name = c.name AND j.id = c.id
      RETURNING j.name AS queue, j.id::text AS job, j.retry_count, j.data ->> 'kind' AS kind, j.data ->> 'id' AS id,
        ${GROUP} AS installation
      ), event AS (${this.#take('event')}), effect AS (${this.#take('effect')})
      SELECT c.*, COALESCE(to_json(event), to_json(effect)) AS taken FROM claimed c
      LEFT JOIN event ON c.kind = 'event' AND event.id = c.id
      LEFT JOIN effect ON c.kind = 'effect' AND effect.id = c.id`;
  }

  /** Marks rows as held; suspects, and rows that are no longer waiting, are left out. The token is `toToken`'s. */
  #take(kind: Claim['kind']): string {
    return `UPDATE ${this.#schema}.${kind}s AS w
      SET attempts = attempts + 1, token = c.queue || '/' || c.job || '/' || c.retry_count
      FROM claimed c WHERE c.kind = '${kind}' AND w.id = c.id
        AND w.status = 'pending' AND w.token IS NULL AND w.suspicion IS NULL RETURNING w.*`;
  }
}

function toTaken(row: Row): Taken {
  const claim: Claim = {
    queue: word(row, 'queue', TAKEN),
    jobId: text(row, 'job'),
    retryCount: number(row, 'retry_count'),
    kind: word(row, 'kind', ['event', 'effect']),
    id: text(row, 'id'),
  };
  return { claim, row: rowOrNone(row, 'taken') };
}

/** As in pg-boss: of a lane one job at a time, one that was given back before the others. */
function isHead(job: string): string {
  const ofLane = `b.name = 'lane' AND b.singleton_key = j.singleton_key AND b.policy = 'key_strict_fifo'`;
  return `(j.name <> 'lane' OR (
    NOT EXISTS (SELECT 1 FROM ${job} b
      WHERE ${ofLane} AND b.state IN ('active', 'retry', 'failed') AND b.id <> j.id)
    AND (j.state = 'retry' OR NOT EXISTS (SELECT 1 FROM ${job} b
      WHERE ${ofLane} AND b.state = 'created' AND NOT b.blocked AND (b.created_on, b.id) < (j.created_on, j.id)))
  ))`;
}
