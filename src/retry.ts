/**
 * What happens to work that failed: Quorum confirms a refusal that may be stale, retries later, or gives up. Pure; the
 * waiting happens in the queue and never occupies a worker.
 */
import type { ErrorCode } from './domain/event/error-codes.ts';
import { RefusedError, toFailure, TransientError, type Failure } from './domain/event/errors.ts';
import { MAX_ENDINGS } from './domain/event/suspicion.ts';
import { toResultEvent } from './domain/event/result-event.ts';
import type { EffectWork, Settlement, Waits, Work } from './ports/store.ts';

/** Work that failed this often is dead-lettered, so that it cannot block its lane. */
export const MAX_ATTEMPTS = 5;
/** A shorter outage ends without help (12, P7). */
const MAX_RETRY_MS = 72 * 3_600_000;
/** GitHub's copies lag behind each other by seconds. */
const CONFIRM_AFTER_MS = 5_000;
const MAX_BACKOFF_MS = 5 * 60_000;
/** Share of a delay that is random, so that work of one moment does not return in one moment. */
const JITTER = 0.2;

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

/** Nothing is wrong: the work is done elsewhere. */
const AT_WORK: ReadonlySet<ErrorCode> = new Set(['workflow-not-shown', 'workflow-running']);

type Retry = Extract<Settlement, { kind: 'retry' }>;

/** How a failed attempt ends, and the line that the log gets. */
export interface Ending {
  settlement: Settlement;
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

/** Milliseconds since the epoch, and a number in [0, 1). */
export interface RetryContext {
  now: number;
  random: number;
}

/** Why work must not run again, before it is tried. */
export function poisonOf({
  attempt,
  endings = 0,
}: Pick<Work, 'attempt' | 'endings'>): Failure | undefined {
  if (endings >= MAX_ENDINGS) return ENDS_THE_PROCESS;
  return attempt > MAX_ATTEMPTS ? GIVEN_OUT_TOO_OFTEN : undefined;
}

/** Confirms, retries later or gives up. */
export function afterFailure(work: EffectWork, error: unknown, moment: RetryContext): Ending {
  const failure = toFailure(error);
  const fields = { effect: work.id, code: failure.code };
  if (shouldConfirm(work, error))
    return {
      settlement: retryToConfirm(work, failure),
      level: 'info',
      fields,
      message: 'refusal may be stale; effect will retry',
    };
  const waits = waitsOf(work, failure, moment.now);
  if (!mayRetry({ work, error, waits }, moment.now))
    return giveUp(work, failure, { now: moment.now, error });
  const settlement = { ...retryLater(work, error, moment.random), waits };
  return {
    settlement,
    level: AT_WORK.has(failure.code) ? 'info' : 'warn',
    fields: { ...fields, delayMs: settlement.delayMs },
    message: 'effect deferred, will retry',
  };
}

/**
 * A refusal that may come from a lagging copy is final when two attempts in a row give it. An effect makes many calls,
 * so the earlier refusal of another call proves nothing. What failed before the work was seen at work elsewhere, hours ago
 * perhaps, does not count.
 */
function shouldConfirm(
  { attempt, reason, waits }: EffectWork,
  error: unknown,
): error is RefusedError {
  const mayBeStale = error instanceof RefusedError && error.isEventuallyConsistent;
  const mayRun = attempt < MAX_ATTEMPTS || isAtWork(waits);
  return mayBeStale && mayRun && reason !== failureReason(error);
}

function isAtWork(waits: Waits | undefined): boolean {
  return waits !== undefined && AT_WORK.has(waits.code);
}

function retryToConfirm({ attempt }: EffectWork, failure: Failure): Retry {
  const reason = failureReason(failure);
  const countsAsAttempt = attempt < MAX_ATTEMPTS;
  return { kind: 'retry', delayMs: CONFIRM_AFTER_MS, reason, countsAsAttempt };
}

/** How long, and how often in a row, an effect has waited for failures of this code. */
function waitsOf({ waits }: EffectWork, { code }: Failure, now: number): Waits {
  const before = waits?.code === code ? waits : { code, since: now, times: 0 };
  return { ...before, times: (before.times ?? 1) + 1 };
}

/** Whether the failure may still pass. Neither time in the queue nor other failures use up its own limit. */
function mayRetry(
  { work, error, waits }: { work: EffectWork; error: unknown; waits: Waits },
  now: number,
): boolean {
  const own = error instanceof TransientError ? error.maxRetryMs : undefined;
  const isFresh = now - Date.parse(work.effect.at) < MAX_RETRY_MS;
  return toFailure(error).retryable && isFresh && now - waits.since < (own ?? MAX_RETRY_MS);
}

/**
 * Retries after the time that the other side named, else after a growing delay. Neither a named time nor the longest
 * delay uses up an attempt.
 */
function retryLater({ attempt }: EffectWork, error: unknown, random: number): Retry {
  const reason = failureReason(toFailure(error));
  const named = error instanceof TransientError ? error.retryAfterMs : undefined;
  if (named === undefined && attempt >= MAX_ATTEMPTS - 1)
    return { kind: 'retry', delayMs: MAX_BACKOFF_MS, reason, countsAsAttempt: false };
  const delayMs = Math.round((named ?? 1000 * 2 ** attempt) * (1 + random * JITTER));
  return { kind: 'retry', delayMs, reason, countsAsAttempt: named === undefined };
}

/** Ends an effect: refused where people can act on the answer, dead where an operator has to look at it. */
export function giveUp(
  work: EffectWork,
  failure: Failure,
  { now, error }: { now: number; error?: unknown },
): Ending {
  const isRefusal = !FOR_PEOPLE.has(failure.code) && !failure.retryable;
  const outcome = { kind: 'failed', effectKind: work.effect.data.kind, failure } as const;
  return {
    settlement: {
      kind: 'finish',
      status: isRefusal ? 'refused' : 'dead',
      reason: failureReason(failure),
      events: [toResultEvent(work.effect, outcome, now)],
    },
    level: isRefusal ? 'warn' : 'error',
    fields: { err: isRefusal ? undefined : error, effect: work.id, code: failure.code },
    message: `${isRefusal ? 'effect refused' : 'effect dead-lettered'}: ${failure.message}`,
  };
}

export function failureReason({ code, message }: Failure): string {
  return `${code}: ${message}`;
}
