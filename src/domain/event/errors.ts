/** The few kinds of failure, cut by what the caller does about each. */
import type { ErrorCode } from './error-codes.ts';

export interface ErrorInit {
  code: ErrorCode;
  message: string;
  /** Markdown for people: what, where, how to fix. */
  details?: string;
  cause?: unknown;
}

/** Base of every expected failure. Anything else that is thrown is a bug and is logged with its stack. */
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

/** Configuration, credentials or a file is wrong: tell the owner, do not retry. */
export class ConfigError extends QuorumError {}

/** The outside world is busy or away: back off and try again. */
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

/** Permission, policy or a cap says no, or the thing is not there. Asking again and again will not help. */
export class RefusedError extends QuorumError {
  /** The answer may come from a copy that lags behind, so it is final only when repeated. */
  readonly isEventuallyConsistent: boolean;

  constructor(init: ErrorInit & { isEventuallyConsistent?: boolean }) {
    super(init);
    this.isEventuallyConsistent = init.isEventuallyConsistent ?? false;
  }
}

/** A compare-and-swap was lost: read again, then decide again. */
export class ConflictError extends QuorumError {
  override get retryable(): boolean {
    return true;
  }
}

/** A model's answer did not fit its schema, even after one repair. */
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
