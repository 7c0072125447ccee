/** What the answers of providers mean, and what each says about its model: the one table that breakers rest on. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import { QuorumError } from '../../domain/event/errors.ts';

/** What a provider says of a failure: its status, its own error type or code, and its words. */
export interface ProviderWords {
  status?: number | undefined;
  kind?: string | undefined;
  text?: string | undefined;
}

export interface Meaning {
  type: 'config' | 'refused' | 'transient';
  code: ErrorCode;
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
const CONTENT_REFUSED: Meaning = {
  type: 'refused',
  code: 'model-content-refused',
  says: 'did not take the text: a content filter stopped it',
  fix: 'Change the text that was sent, or choose another model under `models:`.',
};
const BLOCKED: Meaning = {
  type: 'refused',
  code: 'model-request-blocked',
  says: 'was not reached: something in front of it blocked this request',
  fix: 'A firewall or a proxy answered. If it blocks every request, allow this host or correct `baseUrl`.',
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

/** Error types and codes that say more than the status they come with. */
const BEYOND_STATUS: Readonly<Record<string, Meaning>> = {
  insufficient_quota: CREDITS,
  billing_error: CREDITS,
  model_not_found: UNKNOWN_MODEL,
  context_length_exceeded: TOO_LARGE,
  exceed_context_size_error: TOO_LARGE,
  // OpenAI, Azure OpenAI, OpenAI's images, Alibaba's Qwen.
  invalid_prompt: CONTENT_REFUSED,
  content_filter: CONTENT_REFUSED,
  content_policy_violation: CONTENT_REFUSED,
  moderation_blocked: CONTENT_REFUSED,
  data_inspection_failed: CONTENT_REFUSED,
};

/**
 * Words that say more than the status and the type: several providers use one type, or none, for unlike things. What
 * speaks of the account is matched from its first word only, because a message may repeat what was sent.
 */
const BY_WORDS: readonly (readonly [RegExp, Meaning])[] = [
  [/^Your credit balance is too low/, CREDITS],
  [/^You have reached your specified API usage limits/, CREDITS],
  [/^This organization has been disabled/, FORBIDDEN],
  [/^API key not valid/, UNAUTHORISED],
  [/^No endpoints found/, REJECTED],
  [/^Request too large/, TOO_LARGE],
  [/requires more credits, or fewer max_tokens/, TOO_LARGE],
  [/prompt is too long|exceeds? context limit/, TOO_LARGE],
  [/maximum context length|available context size/, TOO_LARGE],
  [/blocked by content filtering policy/i, CONTENT_REFUSED],
  [/flagged as potentially violating|input was flagged/i, CONTENT_REFUSED],
  [/content management policy|content exists risk|considered high risk/i, CONTENT_REFUSED],
];

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

/** Decides by what is most particular: the error's code, then its words, then its status. */
export function findMeaning({ kind, status, text = '' }: ProviderWords): Meaning {
  const particular = BEYOND_STATUS[kind ?? ''] ?? byWords(text, status);
  if (particular !== undefined) return particular;
  if (status === undefined) return IN_STREAM[kind ?? ''] ?? UNREACHABLE;
  // Providers say in their own form why a key may not do something; a firewall shows a page, or nothing.
  if (status === 403 && kind === undefined) return BLOCKED;
  return BY_STATUS[status] ?? (status >= 500 ? OVERLOADED : REJECTED);
}

/** A server that fails may say anything. */
function byWords(text: string, status = 400): Meaning | undefined {
  if (status >= 500) return undefined;
  return BY_WORDS.find(([words]) => words.test(text))?.[1];
}

/**
 * What a failure says about the model that it came from.
 *
 * - `request`: nothing; another request may work at once. So may one that never reached the provider.
 * - `load`: too many requests at once; counts for the caller alone.
 * - `model`: it may be out. A request can cause some of these too, so it takes several installations.
 * - `entry`, `key`: its models are out until the configuration changes.
 */
export type Blame = 'request' | 'load' | 'model' | 'entry' | 'key';

const BLAMES: Readonly<Partial<Record<ErrorCode, Blame>>> = {
  'model-rate-limited': 'load',
  'model-overloaded': 'model',
  'model-unreachable': 'model',
  'model-stream-cut': 'model',
  'model-timeout': 'model',
  'model-invalid-protocol': 'model',
  'model-unknown': 'entry',
  'model-unauthorised': 'key',
  'model-credits': 'key',
  'model-forbidden': 'key',
};

/** Decides by the failure's code; what is not in the table is held against no model. */
export function findBlame(error: unknown): Blame {
  return (error instanceof QuorumError ? BLAMES[error.code] : undefined) ?? 'request';
}
