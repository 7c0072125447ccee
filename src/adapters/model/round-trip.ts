/** One call to a provider: its time limit, its few repetitions, and its record for the ledger. */
import { InvalidOutputError, TransientError } from '../../domain/event/errors.ts';
import {
  addUsage,
  costUsd,
  NO_USAGE,
  type CallOutcome,
  type ModelCall,
  type Price,
  type Usage,
} from '../../domain/run/ledger.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import { hasBegun, withCalls, type ModelAnswer, type ModelRequest } from '../../ports/model.ts';
import { toAborted, toTimeoutFailure } from './model-failure.ts';

/** How often and how long a call is repeated before the queue takes over. */
export interface RetryRules {
  /** Attempts in all. */
  tries: number;
  /** All waits together, in ms; a longer Retry-After is left to the queue. */
  totalWaitMs: number;
  /** First wait; it doubles each time, and chance takes up to half of it away. */
  firstWaitMs: number;
}

/** Three tries in at most 20 s of waiting. Where the queue can wait, it does: see {@link ModelRequest.earlierTries}. */
export const RETRY_RULES: RetryRules = { tries: 3, totalWaitMs: 20_000, firstWaitMs: 500 };

/** Who is called, and with what rules. */
export interface Caller {
  /** Name in the pool. */
  name: string;
  provider: string;
  /** The provider's model id. */
  model: string;
  price: Price | undefined;
  retry: RetryRules;
  clock: Clock;
  random: Random;
}

/** What an attempt has seen so far; kept when it fails, because tokens were paid for. */
export interface Progress {
  isStarted: boolean;
  usage: Usage | undefined;
}

export type AttemptAnswer = Omit<ModelAnswer, 'calls'>;

/** One HTTP exchange. Throws failures that are translated already. */
export type Attempt = (signal: AbortSignal, progress: Progress) => Promise<AttemptAnswer>;

/** Names a caller for people. */
export function whoIs(caller: Pick<Caller, 'name' | 'provider' | 'model'>): string {
  return `${caller.name} (${caller.provider}, ${caller.model})`;
}

/** Makes a record of progress that tells the caller once when the answer begins. */
export function startProgress(progress: Progress, request: ModelRequest): void {
  if (progress.isStarted) return;
  progress.isStarted = true;
  request.onStart?.();
}

/**
 * Runs attempts until one answers, the rules end, the time is over or the caller aborts.
 *
 * Answers and errors carry exactly one call, with the usage of all attempts.
 */
export async function runRoundTrip(
  caller: Caller,
  request: ModelRequest,
  attempt: Attempt,
): Promise<ModelAnswer> {
  const startedAt = caller.clock.now();
  const limit = openLimit(caller, request);
  const tally: Tally = { usage: NO_USAGE, isUnknown: false, retries: 0, waitedMs: 0 };
  const inQueue = hasBegun(request) ? undefined : request.earlierTries;
  const toCall = (outcome: CallOutcome): ModelCall => ({
    provider: caller.provider,
    pool: caller.name,
    model: caller.model,
    usage: tally.usage,
    costUsd: tally.isUnknown ? undefined : costUsd(tally.usage, caller.price),
    latencyMs: caller.clock.now() - startedAt,
    outcome,
    retries: tally.retries,
  });
  try {
    const answer = await repeat(caller, limit, { attempt, tally, inQueue });
    return {
      ...answer,
      calls: [toCall(answer.finishReason === 'refusal' ? 'refused' : 'ok')],
    };
  } catch (error) {
    const failure = limit.explain(error);
    throw withCalls(failure, [toCall(outcomeOf(failure))]);
  } finally {
    limit.close();
  }
}

interface Tally {
  usage: Usage;
  isUnknown: boolean;
  retries: number;
  waitedMs: number;
}

interface Work {
  attempt: Attempt;
  tally: Tally;
  /** Earlier tries, when the queue waits between two of them. */
  inQueue: number | undefined;
}

async function repeat(caller: Caller, limit: Limit, work: Work): Promise<AttemptAnswer> {
  for (;;) {
    const progress: Progress = { isStarted: false, usage: undefined };
    try {
      limit.signal.throwIfAborted();
      return await work.attempt(limit.signal, progress);
    } catch (error) {
      if (limit.signal.aborted) throw error;
      const wait = nextWait(
        error,
        { ...work.tally, retries: work.inQueue ?? work.tally.retries },
        caller,
      );
      if (wait === undefined) throw error;
      if (work.inQueue !== undefined) throw toAgain(caller, error, wait);
      await caller.clock.sleep(wait, limit.signal);
      work.tally.waitedMs += wait;
      work.tally.retries += 1;
    } finally {
      countProgress(work.tally, progress);
    }
  }
}

function countProgress(tally: Tally, progress: Progress): void {
  if (progress.usage !== undefined) tally.usage = addUsage(tally.usage, progress.usage);
  else if (progress.isStarted) tally.isUnknown = true;
}

/** Does not count against the model yet: tries are left. */
function toAgain(caller: Caller, cause: unknown, retryAfterMs: number): TransientError {
  return new TransientError({
    code: 'model-again',
    message: `${whoIs(caller)} failed; it is asked again.`,
    ...(cause instanceof Error && { details: cause.message }),
    cause,
    retryAfterMs,
  });
}

/** How long to wait before the next attempt; undefined when no attempt is left. */
function nextWait(
  error: unknown,
  tally: Pick<Tally, 'retries' | 'waitedMs'>,
  caller: Caller,
): number | undefined {
  const mayRepeat = error instanceof TransientError || error instanceof InvalidOutputError;
  if (!mayRepeat || tally.retries + 1 >= caller.retry.tries) return undefined;
  const backoff = caller.retry.firstWaitMs * 2 ** tally.retries;
  const jittered = backoff * (1 - caller.random.next() / 2);
  const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
  const wait = Math.max(jittered, asked);
  return tally.waitedMs + wait > caller.retry.totalWaitMs ? undefined : wait;
}

interface Limit {
  signal: AbortSignal;
  explain(error: unknown): Error;
  close(): void;
}

/** Joins the caller's signal and the request's own time into one signal. */
function openLimit(caller: Caller, request: ModelRequest): Limit {
  const timer = new AbortController();
  const done = new AbortController();
  const signal =
    request.signal === undefined ? timer.signal : AbortSignal.any([request.signal, timer.signal]);
  caller.clock.sleep(request.timeoutMs, done.signal).then(
    () => timer.abort(),
    () => undefined,
  );
  return {
    signal,
    explain(error) {
      if (request.signal?.aborted === true) return toAborted(whoIs(caller), request.signal.reason);
      if (timer.signal.aborted) return toTimeoutFailure(whoIs(caller), request.timeoutMs);
      return error instanceof Error ? error : new Error(String(error));
    },
    close: () => done.abort(),
  };
}

function outcomeOf(failure: Error): CallOutcome {
  if (failure.name === 'AbortError') return 'aborted';
  if (failure instanceof InvalidOutputError) return 'invalid';
  if (failure instanceof TransientError && failure.code === 'model-timeout') return 'timed-out';
  return 'error';
}
