/** The few kinds of failure, cut by what the caller does about each. */
import type { ErrorCode } from './error-codes.ts';

export interface ErrorInit {
  code: ErrorCode;
  message: string;
  /** Markdown for people: what, where, how to fix. */
  details?: string;
  cause?: unknown;
}

/**
 * Base of every expected failure. Anything else that is thrown is a bug and is logged with its stack.
 *
 * @example
 * ```ts
 * import { QuorumError, RefusedError } from 'quorum';
 *
 * const error: unknown = new RefusedError({ code: 'not-found', message: 'There is no issue 7.' });
 * if (error instanceof QuorumError) console.log(error.code, error.retryable); // not-found false
 * ```
 */
export class QuorumError extends Error {
  readonly code: ErrorCode;
  readonly details: string | undefined;
  /** Whether the same call may succeed later without anyone changing anything. */
  get retryable(): boolean {
    return false;
  }

  constructor(init: ErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = new.target.name;
    this.code = init.code;
    this.details = init.details;
  }
}

/**
 * Configuration, credentials or a file is wrong: tell the owner, do not retry.
 *
 * @example
 * ```ts
 * import { ConfigError, startApp, systemClock, systemRandom } from 'quorum';
 *
 * const env = { PORT: 'eighty' };
 * const files = { envFile: './.env', manifestFile: './app.yml' };
 * try {
 *   await startApp({ env, ...files, clock: systemClock, random: systemRandom, log: console });
 * } catch (error) {
 *   if (error instanceof ConfigError) console.log(error.code); // port-invalid
 * }
 * ```
 */
export class ConfigError extends QuorumError {}

/**
 * The outside world is busy or away: back off and try again.
 *
 * @example
 * ```ts
 * import { TransientError } from 'quorum';
 *
 * const error = new TransientError({
 *   code: 'github-rate-limited',
 *   message: 'GitHub asks for a pause.',
 *   retryAfterMs: 60_000,
 * });
 * console.log(error.retryable, error.retryAfterMs); // true 60000
 * ```
 */
export class TransientError extends QuorumError {
  /** The earliest time to try again, when the other side named one. */
  readonly retryAfterMs: number | undefined;
  /** Quorum stops retrying this long after the first failure with this code; after the queue's own limit when absent. */
  readonly maxRetryMs: number | undefined;
  override get retryable(): boolean {
    return true;
  }

  constructor(init: ErrorInit & { retryAfterMs?: number | undefined; maxRetryMs?: number }) {
    super(init);
    this.retryAfterMs = init.retryAfterMs;
    this.maxRetryMs = init.maxRetryMs;
  }
}

/**
 * Permission, policy or a cap says no, or the thing is not there. Asking again and again will not help.
 *
 * @example
 * ```ts
 * import { RefusedError } from 'quorum';
 *
 * const error = new RefusedError({ code: 'not-found', message: 'There is no issue 7.' });
 * console.log(error.retryable); // false
 * ```
 */
export class RefusedError extends QuorumError {
  /** The answer may come from a copy that lags behind, so it is final only when repeated. */
  readonly isEventuallyConsistent: boolean;

  constructor(init: ErrorInit & { isEventuallyConsistent?: boolean }) {
    super(init);
    this.isEventuallyConsistent = init.isEventuallyConsistent ?? false;
  }
}

/**
 * A compare-and-swap was lost: read again, then decide again.
 *
 * @example
 * ```ts
 * import { ConflictError } from 'quorum';
 *
 * const error = new ConflictError({ code: 'github-conflict', message: 'Another writer was first.' });
 * console.log(error.retryable); // true
 * ```
 */
export class ConflictError extends QuorumError {
  override get retryable(): boolean {
    return true;
  }
}

/**
 * A model's answer did not fit its schema, even after one repair.
 *
 * @example
 * ```ts
 * import { InvalidOutputError } from 'quorum';
 *
 * const error = new InvalidOutputError({ code: 'model-invalid-output', message: 'No vote in the answer.' });
 * console.log(error.retryable); // false
 * ```
 */
export class InvalidOutputError extends QuorumError {}

/** What of an error is kept in an event: enough to decide and to tell people, nothing secret. */
export interface Failure {
  code: ErrorCode;
  message: string;
  retryable: boolean;
}

/** Reduces any thrown value to a {@link Failure}; an unexpected one gets the code `bug`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof QuorumError)
    return { code: error.code, message: error.message, retryable: error.retryable };
  return {
    code: 'bug',
    message: error instanceof Error ? error.message : String(error),
    retryable: false,
  };
}
