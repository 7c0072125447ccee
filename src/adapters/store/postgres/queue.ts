/** Gives out the work that pg-boss hands us to consumers, keeps its claims alive, and ends or returns it. */
import type { Clock } from '../../../ports/clock.ts';
import type { OnTrouble, Settlement, Work, Worker, WorkerOptions } from '../../../ports/store.ts';
import { TransientError } from '../../../domain/errors.ts';
import { workLost } from '../failures.ts';
import { toRedelivery, type Redelivery } from '../pace.ts';
import { number, text, textOrNone, type Row } from '../row.ts';
import { isFirstTime, toEffect, toEvent, waitsOf } from '../rows.ts';
import type { Bell } from './bell.ts';
import { together, type Database } from './database.ts';
import type { Claim, Jobs, QueueName, Ticket } from './jobs.ts';
import { toToken, type Tables } from './tables.ts';

/** A worker's end of the queue. */
interface Consumer {
  options: WorkerOptions;
  inHand: number;
  /** Called when nothing is in hand any more. */
  drained: () => void;
}

interface Held {
  work: Work;
  claim: Claim;
  consumer: Consumer;
  isSettling: boolean;
}

export interface QueueParts {
  db: Database;
  jobs: Jobs;
  tables: Tables;
  bell: Bell;
  clock: Clock;
  onTrouble: OnTrouble;
}

/** Claims are refreshed this often: three times within pg-boss's shortest heartbeat of 10 s. */
const TOUCH_MS = 3000;
/** An idle worker looks again after this time, and twice as late each time that there was nothing. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 2000;
const TIMER_BATCH = 100;
/** Looking a moment too early would cost a whole round: our clock and the server's are read at different times. */
const SLACK_MS = 5;
/** Before a timer that is late, as another process has it in hand, is looked for again. */
const LATE_MS = 100;
/** Before work is given back once more when the database was away. */
const AWAY_MS = 1000;
const AT_ONCE: Redelivery = { delayMs: 0, countsAsAttempt: true };

export class Queue {
  readonly #parts: QueueParts;
  readonly #held = new Map<string, Held>();
  readonly #consumers = new Set<Consumer>();
  readonly #closed = new AbortController();
  #isFilling = false;
  #isWanted = false;
  #lookMs = FIRST_LOOK_MS;
  /** By our own clock. */
  #nextDueAt = 0;
  #sleep = new AbortController();
  #turn = 0;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  work(options: WorkerOptions): Worker {
    const consumer: Consumer = { options, inHand: 0, drained: () => undefined };
    this.#consumers.add(consumer);
    if (this.#consumers.size === 1) void this.#keepAlive();
    this.nudge();
    return { stop: (timeoutMs) => this.#stop(consumer, timeoutMs) };
  }

  /** There may be work now, and some more in `dueInMs`. */
  nudge(dueInMs = Infinity): void {
    this.#nextDueAt = Math.min(this.#nextDueAt, this.#parts.clock.now() + dueInMs + SLACK_MS);
    this.#lookMs = FIRST_LOOK_MS;
    this.#isWanted = true;
    void this.#fill();
  }

  /** ConflictError `work-lost` when the work is not held by this token. */
  async settle(work: Work, settlement: Settlement): Promise<void> {
    const held = this.#held.get(work.token);
    if (held === undefined || held.isSettling) throw workLost(work.id);
    held.isSettling = true;
    try {
      if (settlement.kind === 'retry') await this.#postpone(held, settlement);
      else await this.#finish(held, settlement);
    } finally {
      held.isSettling = false;
    }
  }

  async #finish(held: Held, settlement: Extract<Settlement, { kind: 'finish' }>): Promise<void> {
    const { db, tables, jobs, bell } = this.#parts;
    const sent = await db.transaction(async (tx) => {
      const [tickets] = await together([
        tables.finish(tx, held.work, settlement),
        jobs.remove(tx, [held.claim]),
      ]);
      await jobs.send(tx, tickets);
      return tickets;
    });
    this.#held.delete(held.work.token);
    if (sent.length > 0) bell.ring();
    this.nudge(this.dueIn(sent, settlement.events));
  }

  async #postpone(held: Held, settlement: Extract<Settlement, { kind: 'retry' }>): Promise<void> {
    const { db, tables, jobs } = this.#parts;
    await db.transaction(async (tx) => {
      const runAt = await tables.postpone(tx, held.work, settlement);
      if (!(await jobs.postpone(tx, held.claim, runAt))) throw workLost(held.work.id);
    });
    this.#held.delete(held.work.token);
    this.nudge(settlement.delayMs);
  }

  /** When the first of these events is due; Infinity when none of the jobs is a timer. */
  dueIn(tickets: readonly Ticket[], events: readonly { delayMs?: number }[] = []): number {
    if (!tickets.some(({ queue }) => queue === 'timer')) return Infinity;
    return Math.min(...events.map(({ delayMs }) => (delayMs ?? 0) || Infinity));
  }

  async close(): Promise<void> {
    this.#consumers.clear();
    this.#closed.abort();
    this.#sleep.abort();
    await Promise.all([...this.#held.values()].map((held) => this.#letGo(held)));
  }

  async #stop(consumer: Consumer, timeoutMs: number): Promise<'drained' | 'abandoned'> {
    this.#consumers.delete(consumer);
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
    if (end === 'drained') return end;
    const left = [...this.#held.values()].filter((held) => held.consumer === consumer);
    await Promise.all(left.map((held) => this.#letGo(held)));
    return end;
  }

  get #freeHands(): Consumer[] {
    const free: Consumer[] = [];
    for (const consumer of this.#consumers)
      for (let n = consumer.inHand; n < consumer.options.concurrency; n += 1) free.push(consumer);
    return free;
  }

  /** Fills free hands until nothing more is due; only one such loop runs. */
  async #fill(): Promise<void> {
    if (this.#isFilling || this.#consumers.size === 0) return;
    this.#isFilling = true;
    try {
      while (this.#isWanted && this.#consumers.size > 0) {
        this.#isWanted = false;
        await this.#joinTimers();
        if (await this.#takeSome()) this.#isWanted = true;
      }
    } catch (error) {
      this.#tell(error, 'give out work');
      this.#lookMs = LAST_LOOK_MS;
    }
    this.#isFilling = false;
    this.#lookLater();
  }

  /** Whether it took as much as it could, so that there may be more. */
  async #takeSome(): Promise<boolean> {
    const hands = this.#freeHands;
    if (hands.length === 0) return false;
    const claims = await this.#fetch(hands.length);
    if (claims.length === 0) return false;
    this.#lookMs = FIRST_LOOK_MS;
    const { db, tables, jobs } = this.#parts;
    const kept = new Set<Claim>();
    const [events, effects] = await together([
      tables.take(db, 'event', claims),
      tables.take(db, 'effect', claims),
    ]);
    for (const [kind, rows] of [['event', events] as const, ['effect', effects] as const])
      for (const row of rows) {
        const claim = claims.find((each) => each.kind === kind && each.id === row['id']);
        const consumer = hands.pop();
        if (claim === undefined || consumer === undefined) continue;
        kept.add(claim);
        this.#start({ work: toWork(row, claim), claim, consumer, isSettling: false });
      }
    await jobs.remove(
      db,
      claims.filter((claim) => !kept.has(claim)),
    );
    return true;
  }

  /** Lanes and free effects come first in turn, so that neither starves. */
  async #fetch(limit: number): Promise<Claim[]> {
    this.#turn += 1;
    const order: QueueName[] = this.#turn % 2 === 0 ? ['lane', 'free'] : ['free', 'lane'];
    const claims: Claim[] = [];
    for (const name of order)
      if (claims.length < limit)
        claims.push(...(await this.#parts.jobs.fetch(name, limit - claims.length)));
    return claims;
  }

  async #joinTimers(): Promise<void> {
    const { db, tables, jobs, clock, bell } = this.#parts;
    if (clock.now() < this.#nextDueAt) return;
    this.#nextDueAt = Infinity;
    const claims = await jobs.fetch('timer', TIMER_BATCH);
    if (claims.length > 0) {
      await db.transaction(async (tx) => {
        const tickets = await tables.joinTimers(
          tx,
          claims.map(({ id }) => id),
        );
        await jobs.remove(tx, claims);
        await jobs.send(tx, tickets);
      });
      bell.ring();
    }
    const wait = claims.length === TIMER_BATCH ? 0 : await tables.nextDueInMs(db);
    this.#nextDueAt = Math.min(
      this.#nextDueAt,
      clock.now() + (wait < 0 ? LATE_MS : wait + SLACK_MS),
    );
  }

  #start(held: Held): void {
    const { consumer, work } = held;
    consumer.inHand += 1;
    this.#held.set(work.token, held);
    void Promise.resolve(work)
      .then(consumer.options.consume)
      .then(
        () => toRedelivery(work.attempt),
        (error: unknown) => toRedelivery(work.attempt, error),
      )
      .then((redelivery) => this.#giveBack(held, redelivery))
      .finally(() => {
        consumer.inHand -= 1;
        if (consumer.inHand === 0) consumer.drained();
        this.nudge();
      });
  }

  /** What was not settled is given out again later. While the database is away its claim is kept, and this is tried again. */
  async #giveBack(held: Held, redelivery: Redelivery): Promise<void> {
    const { clock } = this.#parts;
    while (this.#isHeld(held) && !this.#closed.signal.aborted) {
      const failure = await this.#return(held, redelivery);
      if (failure !== undefined) this.#tell(failure, 'give back a piece of work');
      if (!(failure instanceof TransientError)) this.#held.delete(held.work.token);
      else await clock.sleep(AWAY_MS, this.#closed.signal).catch(() => undefined);
    }
  }

  /** Tries once; when that cannot be written, the claim runs out. */
  async #letGo(held: Held): Promise<void> {
    if (this.#isHeld(held)) await this.#return(held, AT_ONCE);
    this.#held.delete(held.work.token);
  }

  /** What fails because it is closing is no trouble. */
  #tell(error: unknown, doing: string): void {
    if (!this.#closed.signal.aborted) this.#parts.onTrouble(error, doing);
  }

  #isHeld({ work }: Held): boolean {
    return this.#held.has(work.token);
  }

  /** The error when it could not be written. */
  async #return(held: Held, redelivery: Redelivery): Promise<unknown> {
    const settlement = { kind: 'retry', reason: 'not settled', ...redelivery } as const;
    return this.#postpone(held, settlement).catch((error: unknown) => error);
  }

  #lookLater(): void {
    if (this.#consumers.size === 0) return;
    this.#sleep.abort();
    this.#sleep = new AbortController();
    const { clock } = this.#parts;
    const ms = Math.min(this.#lookMs, Math.max(0, this.#nextDueAt - clock.now()));
    this.#lookMs = Math.min(this.#lookMs * 2, LAST_LOOK_MS);
    void clock.sleep(ms, this.#sleep.signal).then(
      () => this.#look(),
      () => undefined,
    );
  }

  /** Others may have set timers: at the slowest pace those are looked for too. */
  #look(): void {
    if (this.#lookMs === LAST_LOOK_MS) this.#nextDueAt = 0;
    this.#isWanted = true;
    void this.#fill();
  }

  async #keepAlive(): Promise<void> {
    const { clock, jobs } = this.#parts;
    const { signal } = this.#closed;
    while (!signal.aborted && (this.#consumers.size > 0 || this.#held.size > 0)) {
      try {
        await clock.sleep(TOUCH_MS, signal);
        await jobs.touch([...this.#held.values()].map(({ claim }) => claim));
      } catch (error) {
        // A claim that runs out is refused when it is settled.
        this.#tell(error, 'keep its claims');
      }
    }
  }
}

function toWork(row: Row, claim: Claim): Work {
  const common = { id: text(row, 'id'), attempt: number(row, 'attempts'), token: toToken(claim) };
  if (claim.kind === 'event') {
    const event = toEvent(row);
    return { ...common, kind: 'event', lane: event.key, event };
  }
  const effect = toEffect(row);
  const isFirst = isFirstTime(row, 1);
  const reason = textOrNone(row, 'reason');
  const told = { isFirst, reason, ...waitsOf(row) };
  return { ...common, kind: 'effect', lane: effect.lane, ...told, effect };
}
