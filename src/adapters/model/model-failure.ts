/** Turns what a provider's HTTP door answered into the few kinds of failure that callers act on. */
import {
  ConfigError,
  InvalidOutputError,
  RefusedError,
  TransientError,
} from '../../domain/event/errors.ts';
import { findMeaning } from './failure-meaning.ts';

/** What an SDK error tells, in words that both protocols share. */
export interface ProviderFailure {
  /** Who failed, for people: `sonnet (anthropic, claude-sonnet-5-5)`. */
  who: string;
  status?: number | undefined;
  /** The provider's own stable error type or code, such as `overloaded_error`. */
  kind?: string | undefined;
  /** The provider's words, already without secrets. */
  text?: string | undefined;
  retryAfterMs?: number | undefined;
  cause: unknown;
}

export type ModelFailure = ConfigError | RefusedError | TransientError | InvalidOutputError;

/** Decides what a failed HTTP exchange means for the caller. */
export function toModelFailure(failure: ProviderFailure): ModelFailure {
  const meaning = findMeaning(failure);
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  const words = failure.text === undefined ? '' : `\n\nThe provider says: ${failure.text}`;
  const init = {
    code: meaning.code,
    message: `${failure.who} ${meaning.says}${status}.`,
    details: `${meaning.fix}${words}`,
    cause: failure.cause,
  };
  if (meaning.type === 'config') return new ConfigError(init);
  if (meaning.type === 'refused') return new RefusedError(init);
  return new TransientError({ ...init, retryAfterMs: failure.retryAfterMs });
}

/** The stream ended, or its connection did, before the answer was complete. */
export function toCutFailure(who: string, cause?: unknown): TransientError {
  return new TransientError({
    code: 'model-stream-cut',
    message: `${who} stopped in the middle of its answer.`,
    details: 'The part that arrived was thrown away; it is tried again later.',
    cause,
  });
}

/** The answer does not follow the protocol: a proxy's page, broken JSON, or nothing at all. */
export function toGarbageFailure(who: string, cause?: unknown): InvalidOutputError {
  return new InvalidOutputError({
    code: 'model-invalid-protocol',
    message: `${who} sent something that is no answer of its protocol.`,
    details: 'Check `baseUrl`: a proxy or login page in between answers like this.',
    cause,
  });
}

/**
 * For errors while a body is read that are not the SDK's own. They are broken JSON, a shape that is not the
 * protocol's, or a broken connection (undici: a TypeError with a cause). Anything else is returned as it is.
 */
export function toReadFailure(who: string, isStarted: boolean, error: unknown): unknown {
  if (error instanceof SyntaxError) return toGarbageFailure(who, error);
  if (!(error instanceof TypeError)) return error;
  if (error.cause === undefined) return toGarbageFailure(who, error);
  return isStarted ? toCutFailure(who, error) : toModelFailure({ who, cause: error });
}

/** The request's own time is over. */
export function toTimeoutFailure(who: string, timeoutMs: number): TransientError {
  return new TransientError({
    code: 'model-timeout',
    message: `${who} did not answer within ${Math.round(timeoutMs / 1000)} s.`,
    details: 'It is tried again later.',
  });
}

/** A new error for each call, so that two calls that share a signal do not share their records. */
export function toAborted(who: string, reason: unknown): DOMException {
  return new DOMException(`The call to ${who} was aborted.`, { name: 'AbortError', cause: reason });
}

/** Reads Retry-After (seconds or a date) and retry-after-ms; undefined when absent or unreadable. */
export function parseRetryAfter(
  headers: Pick<Headers, 'get'> | undefined,
  now: number,
): number | undefined {
  const ms = headers?.get('retry-after-ms');
  if (ms !== undefined && ms !== null && ms !== '' && Number.isFinite(Number(ms)))
    return Math.max(0, Number(ms));
  const value = headers?.get('retry-after');
  if (value === undefined || value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
