/**
 * Claims the next jobs, fairly between installations. By itself, pg-boss can leave groups out or cap them, but hands
 * out jobs by age: a flood makes everyone wait for all of it. The claim is that of pg-boss; only the choice of jobs
 * differs. Rows are taken by a later statement: one that waited for a locked row would keep the claims of others
 * waiting with it.
 */
import { NO_INSTALLATION } from '../../../../domain/tenant/tenant.ts';
import type { Shares } from '../../queue/shares.ts';
import { number, text, word, type Row } from '../../row.ts';
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

export class Front {
  readonly #db: Sql;
  readonly #boss: string;
  /** The group that was served last: among equals the next ones come first. */
  #last = '';

  /** @param boss - pg-boss's schema */
  constructor(db: Sql, boss: string) {
    this.#db = db;
    this.#boss = boss;
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
   * way come first, and none gets more than its share.
   */
  async claim(room: number, shares: Shares): Promise<Claim[]> {
    const rows = await this.#query(room, shares);
    const groups = rows.map((row) => text(row, 'installation'));
    // They were served in this order: those after the last one, then from the beginning.
    const wrapped = groups.filter((group) => group <= this.#last);
    this.#last = (wrapped.length > 0 ? wrapped : groups).toSorted().at(-1) ?? this.#last;
    return rows.map(toClaim);
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
      )
      UPDATE ${job} j SET state = 'active', started_on = ${this.#boss}.job_now(), heartbeat_on = ${this.#boss}.job_now(),
        retry_count = CASE WHEN j.started_on IS NOT NULL THEN j.retry_count + 1 ELSE j.retry_count END
      FROM chosen c WHERE j.name = c.name AND j.id = c.id
      RETURNING j.name AS queue, j.id::text AS job, j.retry_count, j.data ->> 'kind' AS kind, j.data ->> 'id' AS id,
        ${GROUP} AS installation`;
  }
}

function toClaim(row: Row): Claim {
  return {
    queue: word(row, 'queue', TAKEN),
    jobId: text(row, 'job'),
    retryCount: number(row, 'retry_count'),
    kind: word(row, 'kind', ['event', 'effect']),
    id: text(row, 'id'),
  };
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
