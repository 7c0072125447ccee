/** Claude through Anthropic's SDK, which is loaded with the first call. */
import type * as AnthropicSdk from '@anthropic-ai/sdk';
import type { Model } from '../../../ports/model.ts';
import { parseRetryAfter, toModelFailure, toReadFailure } from '../model-failure.ts';
import { scrubKey, toCause, type Endpoint, type ModelOptions } from '../model-options.ts';
import { RETRY_RULES, runRoundTrip, startProgress, whoIs, type Caller } from '../round-trip.ts';
import { readAnthropicAnswer } from './anthropic-answer.ts';
import { toMessageParams } from './anthropic-request.ts';

type Sdk = typeof AnthropicSdk;
type Client = InstanceType<Sdk['default']>;

/** One client for one endpoint and key, shared by every model that is asked there. */
export interface AnthropicClient {
  readonly endpoint: Endpoint;
  /** Loads the SDK on first use. */
  load(): Promise<{ sdk: Sdk; client: Client; toSchema: SchemaRewrite }>;
}

type SchemaRewrite = (schema: Record<string, unknown>) => Record<string, unknown>;

/** Room for thinking beside the answer; current Claude models think unless told otherwise. */
const THINKING_TOKENS = 4096;

/** The limit is ours (round-trip.ts); the SDK's own must only not come first. */
const NEVER_MS = 24 * 60 * 60 * 1000;

/** Opens nothing and loads nothing until the first call. */
export function createAnthropicClient(endpoint: Endpoint): AnthropicClient {
  let loaded: ReturnType<AnthropicClient['load']> | undefined;
  const load = async (): ReturnType<AnthropicClient['load']> => {
    const [sdk, { transformJSONSchema }] = await Promise.all([
      import('@anthropic-ai/sdk'),
      import('@anthropic-ai/sdk/lib/transform-json-schema'),
    ]);
    const client = new sdk.default({
      apiKey: endpoint.apiKey,
      // Given explicitly, so that nothing is taken from the process's environment.
      authToken: null,
      baseURL: endpoint.baseUrl ?? 'https://api.anthropic.com',
      maxRetries: 0,
      timeout: NEVER_MS,
      logLevel: 'off',
    });
    return { sdk, client, toSchema: transformJSONSchema };
  };
  return { endpoint, load: () => (loaded ??= load()) };
}

/** A `Model` for one Claude model; `request.model` is ignored, the pool has resolved it. */
export function createAnthropicModel(client: AnthropicClient, options: ModelOptions): Model {
  const caller: Caller = { ...options, provider: 'anthropic', retry: options.retry ?? RETRY_RULES };
  return {
    name: options.name,
    generate: (request) =>
      runRoundTrip(caller, request, async (signal, progress) => {
        const { sdk, client: anthropic, toSchema } = await client.load();
        const params = toMessageParams(request, {
          model: options.model,
          effort: options.effort,
          thinkingTokens: options.thinkingTokens ?? THINKING_TOKENS,
          toSchema,
        });
        try {
          const events = await anthropic.messages.create(params, { signal });
          const answer = await readAnthropicAnswer(events, {
            who: whoIs(caller),
            model: options.model,
            progress,
            onStart: () => startProgress(progress, request),
          });
          return answer;
        } catch (error) {
          const context = { sdk, caller, endpoint: client.endpoint, isStarted: progress.isStarted };
          throw translate(error, context);
        }
      }),
  };
}

interface CallContext {
  sdk: Sdk;
  caller: Caller;
  endpoint: Endpoint;
  isStarted: boolean;
}

function translate(error: unknown, context: CallContext): unknown {
  const { sdk, caller } = context;
  const who = whoIs(caller);
  if (error instanceof sdk.APIError) {
    return toModelFailure({
      who,
      status: error.status,
      kind: error.type ?? undefined,
      text: scrubKey(error.apiMessage ?? undefined, context.endpoint),
      retryAfterMs: parseRetryAfter(error.headers, caller.clock.now()),
      cause: toCause(error, context.endpoint),
    });
  }
  return toReadFailure(who, context.isStarted, error);
}
