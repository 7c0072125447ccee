/** Embeddings of any server that speaks OpenAI's protocol; one request, without retries. */
import type OpenAI from 'openai';
import { costUsd, NO_USAGE, type ModelCall } from '../../../domain/run/ledger.ts';
import { InvalidOutputError } from '../../../domain/event/errors.ts';
import type { Embeddings } from '../../../ports/embeddings.ts';
import { withCalls } from '../../../ports/model.ts';
import { toCause, type ModelOptions } from '../model-options.ts';
import type { OpenAiClient } from './openai-model.ts';

export type EmbeddingsOptions = Pick<ModelOptions, 'name' | 'model' | 'price' | 'clock'> & {
  provider: string;
};

/** English takes about four characters a token, code about three; estimates take the dearer. */
const CHARS_A_TOKEN = 3;
/** No model that is sold has more. */
const MAX_DIMENSIONS = 8_192;

/** Opens nothing until the first request. */
export function createOpenAiEmbeddings(
  client: OpenAiClient,
  { name, model, price, clock, provider }: EmbeddingsOptions,
): Embeddings {
  const toCall = (tokens: number, more: Pick<ModelCall, 'outcome' | 'latencyMs'>): ModelCall => {
    const usage = { ...NO_USAGE, inputTokens: tokens };
    const base = { provider, pool: name, model, usage, retries: 0 };
    return { ...base, costUsd: costUsd(usage, price), ...more };
  };
  return {
    model,
    estimateUsd: (texts) => {
      const chars = texts.reduce((sum, { length }) => sum + length, 0);
      return costUsd({ ...NO_USAGE, inputTokens: Math.ceil(chars / CHARS_A_TOKEN) }, price);
    },
    embed: async ({ texts, timeoutMs }) => {
      const { client: openai } = await client.load();
      const startedAt = clock.now();
      let tokens = 0;
      try {
        const answer = await openai.embeddings.create(
          { model, input: [...texts], encoding_format: 'float' },
          { timeout: timeoutMs, maxRetries: 0 },
        );
        tokens = tokensOf(answer);
        const vectors = vectorsOf(answer, texts.length);
        return {
          vectors,
          call: toCall(tokens, { outcome: 'ok', latencyMs: clock.now() - startedAt }),
        };
      } catch (error) {
        const outcome = error instanceof InvalidOutputError ? 'invalid' : 'error';
        const call = toCall(tokens, { outcome, latencyMs: clock.now() - startedAt });
        throw withCalls(toCause(asError(error), client.endpoint), [call]);
      }
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

type Answer = Partial<OpenAI.CreateEmbeddingResponse>;

function tokensOf({ usage }: Answer): number {
  const { prompt_tokens: tokens = 0 } = usage ?? {};
  return Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}

/** By their own number: servers may answer in any order. */
function vectorsOf({ data }: Answer, count: number): number[][] {
  const vectors = new Map(
    (Array.isArray(data) ? data : []).map(({ index, embedding }) => [index, embedding]),
  );
  const inOrder = Array.from({ length: count }, (_, at) => vectors.get(at) ?? []);
  const [{ length: size } = []] = inOrder;
  const isSound = (vector: readonly unknown[]): boolean =>
    vector.length === size && vector.every((each) => Number.isFinite(each));
  if (size === undefined || size === 0 || size > MAX_DIMENSIONS || !inOrder.every(isSound))
    throw new InvalidOutputError({
      code: 'model-invalid-output',
      message: 'The server of embeddings did not answer with one vector for each text.',
    });
  return inOrder;
}
