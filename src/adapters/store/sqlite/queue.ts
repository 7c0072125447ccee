/** Gives out work to consumers as soon as there is some: lanes one at a time, lanes beside each other. */
import type { Clock } from '../../../ports/clock.ts';
import type { OnTrouble, Settlement, Work, Worker, WorkerOptions } from '../../../ports/store.ts';
import { workLost } from '../failures.ts';
import { toRedelivery, type Redelivery } from '../pace.ts';
import { number, text, textOrNone, type Row } from '../row.ts';
import { isFirstTime, toEffect, toEvent, waitsOf } from '../rows.ts';
import type { GroupCommit } from './group-commit.ts';
import { parseLane, toLane, type LaneKind, type Lanes } from './lanes.ts';
import type { Sql } from './sql.ts';
import { effectLane, type Nudge, type Tables } from './tables.ts';

/** A worker's end of the queue. */
interface Consumer {
  options: WorkerOptions;
  inHand: number;
  /** Called when nothing is in hand any more. */
  drained: () => void;
}

interface Held {
  work: Work;
  lane: string;
  consumer: Consumer;
  isSettling: boolean;
}

export interface QueueParts {
  sql: Sql;
  tables: Tables;
  commits: GroupCommit;
  lanes: Lanes;
  clock: Clock;
  /** Counts the openings of this store, so that no token of an earlier one is ever valid. */
  boot: number;
  onTrouble: OnTrouble;
}

/** The longest sleep: a clock that was set is noticed within this time. */
const LONGEST_SLEEP_MS = 60_000;
/** Before work is looked for again when the database could not be written. */
const AWAY_MS = 1000;

/** The first piece of work of a lane. */
const HEAD = {
  event: `SELECT * FROM events WHERE key = ? AND status = 'pending' AND place IS NOT NULL ORDER BY place LIMIT 1`,
  lane: `SELECT * FROM effects WHERE lane = ? AND status = 'pending' ORDER BY place LIMIT 1`,
  free: `SELECT * FROM effects WHERE id = ? AND status = 'pending'`,
} as const satisfies Record<LaneKind, string>;

export class Queue {
  readonly #parts: QueueParts;
  readonly #held = new Map<string, Held>();
  readonly #consumers = new Set<Consumer>();
  /** Work whose last attempt does not count. Kept here, as the store may be unable to take it down just then. */
  readonly #forgiven = new Set<string>();
  #given = 0;
  #isTaking = false;
  #wakeAt = Infinity;
  #sleep = new AbortController();
  /** Holds the process open while a worker is there: an idle one waits for nothing else. */
  #alive: NodeJS.Timeout | undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    for (const row of parts.sql.all(
      `SELECT key FROM events WHERE status = 'pending' AND place IS NOT NULL GROUP BY key ORDER BY min(place)`,
    ))
      parts.lanes.add(toLane('event', text(row, 'key')));
    for (const row of parts.sql.all(
      `SELECT id, lane FROM effects WHERE status = 'pending' ORDER BY place`,
    ))
      parts.lanes.add(effectLane(row));
  }

  /** Ids in hand. */
  get inHand(): Set<string> {
    return new Set([...this.#held.values()].map(({ work }) => work.id));
  }

  /** Starts a worker. */
  work(options: WorkerOptions): Worker {
    const consumer: Consumer = { options, inHand: 0, drained: () => undefined };
    this.#consumers.add(consumer);
    this.#alive ??= setInterval(() => undefined, 2 ** 31 - 1);
    this.#armAt(this.#parts.tables.nextTimerAt());
    this.#armAt(this.#parts.lanes.unblock(this.#parts.clock.now()));
    this.#take();
    return { stop: (timeoutMs) => this.#stop(consumer, timeoutMs) };
  }

  /** Looks at what a committed write brought. */
  nudge(nudges: Iterable<Nudge>): void {
    for (const nudge of nudges) {
      if ('lane' in nudge) this.#parts.lanes.add(nudge.lane);
      else this.#armAt(nudge.dueAt);
    }
    this.#take();
  }

  /** Writes the end of a piece of work; ConflictError `work-lost` when it is not held by this token. */
  async settle(work: Work, settlement: Settlement): Promise<void> {
    const held = this.#held.get(work.token);
    if (held === undefined || held.isSettling) throw workLost(work.id);
    held.isSettling = true;
    try {
      await this.#write(held, settlement);
    } finally {
      held.isSettling = false;
    }
  }

  #write(held: Held, settlement: Settlement): Promise<unknown> {
    const { commits, tables, clock, lanes } = this.#parts;
    const { work, lane } = held;
    if (settlement.kind === 'retry')
      return commits.submit({
        run: () => tables.postpone(work, settlement, clock.now()),
        committed: (until) => {
          this.#held.delete(work.token);
          lanes.block(lane, until);
          this.#armAt(until);
        },
      });
    return commits.submit({
      run: () => tables.finish(work, settlement, clock.now()),
      committed: (nudges) => {
        this.#held.delete(work.token);
        lanes.release(lane);
        this.nudge(nudges);
      },
    });
  }

  /** Stops giving out work. */
  close(): void {
    this.#sleep.abort();
    this.#consumers.clear();
    clearInterval(this.#alive);
    this.#held.clear();
  }

  async #stop(consumer: Consumer, timeoutMs: number): Promise<'drained' | 'abandoned'> {
    this.#consumers.delete(consumer);
    if (this.#consumers.size === 0) {
      clearInterval(this.#alive);
      this.#alive = undefined;
    }
    if (consumer.inHand === 0) return 'drained';
    const over = new AbortController();
    const drained = new Promise<'drained'>((resolve) => {
      consumer.drained = () => resolve('drained');
    });
    const late = this.#parts.clock.sleep(timeoutMs, over.signal).then(
      () => 'abandoned' as const,
      () => drained,
    );
    const end = await Promise.race([drained, late]);
    over.abort();
    if (end === 'abandoned') this.#letGo(consumer);
    return end;
  }

  #letGo(consumer: Consumer): void {
    for (const [token, held] of this.#held) {
      if (held.consumer !== consumer) continue;
      this.#held.delete(token);
      this.#parts.lanes.release(held.lane);
    }
    this.#take();
  }

  #freeConsumers(): Consumer[] {
    const free: Consumer[] = [];
    for (const consumer of this.#consumers)
      for (let n = consumer.inHand; n < consumer.options.concurrency; n += 1) free.push(consumer);
    return free;
  }

  /** Fills the free hands, in one transaction that keeps the attempt before the work starts. */
  #take(): void {
    if (this.#isTaking || !this.#parts.lanes.hasReady || this.#freeConsumers().length === 0) return;
    this.#isTaking = true;
    const taken: Held[] = [];
    void this.#parts.commits
      .submit({
        durable: false,
        run: () => this.#fill(taken),
        committed: () => {
          this.#isTaking = false;
          for (const held of taken) this.#start(held);
          this.#take();
        },
      })
      .catch((error: unknown) => {
        this.#isTaking = false;
        for (const held of taken) this.#parts.lanes.release(held.lane);
        this.#tell(error, 'give out work');
        this.#armAt(this.#parts.clock.now() + AWAY_MS);
      });
  }

  #fill(taken: Held[]): void {
    const { lanes, clock } = this.#parts;
    for (const consumer of this.#freeConsumers()) {
      let lane = lanes.take();
      while (lane !== undefined) {
        const work = this.#takeHead(lane, clock.now());
        if (work !== undefined) {
          taken.push({ work, lane, consumer, isSettling: false });
          break;
        }
        lane = lanes.take();
      }
    }
  }

  /** The lane's first piece of work; a lane that could not be looked into is free again. */
  #takeHead(lane: string, now: number): Work | undefined {
    try {
      return this.#lookInto(lane, now);
    } catch (error) {
      this.#parts.lanes.release(lane);
      throw error;
    }
  }

  #lookInto(lane: string, now: number): Work | undefined {
    const { sql, lanes } = this.#parts;
    const { kind, name } = parseLane(lane);
    const row = sql.get(HEAD[kind], name);
    if (row === undefined) {
      lanes.drop(lane);
      return undefined;
    }
    const runAt = number(row, 'run_at');
    if (runAt > now) {
      lanes.block(lane, runAt);
      this.#armAt(runAt);
      return undefined;
    }
    const id = text(row, 'id');
    const of = kind === 'event' ? 'event' : 'effect';
    const isForgiven = this.#forgiven.has(forgivenKey(of, id));
    const attempt = number(row, 'attempts') + (isForgiven ? 0 : 1);
    sql.run(`UPDATE ${of}s SET attempts = ? WHERE id = ?`, attempt, id);
    return this.#toWork(kind, row, attempt);
  }

  #toWork(kind: LaneKind, row: Row, attempt: number): Work {
    this.#given += 1;
    const id = text(row, 'id');
    const token = `${this.#parts.boot}.${this.#given}`;
    if (kind === 'event') {
      const event = toEvent(row);
      return { kind: 'event', id, lane: event.key, attempt, event, token };
    }
    const effect = toEffect(row);
    return {
      kind: 'effect',
      id,
      lane: effect.lane,
      attempt,
      isFirst: isFirstTime(row, 0),
      ...waitsOf(row),
      reason: textOrNone(row, 'reason'),
      effect,
      token,
    };
  }

  #start(held: Held): void {
    const { consumer, work } = held;
    consumer.inHand += 1;
    this.#held.set(work.token, held);
    this.#forgiven.delete(forgivenKey(work.kind, work.id));
    void Promise.resolve(work)
      .then(consumer.options.consume)
      .then(
        () => toRedelivery(work.attempt),
        (error: unknown) => toRedelivery(work.attempt, error),
      )
      .then((redelivery) => {
        consumer.inHand -= 1;
        this.#giveBack(held, redelivery);
        if (consumer.inHand === 0) consumer.drained();
        return this.#take();
      });
  }

  /** What was not settled is given out again, a little later each time. */
  #giveBack(held: Held, { delayMs, countsAsAttempt }: Redelivery): void {
    const { work } = held;
    if (!this.#held.delete(work.token)) return;
    if (!countsAsAttempt) this.#forgiven.add(forgivenKey(work.kind, work.id));
    const until = this.#parts.clock.now() + delayMs;
    this.#parts.lanes.block(held.lane, until);
    this.#armAt(until);
  }

  /** One sleep, until the earliest time that matters. */
  #armAt(at: number): void {
    if (at >= this.#wakeAt || this.#consumers.size === 0) return;
    this.#sleep.abort();
    this.#sleep = new AbortController();
    this.#wakeAt = at;
    const ms = Math.min(Math.max(at - this.#parts.clock.now(), 0), LONGEST_SLEEP_MS);
    void this.#parts.clock.sleep(ms, this.#sleep.signal).then(
      () => this.#wake(),
      () => undefined,
    );
  }

  async #wake(): Promise<void> {
    const { commits, tables, lanes, clock } = this.#parts;
    this.#wakeAt = Infinity;
    try {
      const joined = await commits.submit({
        run: () => tables.joinTimers(clock.now()),
        durable: false,
      });
      for (const lane of joined) lanes.add(lane);
      this.#armAt(tables.nextTimerAt());
    } catch (error) {
      this.#tell(error, 'see which timers are due');
      this.#armAt(clock.now() + AWAY_MS);
    }
    this.#armAt(lanes.unblock(clock.now()));
    this.#take();
  }

  /** What fails because it is closing is no trouble. */
  #tell(error: unknown, doing: string): void {
    if (this.#consumers.size > 0) this.#parts.onTrouble(error, doing);
  }
}

function forgivenKey(kind: Work['kind'], id: string): string {
  return `${kind} ${id}`;
}
