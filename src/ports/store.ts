/**
 * The durable store: events, run states, effects and the ledger, and the queue that delivers work.
 *
 * Two adapters (embedded SQLite, pg-boss on PostgreSQL) pass one contract suite. Delivery is at-least-once: work whose
 * worker died is delivered again. That does not count as an attempt. The work is then suspect, and runs alone (see
 * `domain/event/suspicion.ts`).
 */
import type { ErrorCode } from '../domain/event/error-codes.ts';
import type { Effect } from '../domain/event/effect.ts';
import type { Event, EventStatus, NewEvent } from '../domain/event/event.ts';
import type { CallCounts, LedgerEntry } from '../domain/run/ledger.ts';
import type { Erasure, KeptData } from './erasure.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { StandupStore } from './standup-store.ts';

/** Work that a worker holds. */
export type Work = Held &
  (
    | { kind: 'event'; lane: string; event: Event }
    | {
        kind: 'effect';
        lane: string | undefined;
        /**
         * True only when no worker can have begun it: never delivered before, nor waiting while the store was closed.
         * In doubt false. Neither a retry that costs no attempt nor a requeue makes it true again.
         */
        isFirst: boolean;
        /** As the last {@link Settlement} to retry it said; absent where none did, and once it is requeued. */
        waits?: Waits;
        /** The reason of its last retry. */
        reason: string | undefined;
        effect: Effect;
      }
  );

export type EventWork = Extract<Work, { kind: 'event' }>;
export type EffectWork = Extract<Work, { kind: 'effect' }>;

interface Held {
  id: string;
  /** The installation whose work it is, where that is known. What follows from the work is theirs too. */
  installation?: number;
  /** From 1; an attempt that ended with the process does not count. */
  attempt: number;
  /** Times that the process ended, or the deadline passed, while this ran alone; absent for none. */
  endings?: number;
  token: string;
}

/** What an effect waits for to pass. */
export interface Waits {
  /** Of the failure. */
  code: ErrorCode;
  /** Milliseconds since the epoch, of the first of those in a row. */
  since: number;
  /** How many in a row; absent in what older versions kept. */
  times?: number;
}

export interface Snapshot {
  version: number;
  state: unknown;
}

export type EffectStatus = 'pending' | 'done' | 'superseded' | 'refused' | 'dead';

/** How work ends. All of it happens in one transaction, or none of it. */
export type Settlement =
  | {
      kind: 'finish';
      /** For an event: done, ignored or parked. For an effect: done, refused, superseded or dead. */
      status: Exclude<EventStatus, 'pending'> | Exclude<EffectStatus, 'pending'>;
      reason?: string;
      /** Saved only when the stored version is still `expected`; otherwise ConflictError and nothing is written. */
      state?: { key: string; expected: number; value: unknown };
      events?: NewEvent[];
      effects?: Effect[];
      /** Calls made to GitHub while the effect was carried out. */
      githubCalls?: CallCounts;
    }
  | {
      /** Give it out again, not before `delayMs`; the lane waits for it. */
      kind: 'retry';
      delayMs: number;
      reason: string;
      /** False when the delay is Quorum's or GitHub's limit: waiting is no failed attempt. */
      countsAsAttempt: boolean;
      /** Kept with an effect until another retry says otherwise. */
      waits?: Waits;
    };

export interface WorkerOptions {
  /** How many items run at once. */
  concurrency: number;
  /**
   * How many of these one installation may have, also while no other installation waits; no limit when absent. The store gives the
   * next free slot to the installation that has the fewest, and among equals in turn.
   */
  perInstallation?: number;
  /**
   * Settles the work exactly once, by `settle`. When it throws, the work is delivered again. `attempt` stays the same
   * when the error is retryable (nothing is wrong with the work), else it rises by one.
   */
  consume: (work: Work) => Promise<void>;
  /** Work that runs longer is delivered again, as a suspect; never when absent. */
  deadlineMs?: number;
}

export interface Worker {
  /** Takes no more work, waits at most `timeoutMs` for running work, then releases it without counting an attempt. */
  stop(timeoutMs: number): Promise<'drained' | 'abandoned'>;
}

export interface Store {
  /** Durable when it resolves. `duplicate`: the id is known, or the dedup key is (then it is kept as ignored). */
  append(events: NewEvent[]): Promise<('queued' | 'duplicate')[]>;
  load(key: string): Promise<Snapshot | undefined>;
  /** ConflictError when the work is no longer held by this token, or the state moved on. */
  settle(work: Work, settlement: Settlement): Promise<void>;
  work(options: WorkerOptions): Promise<Worker>;
  /** Puts dead or parked work back into the queue with fresh attempts; returns how many. */
  requeue(filter: { ids?: string[]; status: 'dead' | 'parked' }): Promise<number>;
  close(): Promise<void>;
  readonly records: Records;
  readonly erasure: Erasure & KeptData;
  readonly memory: MemoryIndex;
  readonly standups: StandupStore;
}

/**
 * Told of what a store does by itself and could not do; it tries all of it again. `doing` completes the sentence
 * "the store could not …".
 */
export type OnTrouble = (error: unknown, doing: string) => void;

/** The stored data, opened for reading only: nothing is written, even while another process has it open. */
export interface StoreReader {
  load(key: string): Promise<Snapshot | undefined>;
  close(): Promise<void>;
  readonly records: Pick<Records, 'events' | 'effects' | 'spent' | 'topSpenders' | 'calls'>;
  readonly erasure: KeptData;
  readonly standups: Pick<StandupStore, 'standups' | 'insights' | 'repositories' | 'load'>;
}

/** Reading what was kept, and the ledger. */
export interface Records extends Ledger {
  events(filter: RecordFilter): Promise<StoredEvent[]>;
  effects(filter: RecordFilter): Promise<StoredEffect[]>;
  /** How much waits, runs, is dead: for health, metrics and doctor. */
  counts(): Promise<StoreCounts>;
  ping(): Promise<void>;
}

/** What model calls cost, one entry for each. */
export interface Ledger {
  /**
   * Records a call before it is made, as an estimate, so that a crash never under-counts. An open reservation of this
   * id is replaced in the same transaction; what is settled stays.
   *
   * Reservations are made one after the other, across all callers. Each is compared with what was reserved before it.
   * It is kept only where it passes none of the limits.
   *
   * @returns what each limit sums up to with this call, kept or not
   */
  reserve(entry: LedgerEntry, limits?: readonly SpendLimit[]): Promise<number[]>;
  /** Replaces a reservation by what really happened (several entries when a call was repeated elsewhere). */
  settleCall(reservationId: string, entries: LedgerEntry[]): Promise<void>;
  spent(filter: SpendFilter): Promise<{ usd: number; unknownCalls: number; calls: number }>;
  /**
   * The calls of one stream that are settled, oldest first: what was reserved and is open is left out.
   *
   * @param of.since - ISO time of the oldest
   */
  calls(of: { key: string; since?: string; limit: number }): Promise<LedgerEntry[]>;
  /** Who spent most since then, the largest sum first. Calls without an installation are in no installation's sum. */
  topSpenders(of: SpenderFilter): Promise<Spender[]>;
}

export interface RecordFilter {
  key?: string;
  run?: string;
  status?: string;
  /** What ids end with: the step and kind of an effect, as in `3-comment`, or `-comment` for all of that kind. */
  idEnd?: string;
  /**
   * A piece of the data's JSON, such as `"purpose":"reflection"`. Quotes in a text of JSON are escaped: only the field itself
   * looks like this.
   */
  holds?: string;
  /** Newest first when true. */
  newestFirst?: boolean;
  limit: number;
}

export interface StoredEvent extends Event {
  status: EventStatus;
  reason: string | undefined;
  attempts: number;
  /** Position in the log: grows in the order in which events were reduced, without being dense; 0 while it waits. */
  seq: number;
  settledAt: string | undefined;
}

export interface StoredEffect extends Effect {
  status: EffectStatus;
  reason: string | undefined;
  attempts: number;
  githubCalls: CallCounts;
  createdAt: string;
  settledAt: string | undefined;
}

export interface StoreCounts {
  events: Record<EventStatus, number>;
  effects: Record<EffectStatus, number>;
  /** Age of the oldest waiting item that is due, in milliseconds. */
  lagMs: number;
}

export interface SpenderFilter {
  by: 'installation' | 'repository';
  /** ISO time. */
  since: string;
  /** Who did not pay for it. */
  exceptPayer?: SpendFilter['exceptPayer'];
  limit: number;
}

export interface Spender {
  /** Of the installation or repository. */
  id: number;
  usd: number;
}

/** The most that calls of a filter may cost together. */
export interface SpendLimit {
  filter: SpendFilter;
  capUsd: number;
}

export interface SpendFilter {
  installationId?: number;
  repositoryId?: number;
  key?: string;
  /** What keys begin with. */
  keyStart?: string;
  /** What keys do not begin with. */
  exceptKeyStart?: string;
  run?: string;
  /** The role that was asked, as the ledger names it. */
  role?: string;
  /** Number of the account that asked. */
  person?: number;
  /** Who did not pay for it. */
  exceptPayer?: NonNullable<LedgerEntry['payer']>;
  /** ISO time. */
  since?: string;
}
