/** The writes of the embedded store, each to be run inside a transaction. */
import type { Effect } from '../../../domain/event/effect.ts';
import type { NewEvent } from '../../../domain/event/event.ts';
import type { Settlement, Snapshot, Work } from '../../../ports/store.ts';
import { stateMoved, workLost } from '../failures.ts';
import { pruneBefore, PRUNE_BATCH } from '../retention.ts';
import { number, text } from '../row.ts';
import {
  admit,
  effectColumns,
  eventColumns,
  FROM_BEFORE,
  PUT_BACK,
  SAVED_AT_STEP_MS,
  toReason,
} from '../rows.ts';
import { toLane, type OwnedLane, eventLane, effectLane } from './lanes.ts';
import type { Sql } from './sql.ts';

type Finish = Extract<Settlement, { kind: 'finish' }>;

type Retry = Extract<Settlement, { kind: 'retry' }>;

/** What a write means for the queue: a lane to look at, or a time at which timers are due. */
export type Nudge = OwnedLane | { dueAt: number };

export interface Appended {
  outcome: 'queued' | 'duplicate';
  nudge: Nudge | undefined;
}

/** What ended, for each table, and may be forgotten in time. */
const PRUNED = [
  ['events', `status IN ('done', 'ignored')`],
  ['effects', `status IN ('done', 'superseded', 'refused')`],
] as const;

export class Tables {
  readonly #sql: Sql;
  #place: number;
  #seq: number;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#place = this.#number(
      `SELECT max((SELECT coalesce(max(place), 0) FROM events WHERE status = 'pending'),
                  (SELECT coalesce(max(place), 0) FROM effects WHERE status = 'pending')) AS value`,
    );
    this.#seq = this.#number(
      `SELECT max((SELECT coalesce(max(seq), 0) FROM events),
                  coalesce((SELECT value FROM counters WHERE name = 'seq'), 0)) AS value`,
    );
  }

  /** Adds an event once; a second one with its dedup key is kept as ignored. `from` is the work that it follows from. */
  insertEvent(event: NewEvent, now: number, from?: Work): Appended {
    const twin = this.#twinOf(event);
    const { ignored, runAt, isTimer, dedupKey } = admit(event, twin, now);
    const isIgnored = ignored !== null;
    const columns = eventColumns(event, from?.installation);
    const added = this.#sql.run(
      `INSERT INTO events (id, key, run, version, at, data, installation, dedup_key, status, reason, run_at, place, seq, settled_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      ...columns,
      dedupKey,
      isIgnored ? 'ignored' : 'pending',
      ignored,
      runAt,
      isIgnored || isTimer ? null : this.#nextPlace(),
      isIgnored ? this.#nextSeq() : null,
      isIgnored ? now : null,
    );
    if (added === 0 || twin !== undefined) return { outcome: 'duplicate', nudge: undefined };
    if (isIgnored) return { outcome: 'queued', nudge: undefined };
    const [, , , , , , installation] = columns;
    const lane = { lane: toLane('event', event.key), installation };
    return { outcome: 'queued', nudge: isTimer ? { dueAt: runAt } : lane };
  }

  #twinOf({ id, dedupKey }: NewEvent): string | undefined {
    if (dedupKey === undefined) return undefined;
    const row = this.#sql.get(
      'SELECT id FROM events WHERE dedup_key = ? AND id <> ?',
      dedupKey,
      id,
    );
    return row && text(row, 'id');
  }

  /** Adds an effect once; undefined when its id is known. A waiting, never started one of the same stream and slot gives way. */
  insertEffect(effect: Effect, now: number, from: Work): Nudge | undefined {
    const { id, key, lane, slot } = effect;
    const columns = effectColumns(effect, from.installation);
    const added = this.#sql.run(
      `INSERT INTO effects (id, key, run, at, lane, slot, data, installation, status, run_at, place, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
      ...columns,
      now,
      this.#nextPlace(),
      now,
    );
    if (added === 0) return undefined;
    if (slot !== undefined)
      this.#sql.run(
        `UPDATE effects SET status = 'superseded', reason = ?, settled_at = ?
         WHERE key = ? AND slot = ? AND status = 'pending' AND attempts = 0 AND id <> ?`,
        `superseded by ${id}`,
        now,
        key,
        slot,
        id,
      );
    const [, , , , , , , installation] = columns;
    return { lane: lane === undefined ? toLane('free', id) : toLane('lane', lane), installation };
  }

  /** Giving out is not synced to the disk: after a power cut nobody knows what had been begun. */
  distrustWaiting(): void {
    this.#sql.run(
      `UPDATE effects SET reason = ? WHERE status = 'pending' AND attempts = 0 AND reason IS NULL`,
      FROM_BEFORE,
    );
  }

  load(key: string): Snapshot | undefined {
    const row = this.#sql.get('SELECT version, value FROM states WHERE key = ?', key);
    if (row === undefined) return undefined;
    const state: unknown = JSON.parse(text(row, 'value'));
    return { version: number(row, 'version'), state };
  }

  /** Ends a piece of work with all that follows from it. */
  finish(work: Work, settlement: Finish, now: number): Nudge[] {
    this.#end(work, settlement, now);
    if (settlement.state !== undefined) this.#save(settlement.state, now);
    const nudges: Nudge[] = [];
    for (const event of settlement.events ?? []) {
      const { nudge } = this.insertEvent(event, now, work);
      if (nudge !== undefined) nudges.push(nudge);
    }
    for (const effect of settlement.effects ?? []) {
      const nudge = this.insertEffect(effect, now, work);
      if (nudge !== undefined) nudges.push(nudge);
    }
    return nudges;
  }

  #end(work: Work, { status, reason, githubCalls }: Finish, now: number): void {
    const isEvent = work.kind === 'event';
    const ended = this.#sql.run(
      `UPDATE ${isEvent ? 'events' : 'effects'}
       SET status = ?, reason = ?, settled_at = ?, ${isEvent ? 'seq' : 'github_calls'} = ?
       WHERE id = ? AND status = 'pending' AND attempts - interruptions = ?`,
      status,
      toReason(reason),
      now,
      isEvent ? this.#nextSeq() : JSON.stringify(githubCalls ?? {}),
      work.id,
      work.attempt,
    );
    if (ended === 0) throw workLost(work.id);
  }

  #save({ key, expected, value }: NonNullable<Finish['state']>, now: number): void {
    const json = JSON.stringify(value ?? null);
    const saved =
      expected === 0
        ? this.#sql.run(
            'INSERT INTO states (key, version, value, saved_at) VALUES (?, 1, ?, ?) ON CONFLICT (key) DO NOTHING',
            key,
            json,
            now,
          )
        : this.#sql.run(
            `UPDATE states SET version = version + 1, value = ?,
               saved_at = CASE WHEN saved_at < ? THEN ? ELSE saved_at END WHERE key = ? AND version = ?`,
            json,
            now - SAVED_AT_STEP_MS,
            now,
            key,
            expected,
          );
    if (saved === 0) throw stateMoved(key, expected);
  }

  /** Gives work back for later; its place in the lane stays. Returns when that is. */
  postpone(work: Work, settlement: Retry, now: number): number {
    const runAt = now + Math.ceil(settlement.delayMs);
    const kept = this.#sql.run(
      `UPDATE ${work.kind === 'event' ? 'events' : 'effects'}
       SET run_at = ?, reason = ?, attempts = attempts - ?, held = 0, suspicion = NULL
       WHERE id = ? AND status = 'pending' AND attempts - interruptions = ?`,
      runAt,
      toReason(settlement.reason),
      settlement.countsAsAttempt ? 0 : 1,
      work.id,
      work.attempt,
    );
    if (kept === 0) throw workLost(work.id);
    if (settlement.waits !== undefined)
      this.#sql.run(
        'UPDATE effects SET waits = ? WHERE id = ?',
        JSON.stringify(settlement.waits),
        work.id,
      );
    return runAt;
  }

  /** Due timers join the end of their lane, in the order of their times. Returns those lanes. */
  joinTimers(now: number): OwnedLane[] {
    const due = this.#sql.all(
      `SELECT ord, key, installation FROM events
       WHERE status = 'pending' AND place IS NULL AND run_at <= ? ORDER BY run_at, ord LIMIT 500`,
      now,
    );
    return due.map((row) => {
      const ord = number(row, 'ord');
      this.#sql.run('UPDATE events SET place = ? WHERE ord = ?', this.#nextPlace(), ord);
      return eventLane(row);
    });
  }

  /** When the next timer is due; Infinity without timers. */
  nextTimerAt(): number {
    const row = this.#sql.get(
      `SELECT run_at FROM events WHERE status = 'pending' AND place IS NULL ORDER BY run_at LIMIT 1`,
    );
    return row === undefined ? Infinity : number(row, 'run_at');
  }

  /** Puts ended work at the end of its lane again, with fresh attempts. Returns the lane of each. */
  requeue(filter: { ids?: string[]; status: string }, now: number): OwnedLane[] {
    const ids = filter.ids === undefined ? null : JSON.stringify(filter.ids);
    const again = (table: string, also: string) =>
      this.#sql
        .all(
          `SELECT ord FROM ${table} WHERE status = ?1 AND data <> ''
           AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2))) ORDER BY ord`,
          filter.status,
          ids,
        )
        .map((row) =>
          this.#sql.get(
            `UPDATE ${table} SET status = 'pending', reason = '${PUT_BACK}', settled_at = NULL, attempts = 0,
               interruptions = 0, held = 0, suspicion = NULL, run_at = ?, place = ?${also} WHERE ord = ? RETURNING *`,
            now,
            this.#nextPlace(),
            number(row, 'ord'),
          ),
        )
        .filter((row) => row !== undefined);
    return [
      ...again('events', ', seq = NULL').map((row) => eventLane(row)),
      ...again('effects', ', waits = NULL').map((row) => effectLane(row)),
    ];
  }

  /** Drops the content of what is older than the retention, then, once its id is no longer needed, the row. Returns how many. */
  prune(now: number, retentionMs: number): number {
    const before = pruneBefore(now, retentionMs);
    let pruned = 0;
    for (const [table, ended] of PRUNED) {
      const old = (isEmpty: 0 | 1) => `WHERE ord IN (SELECT ord FROM ${table}
         WHERE ${ended} AND (data = '') = ${isEmpty} AND settled_at < ? LIMIT ?)`;
      pruned += this.#sql.run(
        `UPDATE ${table} SET data = '', reason = NULL ${old(0)}`,
        before.content,
        PRUNE_BATCH,
      );
      pruned += this.#sql.run(`DELETE FROM ${table} ${old(1)}`, before.row, PRUNE_BATCH);
    }
    this.#sql.run(
      `INSERT INTO counters (name, value) VALUES ('seq', ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      this.#seq,
    );
    return pruned;
  }

  #nextPlace(): number {
    this.#place += 1;
    return this.#place;
  }

  #nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  #number(query: string): number {
    const row = this.#sql.get(query);
    return row === undefined ? 0 : number(row, 'value');
  }
}
