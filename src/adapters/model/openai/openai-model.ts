/** Models that speak Chat Completions, OpenAI's own and others by base URL; the SDK is loaded with the first call. */
import type * as OpenAiSdk from 'openai';
import type { Model, ModelRequest } from '../../../ports/model.ts';
import { parseRetryAfter, toModelFailure, toReadFailure } from '../model-failure.ts';
import { scrubKey, toCause, type Endpoint, type ModelOptions } from '../model-options.ts';
import {
  RETRY_RULES,
  runRoundTrip,
  startProgress,
  whoIs,
  type AttemptAnswer,
  type Caller,
} from '../round-trip.ts';
import { readOpenAiAnswer } from './openai-answer.ts';
import { toChatParams } from './openai-request.ts';
import { dropStandInNulls } from './strict-schema.ts';

type Sdk = typeof OpenAiSdk;
type Client = InstanceType<Sdk['default']>;

/** One client for one endpoint and key, shared by every model that is asked there. */
export interface OpenAiClient {
  readonly endpoint: Endpoint;
  load(): Promise<{ sdk: Sdk; client: Client }>;
}

/** Reasoning room beside the answer for OpenAI's own models, which reason unless told otherwise. */
const THINKING_TOKENS = 4096;

/** The limit is ours (round-trip.ts); the SDK's own must only not come first. */
const NEVER_MS = 24 * 60 * 60 * 1000;

/** Opens nothing and loads nothing until the first call. */
export function createOpenAiClient(endpoint: Endpoint): OpenAiClient {
  let loaded: ReturnType<OpenAiClient['load']> | undefined;
  const load = async (): ReturnType<OpenAiClient['load']> => {
    const sdk = await import('openai');
    const client = new sdk.default({
      // Local servers need none, the SDK does.
      apiKey: endpoint.apiKey === '' ? 'none' : endpoint.apiKey,
      baseURL: endpoint.baseUrl ?? 'https://api.openai.com/v1',
      // Given explicitly, so that nothing is taken from the process's environment.
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: NEVER_MS,
      logLevel: 'off',
    });
    return { sdk, client };
  };
  return { endpoint, load: () => (loaded ??= load()) };
}

/** OpenAI's own models. */
export function createOpenAiModel(client: OpenAiClient, options: ModelOptions): Model {
  return createChatModel(client, { ...options, provider: 'openai' });
}

/** Models of any server that speaks the same protocol: Kimi, DeepSeek, Groq, Together, Ollama, vLLM and others. */
export function createCompatibleModel(client: OpenAiClient, options: ModelOptions): Model {
  return createChatModel(client, { ...options, provider: 'openai-compatible' });
}

type ChatOptions = ModelOptions & { provider: 'openai' | 'openai-compatible' };

function createChatModel(client: OpenAiClient, options: ChatOptions): Model {
  const caller: Caller = { ...options, retry: options.retry ?? RETRY_RULES };
  const settings = {
    model: options.model,
    structured: options.structured ?? 'json_schema',
    isOpenAi: options.provider === 'openai',
    effort: options.effort,
    thinkingTokens: options.thinkingTokens ?? THINKING_TOKENS,
  };
  return {
    name: options.name,
    generate: (request) =>
      runRoundTrip(caller, request, async (signal, progress) => {
        const { sdk, client: openai } = await client.load();
        const onStart = (): void => startProgress(progress, request);
        try {
          const params = toChatParams(request, settings);
          const chunks = await openai.chat.completions.create(params, { signal });
          const answer = await readOpenAiAnswer(chunks, { who: whoIs(caller), progress, onStart });
          return settings.structured === 'json_schema' ? withoutNulls(answer, request) : answer;
        } catch (error) {
          const context = { sdk, caller, endpoint: client.endpoint, isStarted: progress.isStarted };
          throw translateFailure(error, context);
        }
      }),
  };
}

/** Undoes in the answer what strict mode did to optional properties. */
function withoutNulls(answer: AttemptAnswer, request: ModelRequest): AttemptAnswer {
  if (request.output === undefined || answer.finishReason !== 'stop') return answer;
  try {
    const value = dropStandInNulls(JSON.parse(answer.text), request.output.schema);
    return { ...answer, text: JSON.stringify(value) };
  } catch {
    // Not JSON after all: the caller sees it as it is and asks again.
    return answer;
  }
}

export interface CallContext {
  sdk: Sdk;
  caller: Pick<Caller, 'name' | 'provider' | 'model' | 'clock'>;
  endpoint: Endpoint;
  isStarted: boolean;
}

/** What failed in a call of the SDK, in our own words. */
export function translateFailure(error: unknown, context: CallContext): unknown {
  const { sdk, caller } = context;
  const who = whoIs(caller);
  if (error instanceof sdk.APIError) {
    return toModelFailure({
      who,
      status: error.status,
      // `code` says more (insufficient_quota) where it is given.
      kind: error.code ?? error.type,
      text: scrubKey(wordsOf(error.error), context.endpoint),
      retryAfterMs: parseRetryAfter(error.headers, caller.clock.now()),
      cause: toCause(error, context.endpoint),
    });
  }
  return toReadFailure(who, context.isStarted, error);
}

function wordsOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  return typeof body.message === 'string' ? body.message : undefined;
}
