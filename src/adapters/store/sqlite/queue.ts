/** Gives out work to consumers as soon as there is some: lanes one at a time, lanes beside each other. */
import { afterDeadline, endAlone, type Suspicion } from '../../../domain/event/suspicion.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { OnTrouble, Settlement, Work, Worker, WorkerOptions } from '../../../ports/store.ts';
import type { Arrivals } from '../queue/arrivals.ts';
import { Consumer, withRoom } from '../queue/consumers.ts';
import { workLost } from '../failures.ts';
import { toRedelivery, type Redelivery } from '../queue/pace.ts';
import { Shares } from '../queue/shares.ts';
import { Solo } from '../queue/solo.ts';
import type { GroupCommit } from './group-commit.ts';
import { Dispatcher, type Held } from './dispatcher.ts';
import type { Lanes } from './lanes.ts';
import type { Sql } from './sql.ts';
import { acquit, findSuspects, interrupt, keepSuspicion } from './suspects.ts';
import { type Nudge, type Tables } from './sqlite-tables.ts';
import { effectLane, eventLane } from './lanes.ts';

export interface QueueParts {
  sql: Sql;
  tables: Tables;
  commits: GroupCommit;
  lanes: Lanes;
  arrivals: Arrivals;
  clock: Clock;
  /** Counts the openings of this store, so that no token of an earlier one is ever valid. */
  boot: number;
  onTrouble: OnTrouble;
}

/** The longest sleep: a clock that was set is noticed within this time. */
const LONGEST_SLEEP_MS = 60_000;
/** Before work is looked for again when the database could not be written. */
const AWAY_MS = 1000;
/** Between two looks for work that passed its deadline. */
const LONGEST_LOOK_MS = 60_000;

export class Queue {
  readonly #parts: QueueParts;
  readonly #held = new Map<string, Held>();
  readonly #consumers = new Set<Consumer>();
  /** Lanes whose first piece of work is suspect: {@link Lanes} has them as held. */
  readonly #solo: Solo<string>;
  readonly #dispatcher: Dispatcher;
  /** Being given out: written, and perhaps not begun. */
  #taking: Held[] | undefined;
  #isClosed = false;
  #wakeAt = Infinity;
  #sleep = new AbortController();
  /** Holds the process open while a worker is there: an idle one waits for nothing else. */
  #alive: NodeJS.Timeout | undefined;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    for (const row of parts.sql.all(
      `SELECT key, max(installation) AS installation FROM events
       WHERE status = 'pending' AND place IS NOT NULL GROUP BY key ORDER BY min(place)`,
    ))
      parts.lanes.add(eventLane(row));
    for (const row of parts.sql.all(
      `SELECT id, lane, installation FROM effects WHERE status = 'pending' ORDER BY place`,
    ))
      parts.lanes.add(effectLane(row));
    this.#solo = new Solo(parts.clock.now());
    this.#dispatcher = new Dispatcher({
      ...parts,
      solo: this.#solo,
      armAt: (at) => this.#armAt(at),
    });
    for (const { suspicion, ...owned } of findSuspects(parts.sql)) {
      parts.lanes.hold(owned);
      this.#solo.add(owned.lane, suspicion);
    }
  }

  /** Ids in hand. */
  get inHand(): Set<string> {
    return new Set([...this.#held.values()].map(({ work }) => work.id));
  }

  /** Starts a worker. */
  work(options: WorkerOptions): Worker {
    const consumer = new Consumer(options);
    this.#consumers.add(consumer);
    const { deadlineMs = Infinity } = options;
    this.#alive ??= setInterval(
      () => this.#endOverdue(),
      Math.min(LONGEST_LOOK_MS, deadlineMs / 2),
    );
    this.#armAt(this.#parts.tables.nextTimerAt());
    this.#armAt(this.#parts.lanes.unblock(this.#parts.clock.now()));
    this.#take();
    return { stop: (timeoutMs) => this.#stop(consumer, timeoutMs) };
  }

  /** Looks at what a committed write brought. */
  nudge(nudges: Iterable<Nudge>): void {
    for (const nudge of nudges) {
      if ('lane' in nudge) this.#parts.lanes.add(nudge);
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
          this.#drop(held);
          lanes.block(lane, until);
          this.#armAt(until);
        },
      });
    return commits.submit({
      run: () => tables.finish(work, settlement, clock.now()),
      committed: (nudges) => {
        this.#drop(held);
        lanes.release(lane);
        this.nudge(nudges);
      },
    });
  }

  /** Stops giving out work, and lets go of what is in hand: the end of the process is an orderly one. */
  close(): void {
    this.#isClosed = true;
    this.#sleep.abort();
    this.#consumers.clear();
    clearInterval(this.#alive);
    this.#interrupt([...this.#held.values(), ...(this.#taking ?? [])]).catch(() => undefined);
    this.#held.clear();
  }

  async #stop(consumer: Consumer, timeoutMs: number): Promise<'drained' | 'abandoned'> {
    this.#consumers.delete(consumer);
    if (this.#consumers.size === 0) {
      clearInterval(this.#alive);
      this.#alive = undefined;
    }
    const end = await consumer.drain(timeoutMs, this.#parts.clock);
    if (end === 'drained') return end;
    const left = [...this.#held.values()].filter((held) => held.consumer === consumer);
    for (const held of left) this.#drop(held);
    await this.#letGo(left);
    return end;
  }

  /** Gives back what was dropped: its lanes are free once that is written. */
  async #letGo(left: readonly Held[], suspicion?: Suspicion): Promise<void> {
    await this.#interrupt(left, suspicion).catch((error: unknown) =>
      this.#tell(error, 'give back a piece of work'),
    );
    for (const { lane } of left) this.#parts.lanes.release(lane);
    this.#take();
  }

  #interrupt(left: readonly Held[], suspicion?: Suspicion): Promise<void> {
    const { commits, sql } = this.#parts;
    return commits.submit({
      durable: false,
      run: () => {
        for (const { work } of left) interrupt(sql, work, suspicion);
      },
    });
  }

  /** Work that hangs does not block others: it can be claimed again, and the late worker is refused at settling. */
  #endOverdue(): void {
    const now = this.#parts.clock.now();
    for (const held of this.#held.values()) {
      const { deadlineMs = Infinity } = held.consumer.options;
      if (now - held.since < deadlineMs || held.isSettling) continue;
      held.isOverdue = true;
      this.#drop(held);
      held.consumer.end();
      this.#tell(new Error(`${held.work.id} passed its deadline`), 'wait for the end of its work');
      void this.#letGo([held], afterDeadline(held.suspicion));
    }
  }

  #drop({ work }: Held): boolean {
    this.#solo.end(work.token);
    return this.#held.delete(work.token);
  }

  *#begunAt(): Iterable<number> {
    for (const { since } of this.#held.values()) yield since;
  }

  /** Fills the free hands, in one transaction that keeps the attempt before the work starts. */
  #take(): void {
    const { clock, commits, lanes, arrivals } = this.#parts;
    if (this.#taking !== undefined || this.#consumers.size === 0) return;
    const now = clock.now();
    const { waitMs, most } = arrivals.pace(now);
    if (waitMs > 0) return this.#armAt(now + waitMs);
    const turn = this.#solo.turn(now, () => this.#begunAt());
    if ('until' in turn && turn.until < Infinity) this.#armAt(turn.until);
    const shares = new Shares(this.#consumers, this.#held.values());
    if (turn.kind === 'none' || (turn.kind === 'all' && !lanes.hasReady(shares))) return;
    // Time alone ends in a full process too: a later end of the process is no evidence.
    const free = (): Consumer[] => withRoom(this.#consumers).slice(0, most);
    if (turn.kind !== 'over' && free().length === 0) return;
    arrivals.started(now);
    const taken: Held[] = [];
    this.#taking = taken;
    void commits
      .submit({
        durable: false,
        run: () => {
          if (turn.kind === 'over') this.#endAlone(turn.token);
          else this.#dispatcher.fill(turn, free(), { taken, shares });
        },
        committed: () => {
          this.#taking = undefined;
          if (turn.kind === 'over') this.#solo.outlive(clock.now());
          for (const held of taken) this.#start(held);
          this.#take();
        },
      })
      .catch((error: unknown) => {
        this.#taking = undefined;
        for (const held of taken) lanes.release(held.lane);
        this.#tell(error, 'give out work');
        this.#armAt(clock.now() + AWAY_MS);
      });
  }

  #endAlone(token: string): void {
    const held = this.#held.get(token);
    if (held?.suspicion !== undefined)
      keepSuspicion(this.#parts.sql, held.work, endAlone(held.suspicion));
  }

  #start(held: Held): void {
    if (this.#isClosed) return;
    const { consumer, work, suspicion } = held;
    consumer.begin();
    this.#held.set(work.token, held);
    if (suspicion !== undefined) this.#solo.begin(work.token, suspicion, held.since);
    this.#dispatcher.begun(work);
    void Promise.resolve(work)
      .then(consumer.options.consume)
      .then(
        () => toRedelivery(work.attempt),
        (error: unknown) => toRedelivery(work.attempt, error),
      )
      .then((redelivery) => {
        if (held.isOverdue) return undefined;
        this.#giveBack(held, redelivery);
        consumer.end();
        return this.#take();
      });
  }

  /** What was not settled is given out again, a little later each time. */
  #giveBack(held: Held, { delayMs, countsAsAttempt }: Redelivery): void {
    const { work, lane } = held;
    if (!this.#drop(held)) return;
    if (!countsAsAttempt) this.#dispatcher.forgive(work);
    const { commits, sql, clock, lanes } = this.#parts;
    // When this cannot be written it is suspect after the next end of the process, no more.
    commits.submit({ durable: false, run: () => acquit(sql, work) }).catch(() => undefined);
    const until = clock.now() + delayMs;
    lanes.block(lane, until);
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
