/** What Slack's refusals mean for the caller. */
import * as z from 'zod';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import {
  ConfigError,
  QuorumError,
  RefusedError,
  TransientError,
} from '../../domain/event/errors.ts';

interface Meaning {
  type: 'config' | 'refused' | 'transient';
  code: ErrorCode;
  says: string;
  fix: string;
}

const UNAUTHORISED: Meaning = {
  type: 'config',
  code: 'channel-unauthorised',
  says: 'does not accept the token',
  fix: 'Install the App again and set `SLACK_BOT_TOKEN` (and `SLACK_APP_TOKEN`) to the new values.',
};
const FORBIDDEN: Meaning = {
  type: 'config',
  code: 'channel-forbidden',
  says: 'does not allow this to the App',
  fix: 'Add the scope that is named below to the App, and install it again.',
};
const RESTRICTED: Meaning = {
  type: 'refused',
  code: 'channel-restricted',
  says: 'does not let the App post in this channel',
  fix: 'Allow the App to post there, in the posting permissions of the channel or the workspace.',
};
const NOT_FOUND: Meaning = {
  type: 'refused',
  code: 'channel-not-found',
  says: 'has no such channel or person',
  fix: 'Check `channels.slack.channel`. A private channel must invite the App first.',
};
const GONE: Meaning = {
  type: 'refused',
  code: 'channel-message-gone',
  says: 'no longer has this thread or message',
  fix: 'Somebody deleted it, so the message is dropped.',
};
const ARCHIVED: Meaning = {
  type: 'refused',
  code: 'channel-archived',
  says: 'says that the channel is archived',
  fix: 'Unarchive the channel, or set `channels.slack.channel` to another one.',
};
const NOT_INVITED: Meaning = {
  type: 'refused',
  code: 'channel-not-invited',
  says: 'says that the App is not in the channel',
  fix: 'Type `/invite` and the name of the App in the channel.',
};
const INVALID: Meaning = {
  type: 'refused',
  code: 'channel-invalid',
  says: 'did not accept the message',
  fix: 'The message is dropped. Report it if it happens again.',
};
const LIMITED: Meaning = {
  type: 'transient',
  code: 'channel-rate-limited',
  says: 'is rate limited',
  fix: 'It is tried again later.',
};
const UNAVAILABLE: Meaning = {
  type: 'transient',
  code: 'channel-unavailable',
  says: 'cannot be reached, or failed',
  fix: 'It is tried again later; messages that wait for more than 24 hours are dropped.',
};

const BY_ERROR: Readonly<Record<string, Meaning>> = {
  invalid_auth: UNAUTHORISED,
  not_authed: UNAUTHORISED,
  account_inactive: UNAUTHORISED,
  token_revoked: UNAUTHORISED,
  token_expired: UNAUTHORISED,
  not_allowed_token_type: UNAUTHORISED,
  team_access_not_granted: UNAUTHORISED,
  missing_scope: FORBIDDEN,
  no_permission: FORBIDDEN,
  ekm_access_denied: FORBIDDEN,
  restricted_action: RESTRICTED,
  restricted_action_read_only_channel: RESTRICTED,
  restricted_action_thread_only_channel: RESTRICTED,
  restricted_action_non_threadable_channel: RESTRICTED,
  restricted_action_thread_locked: RESTRICTED,
  channel_not_found: NOT_FOUND,
  thread_not_found: GONE,
  message_not_found: GONE,
  user_not_found: NOT_FOUND,
  is_archived: ARCHIVED,
  not_in_channel: NOT_INVITED,
  ratelimited: LIMITED,
  rate_limited: LIMITED,
  internal_error: UNAVAILABLE,
  fatal_error: UNAVAILABLE,
  service_unavailable: UNAVAILABLE,
  request_timeout: UNAVAILABLE,
};

/** What the SDK's errors share. Their codes tell them apart, so that the SDK need not be loaded to know them. */
const SdkError = z.looseObject({
  code: z.string().optional().catch(undefined),
  data: z
    .looseObject({ error: z.string().catch(''), needed: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  retryAfter: z.number().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
});
type SdkError = z.infer<typeof SdkError>;

/** A fresh object, because an error's own fields are not all enumerable. */
function readSdkError(error: unknown): SdkError {
  if (typeof error !== 'object' || error === null) return {};
  const field = (name: string): unknown => Reflect.get(error, name);
  return SdkError.parse({
    code: field('code'),
    data: field('data'),
    retryAfter: field('retryAfter'),
    statusCode: field('statusCode'),
  });
}

/** The platform's own word for what is wrong, such as `is_archived`. */
export function slackWord(error: unknown): string | undefined {
  const word = readSdkError(error instanceof QuorumError ? error.cause : error).data?.error;
  return word !== undefined && /^[a-z0-9_]{1,60}$/.test(word) ? word : undefined;
}

/** A retry may read nothing, so it cannot know what was sent before. Throws the failure in place of `missing_scope`. */
export function asUnreadable(error: unknown): never {
  if (slackWord(error) !== 'missing_scope' || !(error instanceof QuorumError)) throw error;
  throw new RefusedError({
    code: 'channel-unreadable',
    message:
      'Slack does not let the App read this channel, so Quorum cannot tell whether an earlier attempt arrived.',
    details: `The message is dropped, so that it is not posted twice. ${error.details ?? ''}`,
    cause: error,
  });
}

export function toSlackFailure(error: unknown): QuorumError {
  if (error instanceof QuorumError) return error;
  const sdk = readSdkError(error);
  const word = slackWord(error);
  const meaning = meaningOf(sdk, word);
  const lacks = sdk.data?.needed?.slice(0, 100);
  const needed = lacks === undefined ? '' : ` It needs \`${lacks}\`.`;
  const init = {
    code: meaning.code,
    message: `Slack ${meaning.says}${word === undefined ? '' : ` (${word})`}.`,
    details: `${meaning.fix}${needed}`,
    cause: error,
  };
  if (meaning.type === 'config') return new ConfigError(init);
  if (meaning.type === 'refused') return new RefusedError(init);
  const seconds = sdk.retryAfter;
  return new TransientError({
    ...init,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  });
}

function meaningOf(sdk: SdkError, word: string | undefined): Meaning {
  if (sdk.code === 'slack_webapi_rate_limited_error' || sdk.statusCode === 429) return LIMITED;
  // A file that Slack does not take because of its size.
  if (sdk.statusCode === 413) return INVALID;
  if (sdk.code !== 'slack_webapi_platform_error') return UNAVAILABLE;
  // A page of a proxy, with status 200, arrives as a platform error without an error code.
  if (word === undefined) return UNAVAILABLE;
  return Object.hasOwn(BY_ERROR, word) ? (BY_ERROR[word] ?? INVALID) : INVALID;
}
