/** What failures of Bluesky mean for the caller. */
import {
  ConfigError,
  QuorumError,
  RefusedError,
  TransientError,
} from '../../domain/event/errors.ts';

/** What the SDK's errors share. */
interface XrpcFailure {
  status?: unknown;
  error?: unknown;
  headers?: Readonly<Record<string, string | undefined>>;
}

const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'InvalidToken',
  'AuthMissing',
  'AuthenticationRequired',
]);

const GONE: ReadonlySet<string> = new Set([
  'AccountDeactivated',
  'AccountSuspended',
  'AccountTakedown',
]);

/** The service's own word for what is wrong, such as `InvalidSwap`. */
export function xrpcWord(error: unknown): string | undefined {
  const { error: word } = (error ?? {}) as XrpcFailure;
  return typeof word === 'string' ? word : undefined;
}

/** Whether another login may help. */
export function isSessionOver(error: unknown): boolean {
  const isPlain = error instanceof Error && error.message === 'Not logged in';
  return isPlain || TOKEN_ERRORS.has(xrpcWord(error) ?? '');
}

export function toBlueskyFailure(error: unknown, now: number): QuorumError {
  if (error instanceof QuorumError) return error;
  const { status, headers } = (error ?? {}) as XrpcFailure;
  const word = xrpcWord(error);
  if (status === 429) return limited(error, headers ?? {}, now);
  if (isSessionOver(error))
    return new ConfigError({
      code: 'channel-unauthorised',
      message: 'Bluesky does not accept the account and its app password.',
      details:
        'Create an app password in the settings of the account, and set `BLUESKY_PASSWORD` to it.',
      cause: error,
    });
  if (GONE.has(word ?? ''))
    return new ConfigError({
      code: 'channel-unauthorised',
      message: 'The account on Bluesky is deactivated, suspended or taken down.',
      details: 'Sign in to the account on Bluesky to see why, then restore it or use another.',
      cause: error,
    });
  if (word === 'RecordNotFound' || word === 'NotFound')
    return new RefusedError({
      code: 'channel-not-found',
      message: 'Bluesky has no such post any more.',
      cause: error,
    });
  if (status === 400 || status === 413)
    return new RefusedError({
      code: 'channel-invalid',
      message: 'Bluesky did not accept the post.',
      details: 'The message is dropped. Report it if it happens again.',
      cause: error,
    });
  return new TransientError({
    code: 'channel-unavailable',
    message: 'Bluesky cannot be reached, or failed.',
    details: 'It is tried again later; messages that wait for more than 24 hours are dropped.',
    cause: error,
  });
}

function limited(
  cause: unknown,
  headers: NonNullable<XrpcFailure['headers']>,
  now: number,
): TransientError {
  const after = Number(headers['retry-after'] ?? Number.NaN) * 1000;
  const until = Number(headers['ratelimit-reset'] ?? Number.NaN) * 1000 - now;
  const retryAfterMs = [after, until].find((each) => Number.isFinite(each) && each > 0);
  return new TransientError({
    code: 'channel-rate-limited',
    message: 'Bluesky is rate limited.',
    details: 'It is tried again later.',
    retryAfterMs,
    cause,
  });
}
