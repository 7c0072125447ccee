/** Keeps calls to one endpoint within a number at a time and a number per minute, shared by installations in turn. */
import { TransientError } from '../../../domain/event/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import {
  requestTurn,
  finishTurn,
  grantTurns,
  isNextOfItsOwn,
  keepTurn,
  cancelTurn,
  mostOf,
  noTurns,
  rateWaitMs,
  type Limits,
  type Turns,
  type Waiting,
} from './turns.ts';

export type { Limits } from './turns.ts';

/** Who wants a turn. */
export interface Caller {
  /** Whose turn it is: the installation. */
  who: string;
  signal: AbortSignal | undefined;
  /** How long it waits at most. */
  maxWaitMs: number;
}

export interface Limiter {
  /**
   * Waits for a turn, as long as the caller is patient.
   *
   * @throws TransientError `model-busy` for too long a wait, or the signal's reason
   */
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

/** A caller that has to wait longer waits in the queue, where it holds no worker's slot. */
export const PATIENCE_MS = 300;
/** Retries are not scheduled sooner. */
const SOONEST_RETRY_MS = 1_000;
/** A new minute and the end of a kept turn raise no event. */
const LOOK_MS = 1_000;
/** Before anything is known of how long calls take. */
const FIRST_GUESS_MS = 2_000;
/** Whose turn is next looks again so soon at the latest: meanwhile a slot may stay empty for it. */
const LONGEST_NEXT_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;
/** The queue adds up to a fifth, and takes its time. */
const KEPT_FOR = 1.5;
const KEPT_MORE_MS = 1_000;

interface Office {
  clock: Clock;
  turns: Turns;
  count: number;
  /** How to wake those that wait, by id. */
  wake: Map<number, () => void>;
  /** How long a call takes, more or less. */
  callMs: number;
}

/** One limiter belongs to one endpoint and key. */
export function createLimiter(limits: Limits, clock: Clock): Limiter {
  const office: Office = {
    clock,
    turns: noTurns(limits),
    count: 0,
    wake: new Map(),
    callMs: FIRST_GUESS_MS,
  };
  return {
    async run(caller, work) {
      await waitForTurn(office, caller);
      const began = clock.now();
      try {
        return await work();
      } finally {
        office.callMs = (office.callMs * 3 + (clock.now() - began)) / 4;
        office.turns = finishTurn(office.turns, caller.who);
        callNext(office);
      }
    },
  };
}

/** Assigns free slots and wakes their callers. */
function callNext(office: Office): void {
  const { turns, granted } = grantTurns(office.turns, office.clock.now());
  office.turns = turns;
  for (const { id } of granted) {
    office.wake.get(id)?.();
    office.wake.delete(id);
  }
}

async function waitForTurn(office: Office, caller: Caller): Promise<void> {
  caller.signal?.throwIfAborted();
  office.count += 1;
  const waiting: Waiting = { id: office.count, who: caller.who };
  const turn = Promise.withResolvers<void>();
  office.turns = requestTurn(office.turns, waiting);
  office.wake.set(waiting.id, turn.resolve);
  callNext(office);
  const giveUpAt = office.clock.now() + caller.maxWaitMs;
  try {
    while (office.wake.has(waiting.id)) {
      const now = office.clock.now();
      if (now + rateWaitMs(office.turns, now) >= giveUpAt) throw sendAway(office, waiting);
      const ms = Math.min(LOOK_MS, giveUpAt - now);
      await waitFor(turn.promise, { clock: office.clock, ms, signal: caller.signal });
      callNext(office);
    }
  } catch (error) {
    // Aborted in the moment in which its turn came, it has one to give back.
    const hadTurn = !office.wake.delete(waiting.id);
    office.turns = hadTurn
      ? finishTurn(office.turns, waiting.who)
      : cancelTurn(office.turns, waiting.id);
    callNext(office);
    throw error;
  }
}

/** Until the turn comes, or it is time to look again. */
async function waitFor(
  turn: Promise<void>,
  { clock, ms, signal }: { clock: Clock; ms: number; signal: AbortSignal | undefined },
): Promise<void> {
  const done = new AbortController();
  const either = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]);
  const sleep = clock.sleep(ms, either);
  try {
    await Promise.race([turn, sleep]);
  } finally {
    done.abort();
    sleep.catch(() => undefined);
  }
}

/** The next of an installation looks again soon, and its turn is kept; those behind it come later. */
function sendAway(office: Office, waiting: Waiting): TransientError {
  const { clock, turns, callMs } = office;
  const now = clock.now();
  const isNext = isNextOfItsOwn(turns, waiting);
  const own = turns.waiting.filter(({ who }) => who === waiting.who).length;
  const rounds = Math.ceil(own / mostOf(turns, waiting.who));
  const guess = isNext ? Math.min(callMs / 4, LONGEST_NEXT_MS) : rounds * callMs;
  const wanted = Math.max(SOONEST_RETRY_MS, rateWaitMs(turns, now), guess);
  const retryAfterMs = Math.round(Math.min(LONGEST_RETRY_MS, wanted));
  if (isNext) office.turns = keepTurn(turns, waiting, now + retryAfterMs * KEPT_FOR + KEPT_MORE_MS);
  return new TransientError({
    code: 'model-busy',
    message: 'All calls that this model may take at a time are under way.',
    details:
      'It is tried again later; raise `concurrency` or `requestsPerMinute` of the model if it happens often.',
    retryAfterMs,
  });
}
