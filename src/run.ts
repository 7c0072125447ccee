/** The one page: a piece of work is an event to reduce or an effect to carry out; each ends in one transaction. */
import type { Perform } from './act/perform.ts';
import type { Decision, Moment } from './decide/decision.ts';
import { RefusedError, toFailure, TransientError, type Failure } from './domain/errors.ts';
import { EVENT_VERSION, type Event, type EventData, type NewEvent } from './domain/event.ts';
import type { EffectKind } from './domain/effect.ts';
import type { Result } from './domain/result.ts';
import { MAX_ENDINGS } from './domain/suspicion.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Settlement, Store, Work } from './ports/store.ts';

export interface Engine {
  store: Store;
  clock: Clock;
  random: Random;
  perform: Perform;
  /** The reducer; `decide` in production. */
  decide: (state: unknown, event: Event, moment: Moment) => Decision;
  log: EngineLog;
}

export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** After so many attempts that failed an item is dead-lettered, so that it cannot block its lane. */
export const MAX_ATTEMPTS = 5;
/** An outage shorter than this heals without help (12, P7). */
const GIVE_UP_AFTER_MS = 72 * 3_600_000;
const GIVEN_OUT_TOO_OFTEN: Failure = {
  code: 'given-out-too-often',
  message: 'given out too often',
  retryable: false,
};
const ENDS_THE_PROCESS: Failure = {
  code: 'ends-the-process',
  message: `the process ended, or the deadline passed, ${MAX_ENDINGS} times while only this ran`,
  retryable: false,
};
/** Failures that a person has to look at: dead-lettered, not refused. */
const FOR_PEOPLE = new Set(['bug', GIVEN_OUT_TOO_OFTEN.code, ENDS_THE_PROCESS.code]);
/** GitHub's copies lag behind each other by seconds. */
const BEFORE_BELIEVED_MS = 5_000;
const LONGEST_BACKOFF_MS = 5 * 60_000;
/** What was decided longer ago than this looks before it writes, first time or not: the world may be another by now. */
const FRESH_MS = 60_000;

type EffectWork = Extract<Work, { kind: 'effect' }>;
type Retry = Extract<Settlement, { kind: 'retry' }>;

/** Takes one piece of work to its end. Throws only when the store does; then the work is given out again. */
export async function consume(work: Work, engine: Engine): Promise<void> {
  const settlement =
    work.kind === 'event' ? await reduce(work, engine) : await carryOut(work, engine);
  await engine.store.settle(work, settlement);
}

async function reduce(work: Extract<Work, { kind: 'event' }>, engine: Engine): Promise<Settlement> {
  const { event } = work;
  if (event.version > EVENT_VERSION)
    return {
      kind: 'finish',
      status: 'parked',
      reason: `event version ${event.version} is newer than this worker`,
    };
  const poison = poisonOf(work);
  if (poison !== undefined) {
    engine.log.error(
      { event: event.id, key: event.key, attempts: work.attempt, code: poison.code },
      `event dead-lettered: ${poison.message}`,
    );
    return { kind: 'finish', status: 'dead', reason: toReason(poison) };
  }
  const before = await engine.store.load(event.key);
  try {
    const { state, effects, events, ignored } = engine.decide(before?.state, event, {
      now: engine.clock.now(),
    });
    return {
      kind: 'finish',
      status: ignored === undefined ? 'done' : 'ignored',
      ...(ignored === undefined ? {} : { reason: ignored }),
      state: { key: event.key, expected: before?.version ?? 0, value: state },
      events,
      effects,
    };
  } catch (error) {
    const { code, message } = toFailure(error);
    if (code === 'state-newer') return { kind: 'finish', status: 'parked', reason: message };
    engine.log.error(
      { err: error, event: event.id, key: event.key },
      'reducer threw; event dead-lettered',
    );
    return { kind: 'finish', status: 'dead', reason: message };
  }
}

/** Why this must not be retried. */
function poisonOf({ attempt, endings = 0 }: Work): Failure | undefined {
  if (endings >= MAX_ENDINGS) return ENDS_THE_PROCESS;
  return attempt > MAX_ATTEMPTS ? GIVEN_OUT_TOO_OFTEN : undefined;
}

async function carryOut(work: EffectWork, engine: Engine): Promise<Settlement> {
  const { effect } = work;
  const poison = poisonOf(work);
  if (poison !== undefined) return giveUp(work, engine, { failure: poison });
  try {
    const isFirst = work.isFirst && engine.clock.now() - Date.parse(effect.at) < FRESH_MS;
    const { githubCalls, ...result } = await engine.perform(effect, {
      isFirst,
      isUntouched: work.isFirst,
    });
    return {
      kind: 'finish',
      status: 'done',
      githubCalls,
      events: [report(work, engine, { kind: 'done', ...result })],
    };
  } catch (error) {
    if (isDoubted(work, error)) return askAgain(work, engine, error);
    const failure = toFailure(error);
    const now = engine.clock.now();
    const { code } = failure;
    const waits = work.waits?.code === code ? work.waits : { code, since: now };
    const isFresh = now - Date.parse(effect.at) < GIVE_UP_AFTER_MS;
    // Time in the queue, and with other failures, is no part of what this one is given.
    const isPatient = now - waits.since < patienceWith(error);
    if (failure.retryable && isFresh && isPatient)
      return { ...waitForBetter(work, engine, error), waits };
    return giveUp(work, engine, { failure, error });
  }
}

function patienceWith(error: unknown): number {
  const own = error instanceof TransientError ? error.patienceMs : undefined;
  return own ?? GIVE_UP_AFTER_MS;
}

/**
 * The refusal of one that may not know better yet is believed when it says the same twice in a row: an effect makes
 * many calls, and that another one was refused before says nothing of this one.
 */
function isDoubted({ attempt, reason }: EffectWork, error: unknown): error is RefusedError {
  const isHasty = error instanceof RefusedError && error.isHasty;
  return isHasty && attempt < MAX_ATTEMPTS && reason !== toReason(error);
}

function askAgain(work: EffectWork, engine: Engine, error: RefusedError): Settlement {
  engine.log.info({ effect: work.id, code: error.code }, 'refusal may be stale; effect will retry');
  const reason = toReason(error);
  return { kind: 'retry', delayMs: BEFORE_BELIEVED_MS, reason, countsAsAttempt: true };
}

function toReason({ code, message }: Pick<Failure, 'code' | 'message'>): string {
  return `${code}: ${message}`;
}

/** Back-off happens here, in the queue, never inside a request. Waiting out a limit is no failed attempt. */
function waitForBetter(work: EffectWork, engine: Engine, error: unknown): Retry {
  const failure = toFailure(error);
  const named = error instanceof TransientError ? error.retryAfterMs : undefined;
  const backoff = Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** work.attempt);
  const delayMs = Math.round((named ?? backoff) * (1 + engine.random.next() * 0.2));
  const isLong = named !== undefined || work.attempt >= MAX_ATTEMPTS - 1;
  engine.log.warn({ effect: work.id, code: failure.code, delayMs }, 'effect deferred, will retry');
  return {
    kind: 'retry',
    delayMs: isLong && named === undefined ? LONGEST_BACKOFF_MS : delayMs,
    reason: toReason(failure),
    countsAsAttempt: !isLong,
  };
}

function giveUp(
  work: EffectWork,
  engine: Engine,
  { failure, error }: { failure: Failure; error?: unknown },
): Settlement {
  const isRefusal = !FOR_PEOPLE.has(failure.code) && !failure.retryable;
  engine.log[isRefusal ? 'warn' : 'error'](
    { err: isRefusal ? undefined : error, effect: work.id, code: failure.code },
    `${isRefusal ? 'effect refused' : 'effect dead-lettered'}: ${failure.message}`,
  );
  return {
    kind: 'finish',
    status: isRefusal ? 'refused' : 'dead',
    reason: toReason(failure),
    events: [report(work, engine, { kind: 'failed', effectKind: work.effect.data.kind, failure })],
  };
}

type Outcome =
  ({ kind: 'done' } & Result) | { kind: 'failed'; effectKind: EffectKind; failure: Failure };

/** Results come back as events of the stream that asked. */
function report({ effect }: EffectWork, engine: Engine, outcome: Outcome): NewEvent {
  const about = { effectId: effect.id, run: effect.run };
  const data: EventData = { ...outcome, ...about };
  const at = new Date(engine.clock.now()).toISOString();
  return { id: `${effect.id}:${outcome.kind}`, key: effect.key, version: EVENT_VERSION, at, data };
}
