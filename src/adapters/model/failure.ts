/** Turns what a provider's HTTP door answered into the few kinds of failure that callers act on. */
import { ConfigError, InvalidOutputError, TransientError } from '../../domain/errors.ts';

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

export type ModelFailure = ConfigError | TransientError | InvalidOutputError;

interface Meaning {
  type: 'config' | 'transient';
  code: string;
  says: string;
  fix: string;
}

const CREDITS: Meaning = {
  type: 'config',
  code: 'model-credits',
  says: 'has no credits left',
  fix: 'Add credits or raise the spend limit with the provider, or choose another model under `models:`.',
};
const UNAUTHORISED: Meaning = {
  type: 'config',
  code: 'model-unauthorised',
  says: 'does not accept the API key',
  fix: 'Check the key in the environment variable that the model names (`quorum doctor` lists them).',
};
const FORBIDDEN: Meaning = {
  type: 'config',
  code: 'model-forbidden',
  says: 'does not allow this key to use the model',
  fix: 'Give the key access to the model, or choose another model under `models:`.',
};
const UNKNOWN_MODEL: Meaning = {
  type: 'config',
  code: 'model-unknown',
  says: 'does not know the model or the address',
  fix: 'Check `model` and `baseUrl` of this entry under `models:`.',
};
const REJECTED: Meaning = {
  type: 'config',
  code: 'model-request-rejected',
  says: 'rejected the request',
  fix: 'Read the provider’s words below; `structured: json_object` helps servers without JSON Schema.',
};
const TOO_LARGE: Meaning = {
  type: 'config',
  code: 'model-request-too-large',
  says: 'found the request too large',
  fix: 'Choose a model with a larger context, or lower the budget for context.',
};
const RATE_LIMITED: Meaning = {
  type: 'transient',
  code: 'model-rate-limited',
  says: 'is rate limited',
  fix: 'It is tried again later; lower `limits` of this model if it happens often.',
};
const OVERLOADED: Meaning = {
  type: 'transient',
  code: 'model-overloaded',
  says: 'is overloaded or down',
  fix: 'It is tried again later.',
};
const UNREACHABLE: Meaning = {
  type: 'transient',
  code: 'model-unreachable',
  says: 'cannot be reached, or dropped the connection',
  fix: 'It is tried again later; check `baseUrl` and the network if it stays so.',
};

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  400: REJECTED,
  401: UNAUTHORISED,
  402: CREDITS,
  403: FORBIDDEN,
  404: UNKNOWN_MODEL,
  405: UNKNOWN_MODEL,
  408: OVERLOADED,
  409: OVERLOADED,
  413: TOO_LARGE,
  422: REJECTED,
  429: RATE_LIMITED,
};

/** Error types that say more than the status they come with. */
const BEYOND_STATUS: Readonly<Record<string, Meaning>> = {
  insufficient_quota: CREDITS,
  billing_error: CREDITS,
  context_length_exceeded: TOO_LARGE,
};

/** Error types as they arrive inside a stream, where there is no status. */
const IN_STREAM: Readonly<Record<string, Meaning>> = {
  authentication_error: UNAUTHORISED,
  permission_error: FORBIDDEN,
  not_found_error: UNKNOWN_MODEL,
  invalid_request_error: REJECTED,
  request_too_large: TOO_LARGE,
  rate_limit_error: RATE_LIMITED,
  rate_limit_exceeded: RATE_LIMITED,
  overloaded_error: OVERLOADED,
  timeout_error: OVERLOADED,
  api_error: OVERLOADED,
  server_error: OVERLOADED,
};

/** Decides what a failed HTTP exchange means for the caller. */
export function toModelFailure(failure: ProviderFailure): ModelFailure {
  const meaning = meaningOf(failure);
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  const words = failure.text === undefined ? '' : `\n\nThe provider says: ${failure.text}`;
  const init = {
    code: meaning.code,
    message: `${failure.who} ${meaning.says}${status}.`,
    details: `${meaning.fix}${words}`,
    cause: failure.cause,
  };
  if (meaning.type === 'config') return new ConfigError(init);
  return new TransientError({ ...init, retryAfterMs: failure.retryAfterMs });
}

function meaningOf({ kind = '', status }: ProviderFailure): Meaning {
  const beyond = BEYOND_STATUS[kind];
  if (beyond !== undefined) return beyond;
  if (status === undefined) return IN_STREAM[kind] ?? UNREACHABLE;
  return BY_STATUS[status] ?? (status >= 500 ? OVERLOADED : REJECTED);
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

/** What came back is not the protocol: a proxy's page, broken JSON, nothing at all. */
export function toGarbageFailure(who: string, cause?: unknown): InvalidOutputError {
  return new InvalidOutputError({
    code: 'model-invalid-protocol',
    message: `${who} sent something that is no answer of its protocol.`,
    details: 'Check `baseUrl`: a proxy or login page in between answers like this.',
    cause,
  });
}

/**
 * What is thrown while a body is read, outside the SDK's own errors: broken JSON, a shape that is not
 * the protocol's, or (undici: a TypeError with a cause) a connection that broke. Anything else is returned as it is.
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
