/** The writes of the store on PostgreSQL, each to be run inside a transaction. */
import type { Effect } from '../../../domain/event/effect.ts';
import type { NewEvent } from '../../../domain/event/event.ts';
import type { Settlement, Work } from '../../../ports/store.ts';
import { stateMoved, workLost } from '../failures.ts';
import { PRUNE_BATCH, pruneBefore } from '../retention.ts';
import { number, text, type Row } from '../row.ts';
import { effectColumns, PUT_BACK, SAVED_AT_STEP_MS, toReason } from '../rows.ts';
import { together, type Sql } from './database.ts';
import {
  effectTicket,
  eventTicket,
  toJobId,
  type Claim,
  type Ticket,
  toToken,
} from './jobs/jobs.ts';
import { NOW_MS } from './postgres-schema.ts';
import { ENTRIES, toEntries } from './event-entries.ts';

type Finish = Extract<Settlement, { kind: 'finish' }>;

type Retry = Extract<Settlement, { kind: 'retry' }>;

export interface Appended {
  outcomes: ('queued' | 'duplicate')[];
  tickets: Ticket[];
}

/** What ended, for each table, and may be forgotten in time. */
const PRUNED = [
  ['events', `status IN ('done', 'ignored')`],
  ['effects', `status IN ('done', 'superseded', 'refused')`],
] as const;

export class Tables {
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /**
   * Adds events once each, in order; a second one with a dedup key is kept as ignored. `from` is the work that they
   * follow from.
   */
  async insertEvents(tx: Sql, events: readonly NewEvent[], from?: Work): Promise<Appended> {
    if (events.length === 0) return { outcomes: [], tickets: [] };
    const rows = await this.#insertNew(tx, toEntries(events, from));
    const fresh = new Set(rows.map((row) => text(row, 'id')));
    const refused: NewEvent[] = [];
    const outcomes = events.map((event): 'queued' | 'duplicate' => {
      if (fresh.delete(event.id)) return 'queued';
      refused.push(event);
      return 'duplicate';
    });
    await this.#keepTwins(tx, refused, from);
    const pending = rows.filter((row) => row['status'] === 'pending');
    return { outcomes, tickets: pending.map(eventTicket) };
  }

  async #insertNew(tx: Sql, entries: string): Promise<Row[]> {
    const rows = await tx.query(
      `INSERT INTO ${this.#schema}.events
         (id, key, run, version, at, data, installation, dedup_key, status, reason, run_at, is_timer, seq, settled_at)
       SELECT id, key, run, version, at, data, installation, dedup,
         CASE WHEN ignored IS NULL THEN 'pending' ELSE 'ignored' END, ignored, ${NOW_MS} + delay, timer,
         CASE WHEN ignored IS NULL THEN NULL ELSE nextval('${this.#schema}.log') END,
         CASE WHEN ignored IS NULL THEN NULL ELSE ${NOW_MS} END
       FROM ${ENTRIES} ORDER BY n
       ON CONFLICT DO NOTHING
       RETURNING id, key, place, installation, status, is_timer, run_at`,
      [entries],
    );
    return rows.toSorted((a, b) => number(a, 'place') - number(b, 'place'));
  }

  /** Keeps events as ignored when they were refused for their dedup key and not for their id. */
  async #keepTwins(tx: Sql, events: readonly NewEvent[], from?: Work): Promise<void> {
    const keyed = events.filter(({ dedupKey }) => dedupKey !== undefined);
    if (keyed.length === 0) return;
    await tx.query(
      `INSERT INTO ${this.#schema}.events
         (id, key, run, version, at, data, installation, status, reason, run_at, is_timer, seq, settled_at)
       SELECT e.id, e.key, e.run, e.version, e.at, e.data, e.installation, 'ignored', 'duplicate of ' || twin.id, ${NOW_MS}, false,
         nextval('${this.#schema}.log'), ${NOW_MS}
       FROM ${ENTRIES} JOIN ${this.#schema}.events twin ON twin.dedup_key = e.dedup AND twin.id <> e.id
       ORDER BY n
       ON CONFLICT DO NOTHING`,
      [toEntries(keyed, from)],
    );
  }

  /** Adds effects once each, in order. A waiting, never started one of the same stream and slot gives way. */
  async insertEffects(tx: Sql, effects: readonly Effect[], from: Work): Promise<Ticket[]> {
    if (effects.length === 0) return [];
    const entries = effects.map((effect, n) => {
      const columns = effectColumns(effect, from.installation);
      const [id, key, run, at, lane, slot, data, installation] = columns;
      return { n, id, key, run, at, lane, slot, data, installation };
    });
    const rows = await tx.query(
      `INSERT INTO ${this.#schema}.effects (id, key, run, at, lane, slot, data, installation, status, run_at, created_at)
       SELECT id, key, run, at, lane, slot, data, installation, 'pending', ${NOW_MS}, ${NOW_MS}
       FROM json_to_recordset($1::json) AS e (n int, id text, key text, run text, at text, lane text,
         slot text, data text, installation bigint)
       ORDER BY n
       ON CONFLICT (id) DO NOTHING RETURNING id, lane, place, installation`,
      [JSON.stringify(entries)],
    );
    const fresh = new Set(rows.map((row) => text(row, 'id')));
    const slotted = effects.filter(({ id, slot }) => slot !== undefined && fresh.has(id));
    // Of several for one slot the last one stays.
    const last = new Map(slotted.map((effect) => [`${effect.key}\n${effect.slot}`, effect]));
    for (const effect of last.values()) await this.#supersede(tx, effect);
    return rows.toSorted((a, b) => number(a, 'place') - number(b, 'place')).map(effectTicket);
  }

  async #supersede(tx: Sql, { id, key, slot }: Effect): Promise<void> {
    await tx.query(
      `UPDATE ${this.#schema}.effects SET status = 'superseded', reason = 'superseded by ' || $1, settled_at = ${NOW_MS}
       WHERE key = $2 AND slot = $3 AND status = 'pending' AND attempts = 0 AND id <> $1`,
      [id, key, slot],
    );
  }

  /** Marks the rows of this kind as held, one attempt more; suspects, and rows that are no longer waiting, are left out. */
  async take(sql: Sql, kind: Claim['kind'], claims: readonly Claim[]): Promise<Row[]> {
    const mine = claims.filter((claim) => claim.kind === kind);
    if (mine.length === 0) return [];
    const tokens = mine.map((claim) => ({ id: claim.id, token: toToken(claim) }));
    return sql.query(
      `UPDATE ${this.#schema}.${kind}s AS w SET attempts = attempts + 1, token = c.token
       FROM json_to_recordset($1::json) AS c (id text, token text)
       WHERE w.id = c.id AND w.status = 'pending' AND w.token IS NULL AND w.suspicion IS NULL RETURNING w.*`,
      [JSON.stringify(tokens)],
    );
  }

  /** Ends a piece of work with all that follows from it; returns the jobs to send. */
  async finish(tx: Sql, work: Work, settlement: Finish): Promise<Ticket[]> {
    const [{ tickets }, more] = await together([
      this.insertEvents(tx, settlement.events ?? [], work),
      this.insertEffects(tx, settlement.effects ?? [], work),
      this.#end(tx, work, settlement),
      settlement.state === undefined ? Promise.resolve() : this.#save(tx, settlement.state),
    ]);
    return [...tickets, ...more];
  }

  async #end(tx: Sql, work: Work, { status, reason, githubCalls }: Finish): Promise<void> {
    const extra =
      work.kind === 'event'
        ? `seq = nextval('${this.#schema}.log'), reason = $3`
        : 'github_calls = $5, reason = $3';
    const calls = work.kind === 'event' ? [] : [JSON.stringify(githubCalls ?? {})];
    const ended = await tx.query(
      `UPDATE ${this.#schema}.${work.kind}s SET status = $2, token = NULL, settled_at = ${NOW_MS}, ${extra}
       WHERE id = $1 AND status = 'pending' AND token = $4 RETURNING id`,
      [work.id, status, toReason(reason), work.token, ...calls],
    );
    if (ended.length === 0) throw workLost(work.id);
  }

  async #save(tx: Sql, { key, expected, value }: NonNullable<Finish['state']>): Promise<void> {
    const json = JSON.stringify(value ?? null);
    const saved =
      expected === 0
        ? await tx.query(
            `INSERT INTO ${this.#schema}.states (key, version, value, saved_at) VALUES ($1, 1, $2, ${NOW_MS})
             ON CONFLICT (key) DO NOTHING RETURNING key`,
            [key, json],
          )
        : await tx.query(
            `UPDATE ${this.#schema}.states SET version = version + 1, value = $2,
               saved_at = CASE WHEN saved_at < ${NOW_MS} - $4::bigint THEN ${NOW_MS} ELSE saved_at END
             WHERE key = $1 AND version = $3 RETURNING key`,
            [key, json, expected, SAVED_AT_STEP_MS],
          );
    if (saved.length === 0) throw stateMoved(key, expected);
  }

  /** Lets go of a row until later; returns when, in milliseconds by the server's clock. */
  async postpone(tx: Sql, work: Work, settlement: Retry): Promise<number> {
    const [row] = await tx.query(
      `UPDATE ${this.#schema}.${work.kind}s
       SET run_at = ${NOW_MS} + $3::bigint, reason = $4, attempts = attempts - $5, token = NULL, suspicion = NULL
       WHERE id = $1 AND status = 'pending' AND token = $2 RETURNING run_at`,
      [
        work.id,
        work.token,
        Math.ceil(settlement.delayMs),
        toReason(settlement.reason),
        settlement.countsAsAttempt ? 0 : 1,
      ],
    );
    if (row === undefined) throw workLost(work.id);
    if (settlement.waits !== undefined)
      await tx.query(`UPDATE ${this.#schema}.effects SET waits = $2 WHERE id = $1`, [
        work.id,
        JSON.stringify(settlement.waits),
      ]);
    return number(row, 'run_at');
  }

  /** Due timers go to the end of their lane, in the order of their times. */
  async joinTimers(tx: Sql, ids: readonly string[]): Promise<Ticket[]> {
    const due = await tx.query(
      `SELECT id FROM ${this.#schema}.events
       WHERE id = ANY($1) AND status = 'pending' AND is_timer ORDER BY run_at, place FOR UPDATE`,
      [ids],
    );
    const tickets: Ticket[] = [];
    for (const { id } of due) {
      const [row] = await tx.query(
        `UPDATE ${this.#schema}.events SET is_timer = false, place = nextval('${this.#schema}.places')
         WHERE id = $1 RETURNING *`,
        [id],
      );
      if (row !== undefined) tickets.push(eventTicket(row));
    }
    return tickets;
  }

  /** How long until something becomes due, in milliseconds, less than 0 for a late timer; Infinity when nothing waits for a time. */
  async nextDueInMs(sql: Sql): Promise<number> {
    const next = (table: string, isWaiting: string) =>
      `(SELECT min(run_at) FROM ${this.#schema}.${table} WHERE status = 'pending' AND ${isWaiting})`;
    const [row] = await sql.query(
      `SELECT least(${next('events', 'is_timer')}, ${next('events', `run_at > ${NOW_MS}`)},
         ${next('effects', `run_at > ${NOW_MS}`)}) - ${NOW_MS} AS wait`,
    );
    return row === undefined || row['wait'] === null ? Infinity : number(row, 'wait');
  }

  /** Puts ended work at the end of its lane again, with fresh attempts. */
  async requeue(tx: Sql, filter: { ids?: string[]; status: string }): Promise<Ticket[]> {
    const again = (table: string, also: string) =>
      tx.query(
        `UPDATE ${this.#schema}.${table} SET status = 'pending', reason = '${PUT_BACK}', settled_at = NULL, attempts = 0,
           interruptions = 0, suspicion = NULL, run_at = ${NOW_MS}, place = nextval('${this.#schema}.places')${also}
         WHERE status = $1 AND data <> '' AND ($2::text[] IS NULL OR id = ANY($2)) RETURNING *`,
        [filter.status, filter.ids ?? null],
      );
    const events = await again('events', ', seq = NULL, is_timer = false');
    const effects = await again('effects', ', waits = NULL');
    return [...events.map(eventTicket), ...effects.map(effectTicket)];
  }

  /** Waiting rows that have no job, as after a restore without the queue's tables. */
  async orphans(tx: Sql, bossSchema: string): Promise<Ticket[]> {
    const prefix = toJobId(0).slice(0, -12);
    const find = (table: string) =>
      tx.query(
        `SELECT w.* FROM ${this.#schema}.${table} w WHERE w.status = 'pending' AND NOT EXISTS (
           SELECT 1 FROM ${bossSchema}.job j
           WHERE j.id = ('${prefix}' || lpad(to_hex(w.place), 12, '0'))::uuid)
         ORDER BY w.place`,
      );
    const events = await find('events');
    const effects = await find('effects');
    return [...events.map(eventTicket), ...effects.map(effectTicket)];
  }

  /** Drops the content of what is older than the retention, then, once its id is no longer needed, the row. Returns how many. */
  async prune(sql: Sql, retentionMs: number): Promise<number> {
    const before = pruneBefore(0, retentionMs); // relative to the server's clock
    let pruned = 0;
    for (const [name, ended] of PRUNED) {
      const table = `${this.#schema}.${name}`;
      const old = (isEmpty: boolean) => `WHERE id IN (SELECT id FROM ${table}
         WHERE ${ended} AND (data = '') = ${isEmpty} AND settled_at < ${NOW_MS} + $1::bigint LIMIT $2 FOR UPDATE SKIP LOCKED)`;
      const emptied = await sql.query(
        `UPDATE ${table} SET data = '', reason = NULL ${old(false)} RETURNING id`,
        [before.content, PRUNE_BATCH],
      );
      const removed = await sql.query(`DELETE FROM ${table} ${old(true)} RETURNING id`, [
        before.row,
        PRUNE_BATCH,
      ]);
      pruned += emptied.length + removed.length;
    }
    await this.#foldTotals(sql);
    return pruned;
  }

  /** One row for each total again: reading them costs the same at any age of the store. Two at once are safe. */
  async #foldTotals(sql: Sql): Promise<void> {
    await sql.query(
      `WITH folded AS (DELETE FROM ${this.#schema}.totals RETURNING of, name, value)
       INSERT INTO ${this.#schema}.totals SELECT of, name, sum(value) FROM folded GROUP BY of, name`,
    );
  }
}
