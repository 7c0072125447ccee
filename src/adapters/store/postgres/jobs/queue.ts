/** Gives out the work that pg-boss hands us to consumers, keeps its claims alive, and ends or returns it. */
import type { Clock } from '../../../../ports/clock.ts';
import type {
  OnTrouble,
  Settlement,
  Work,
  Worker,
  WorkerOptions,
} from '../../../../ports/store.ts';
import { TransientError } from '../../../../domain/event/errors.ts';
import { afterDeadline, endAlone, type Suspicion } from '../../../../domain/event/suspicion.ts';
import type { Arrivals } from '../../queue/arrivals.ts';
import { Consumer, withRoom } from '../../queue/consumers.ts';
import { workLost } from '../../failures.ts';
import { toRedelivery, type Redelivery } from '../../queue/pace.ts';
import { Shares } from '../../queue/shares.ts';
import type { Turn } from '../../queue/solo.ts';
import { AloneClaims } from './alone-claims.ts';
import type { Bell } from './bell.ts';
import { together, type Database } from '../database.ts';
import { createFinishBatch, type FinishBatch } from './finish-batch.ts';
import type { Claim, Jobs, Ticket } from './jobs.ts';
import type { Suspects } from './suspects.ts';
import type { Tables } from '../postgres-tables.ts';
import { Timers } from './timers.ts';
import { toWork } from './work.ts';

interface Held {
  work: Work;
  claim: Claim;
  consumer: Consumer;
  since: number;
  /** Of one that began alone. */
  suspicion: Suspicion | undefined;
  isSettling: boolean;
  isOverdue: boolean;
}

export interface QueueParts {
  db: Database;
  jobs: Jobs;
  tables: Tables;
  suspects: Suspects;
  bell: Bell;
  arrivals: Arrivals;
  clock: Clock;
  onTrouble: OnTrouble;
}

/** Claims are refreshed this often: three times within pg-boss's shortest heartbeat of 10 s. */
const TOUCH_MS = 3000;
/** An idle worker looks again after this time, and twice as late each time that there was nothing. */
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 2000;
/** Before work is given back once more when the database was away. */
const AWAY_MS = 1000;
export class Queue {
  readonly #parts: QueueParts;
  readonly #held = new Map<string, Held>();
  readonly #consumers = new Set<Consumer>();
  readonly #closed = new AbortController();
  readonly #alone: AloneClaims;
  readonly #timers: Timers;
  readonly #finishes: FinishBatch;
  #isFilling = false;
  #isWanted = false;
  #lookMs = FIRST_LOOK_MS;
  #sleep = new AbortController();

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#timers = new Timers(parts);
    this.#finishes = createFinishBatch(parts);
    this.#alone = new AloneClaims(parts, (delayMs) => this.nudge(delayMs));
  }

  work(options: WorkerOptions): Worker {
    const consumer = new Consumer(options);
    this.#consumers.add(consumer);
    if (this.#consumers.size === 1) void this.#keepAlive();
    this.nudge();
    return { stop: (timeoutMs) => this.#stop(consumer, timeoutMs) };
  }

  /** There may be work now, and some more in `dueInMs`. */
  nudge(dueInMs = Infinity): void {
    this.#timers.expect(dueInMs);
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
    const { work, claim } = held;
    const sent = await this.#finishes.add({ work, claim, settlement });
    this.#drop(held);
    if (sent.length > 0) this.#parts.bell.ring();
    this.nudge(this.dueIn(sent, settlement.events));
  }

  async #postpone(held: Held, settlement: Extract<Settlement, { kind: 'retry' }>): Promise<void> {
    const { db, tables, jobs } = this.#parts;
    await db.transaction(async (tx) => {
      const runAt = await tables.postpone(tx, held.work, settlement);
      if (!(await jobs.postpone(tx, held.claim, runAt))) throw workLost(held.work.id);
    });
    this.#drop(held);
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
    await this.#alone.deferAll();
  }

  async #stop(consumer: Consumer, timeoutMs: number): Promise<'drained' | 'abandoned'> {
    this.#consumers.delete(consumer);
    if (this.#consumers.size === 0) await this.#alone.deferAll();
    const end = await consumer.drain(timeoutMs, this.#parts.clock);
    if (end === 'drained') return end;
    const left = [...this.#held.values()].filter((held) => held.consumer === consumer);
    await Promise.all(left.map((held) => this.#letGo(held)));
    return end;
  }

  /** Fills free hands until nothing more is due; only one such loop runs. */
  async #fill(): Promise<void> {
    if (this.#isFilling || this.#consumers.size === 0) return;
    this.#isFilling = true;
    try {
      while (this.#isWanted && this.#consumers.size > 0) {
        this.#isWanted = false;
        await this.#timers.join();
        if (await this.#claimSome()) this.#isWanted = true;
      }
    } catch (error) {
      this.#tell(error, 'give out work');
      this.#lookMs = LAST_LOOK_MS;
    }
    this.#isFilling = false;
    this.#lookLater();
  }

  /** Whether it took as much as it could, so that there may be more. */
  async #claimSome(): Promise<boolean> {
    const { arrivals, clock } = this.#parts;
    const now = clock.now();
    const { waitMs, most } = arrivals.pace(now);
    if (waitMs > 0) {
      this.#lookMs = waitMs;
      return false;
    }
    const turn = this.#alone.solo.turn(now, () => this.#begunAt());
    // Time alone ends in a full process too: a later end of the process is no evidence.
    if (turn.kind === 'over') {
      await this.#endAlone(turn.token);
      return true;
    }
    const consumers = withRoom(this.#consumers).slice(0, most);
    const [first] = consumers;
    if (first === undefined) return false;
    arrivals.started(now);
    switch (turn.kind) {
      case 'none':
        return false;
      case 'alone':
        await this.#claimAlone(turn, first);
        return true;
      case 'all':
        return this.#claimFree(consumers);
    }
  }

  async #claimFree(hands: Consumer[]): Promise<boolean> {
    const shares = new Shares(this.#consumers, this.#held.values());
    const claims = await this.#parts.jobs.claim(hands.length, shares);
    if (claims.length === 0) return false;
    this.#lookMs = FIRST_LOOK_MS;
    const { db, tables } = this.#parts;
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
        this.#start({ work: toWork(row, claim), claim, consumer });
      }
    await this.#alone.keep(claims.filter((claim) => !kept.has(claim)));
    return true;
  }

  async #claimAlone(
    { item: claim, suspicion }: Extract<Turn<Claim>, { kind: 'alone' }>,
    consumer: Consumer,
  ): Promise<void> {
    const work = await this.#alone.take(claim, suspicion);
    if (work !== undefined) this.#start({ work, claim, consumer, suspicion });
  }

  async #endAlone(token: string): Promise<void> {
    const { db, suspects, clock } = this.#parts;
    const held = this.#held.get(token);
    if (held?.suspicion !== undefined) await suspects.keep(db, held.work, endAlone(held.suspicion));
    this.#alone.solo.outlive(clock.now());
  }

  *#begunAt(): Iterable<number> {
    for (const { since } of this.#held.values()) yield since;
  }

  #start(given: Pick<Held, 'work' | 'claim' | 'consumer'> & { suspicion?: Suspicion }): void {
    const { consumer, work, suspicion } = given;
    const since = this.#parts.clock.now();
    const held: Held = { ...given, suspicion, since, isSettling: false, isOverdue: false };
    consumer.begin();
    this.#held.set(work.token, held);
    if (suspicion !== undefined) this.#alone.solo.begin(work.token, suspicion, since);
    void Promise.resolve(work)
      .then(consumer.options.consume)
      .then(
        () => toRedelivery(work.attempt),
        (error: unknown) => toRedelivery(work.attempt, error),
      )
      .then((redelivery) => this.#giveBack(held, redelivery))
      .finally(() => {
        if (!held.isOverdue) consumer.end();
        this.nudge();
      });
  }

  /** What was not settled is given out again later. While the database is away its claim is kept, and this is tried again. */
  async #giveBack(held: Held, redelivery: Redelivery): Promise<void> {
    const { clock } = this.#parts;
    while (this.#held.has(held.work.token) && !this.#closed.signal.aborted) {
      const failure = await this.#return(held, redelivery);
      if (failure !== undefined) this.#tell(failure, 'give back a piece of work');
      if (!(failure instanceof TransientError)) this.#drop(held);
      else await clock.sleep(AWAY_MS, this.#closed.signal).catch(() => undefined);
    }
  }

  /** Tries once; when that cannot be written, the claim runs out. */
  async #letGo(held: Held, suspicion?: Suspicion): Promise<void> {
    const { db, suspects, jobs } = this.#parts;
    if (!this.#drop(held)) return;
    await db
      .transaction(async (tx) => {
        const runAt = await suspects.interrupt(tx, held.work, suspicion);
        await jobs.postpone(tx, held.claim, runAt);
      })
      .catch((error: unknown) => this.#tell(error, 'give back a piece of work'));
    this.nudge();
  }

  /** Work that hangs does not block others: it can be claimed again, and the late worker is refused at settling. */
  async #endOverdue(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const held of this.#held.values()) {
      const { deadlineMs = Infinity } = held.consumer.options;
      if (now - held.since < deadlineMs || held.isSettling) continue;
      held.isOverdue = true;
      held.consumer.end();
      this.#tell(new Error(`${held.work.id} passed its deadline`), 'wait for the end of its work');
      await this.#letGo(held, afterDeadline(held.suspicion));
    }
  }

  #drop({ work }: Held): boolean {
    this.#alone.solo.end(work.token);
    return this.#held.delete(work.token);
  }

  /** What fails because it is closing is no trouble. */
  #tell(error: unknown, doing: string): void {
    if (!this.#closed.signal.aborted) this.#parts.onTrouble(error, doing);
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
    const ms = Math.min(this.#lookMs, this.#timers.waitMs);
    this.#lookMs = Math.min(this.#lookMs * 2, LAST_LOOK_MS);
    void clock.sleep(ms, this.#sleep.signal).then(
      () => this.#look(),
      () => undefined,
    );
  }

  /** Others may have set timers: at the slowest pace those are looked for too. */
  #look(): void {
    if (this.#lookMs === LAST_LOOK_MS) this.#timers.expect(-Infinity);
    this.#isWanted = true;
    void this.#fill();
  }

  async #keepAlive(): Promise<void> {
    const { clock, jobs } = this.#parts;
    const { signal } = this.#closed;
    while (!signal.aborted && (this.#consumers.size > 0 || this.#held.size > 0)) {
      try {
        await clock.sleep(TOUCH_MS, signal);
        const held = [...this.#held.values()].map(({ claim }) => claim);
        await jobs.touch([...held, ...this.#alone.solo.waiting]);
        await this.#endOverdue();
      } catch (error) {
        // A claim that runs out is refused when it is settled.
        this.#tell(error, 'keep its claims');
      }
    }
  }
}
