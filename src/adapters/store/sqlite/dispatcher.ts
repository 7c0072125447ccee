/** Looks into lanes for what can be given out, and writes down that it is in hand. Runs inside a transaction. */
import type { Suspicion } from '../../../domain/event/suspicion.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Work } from '../../../ports/store.ts';
import type { Consumer } from '../queue/consumers.ts';
import { number, text, textOrNone, type Row } from '../row.ts';
import { installationIn, isFirstTime, suspicionOf, toEffect, toEvent, waitsOf } from '../rows.ts';
import type { Shares } from '../queue/shares.ts';
import type { Solo, Turn } from '../queue/solo.ts';
import { parseLane, type LaneKind, type Lanes } from './lanes.ts';
import type { Sql } from './sql.ts';
import { holdWork } from './suspects.ts';

/** A piece of work that a consumer has. */
export interface Held {
  work: Work;
  lane: string;
  consumer: Consumer;
  since: number;
  /** Of one that began alone. */
  suspicion: Suspicion | undefined;
  isSettling: boolean;
  isOverdue: boolean;
}

/** The first piece of work of a lane. */
const HEAD = {
  event: `SELECT * FROM events WHERE key = ? AND status = 'pending' AND place IS NOT NULL ORDER BY place LIMIT 1`,
  lane: `SELECT * FROM effects WHERE lane = ? AND status = 'pending' ORDER BY place LIMIT 1`,
  free: `SELECT * FROM effects WHERE id = ? AND status = 'pending'`,
} as const satisfies Record<LaneKind, string>;

export interface DispatcherParts {
  sql: Sql;
  lanes: Lanes;
  solo: Solo<string>;
  clock: Clock;
  /** Counts the openings of this store, so that no token of an earlier one is ever valid. */
  boot: number;
  /** Told when a lane has to be looked into again. */
  armAt: (at: number) => void;
}

/** What was given out in this round, and what each installation has with it. */
interface Filling {
  taken: Held[];
  shares: Shares;
}

type Giving = Extract<Turn<string>, { kind: 'all' | 'alone' }>;

export class Dispatcher {
  readonly #parts: DispatcherParts;
  /** Work whose last attempt does not count. Kept here, as the store may be unable to take it down just then. */
  readonly #forgiven = new Set<string>();
  #given = 0;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Fills free hands; a suspect whose turn it is gets the first of them alone. */
  fill(turn: Giving, consumers: readonly Consumer[], { taken, shares }: Filling): void {
    if (turn.kind === 'alone') return this.#fillAlone(turn, { consumer: consumers[0], taken });
    const { lanes } = this.#parts;
    for (const consumer of consumers) {
      let next = lanes.take(shares);
      while (next !== undefined) {
        const held = this.#takeHead(next.lane, consumer);
        if (held !== undefined) {
          taken.push(held);
          shares.give(held.work);
          break;
        }
        next = lanes.take(shares);
      }
    }
  }

  #fillAlone(
    { item: lane, suspicion }: Extract<Giving, { kind: 'alone' }>,
    { consumer, taken }: { consumer: Consumer | undefined; taken: Held[] },
  ): void {
    if (consumer === undefined) return;
    // When this fails the lane is free again, and found to be suspect again.
    this.#parts.solo.remove(lane);
    const held = this.#takeHead(lane, consumer, suspicion);
    if (held !== undefined) taken.push(held);
  }

  /** The lane's first piece of work; a lane that could not be looked into is free again. */
  #takeHead(lane: string, consumer: Consumer, alone?: Suspicion): Held | undefined {
    try {
      const work = this.#lookInto(lane, alone);
      if (work === undefined) return undefined;
      const since = this.#parts.clock.now();
      return { work, lane, consumer, since, suspicion: alone, isSettling: false, isOverdue: false };
    } catch (error) {
      this.#parts.lanes.release(lane);
      throw error;
    }
  }

  #lookInto(lane: string, alone: Suspicion | undefined): Work | undefined {
    const { sql, lanes, clock } = this.#parts;
    const { kind, name } = parseLane(lane);
    const row = sql.get(HEAD[kind], name);
    if (row === undefined) {
      lanes.drop(lane);
      return undefined;
    }
    const runAt = number(row, 'run_at');
    if (runAt > clock.now()) {
      lanes.block(lane, runAt);
      this.#parts.armAt(runAt);
      return undefined;
    }
    const suspicion = suspicionOf(row);
    if (suspicion !== undefined && alone === undefined) {
      lanes.hold({ lane, installation: installationIn(row) });
      this.#parts.solo.add(lane, suspicion);
      return undefined;
    }
    return this.#give(kind, row, suspicion && alone);
  }

  #give(kind: LaneKind, row: Row, suspicion: Suspicion | undefined): Work {
    const id = text(row, 'id');
    const of = kind === 'event' ? 'event' : 'effect';
    const isForgiven = this.#forgiven.has(forgivenKey(of, id));
    const attempts = number(row, 'attempts') + (isForgiven ? 0 : 1);
    holdWork(this.#parts.sql, { kind: of, id }, { attempts, suspicion });
    const work = this.#toWork(kind, row, attempts - number(row, 'interruptions'));
    const endings = suspicion?.endings ?? 0;
    return endings === 0 ? work : { ...work, endings };
  }

  #toWork(kind: LaneKind, row: Row, attempt: number): Work {
    this.#given += 1;
    const id = text(row, 'id');
    const token = `${this.#parts.boot}.${this.#given}`;
    const installation = installationIn(row);
    if (kind === 'event') {
      const event = toEvent(row);
      return { kind: 'event', id, installation, lane: event.key, attempt, event, token };
    }
    const effect = toEffect(row);
    return {
      kind: 'effect',
      id,
      installation,
      lane: effect.lane,
      attempt,
      isFirst: isFirstTime(row, 0),
      ...waitsOf(row),
      reason: textOrNone(row, 'reason'),
      effect,
      token,
    };
  }

  /** It was taken down that this is in hand. */
  begun({ kind, id }: Work): void {
    this.#forgiven.delete(forgivenKey(kind, id));
  }

  /** The attempt that just ended does not count. */
  forgive({ kind, id }: Work): void {
    this.#forgiven.add(forgivenKey(kind, id));
  }
}

function forgivenKey(kind: Work['kind'], id: string): string {
  return `${kind} ${id}`;
}
