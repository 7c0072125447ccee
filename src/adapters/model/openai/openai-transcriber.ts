/** Transcription by any server that speaks OpenAI's protocol; one request, without retries. */
import type OpenAI from 'openai';
import { costUsd, NO_USAGE, type ModelCall, type Usage } from '../../../domain/run/ledger.ts';
import { InvalidOutputError } from '../../../domain/event/errors.ts';
import type { Transcriber } from '../../../ports/model/transcriber.ts';
import { withCalls } from '../../../ports/model.ts';
import { measureAudio } from '../audio/measure-audio.ts';
import type { ModelOptions } from '../model-options.ts';
import { translateFailure, type OpenAiClient } from './openai-model.ts';
import { toTokenCount } from './token-count.ts';

export type TranscriberOptions = Pick<ModelOptions, 'name' | 'model' | 'price' | 'clock'> & {
  provider: 'openai' | 'openai-compatible';
};

/** OpenAI's prices for a minute come from some 17 tokens of audio a second; nobody speaks more than 5 tokens a second. */
const AUDIO_TOKENS_A_SECOND = 20;
const TEXT_TOKENS_A_SECOND = 5;
/** Of an hour of speech. */
const MOST_TEXT = 100_000;

/** Opens nothing until the first request. */
export function createOpenAiTranscriber(
  client: OpenAiClient,
  { name, model, price, clock, provider }: TranscriberOptions,
): Transcriber {
  const toCall = (
    usage: Usage | undefined,
    more: Pick<ModelCall, 'outcome' | 'latencyMs'>,
  ): ModelCall => ({
    provider,
    pool: name,
    model,
    usage: usage ?? NO_USAGE,
    retries: 0,
    costUsd: usage && costUsd(usage, price),
    ...more,
  });
  return {
    model,
    measureSeconds: (audio) => measureAudio(audio),
    estimateUsd: ({ seconds }) => {
      const inputTokens = Math.ceil(seconds * AUDIO_TOKENS_A_SECOND);
      const outputTokens = Math.ceil(seconds * TEXT_TOKENS_A_SECOND);
      return costUsd({ ...NO_USAGE, inputTokens, outputTokens }, price);
    },
    transcribe: async ({ bytes, name: file }, { timeoutMs }) => {
      const { sdk, client: openai } = await client.load();
      const startedAt = clock.now();
      let usage: Usage | undefined;
      try {
        const answer = await openai.audio.transcriptions.create(
          { model, file: await sdk.toFile(bytes, file), response_format: 'json' },
          { timeout: timeoutMs, maxRetries: 0 },
        );
        usage = usageOf(answer);
        const text = textOf(answer);
        return { text, call: toCall(usage, { outcome: 'ok', latencyMs: clock.now() - startedAt }) };
      } catch (error) {
        // Nothing is billed for a refusal. What broke off, or cannot be read, may have been.
        if (error instanceof sdk.APIError && error.status !== undefined) usage = NO_USAGE;
        const outcome = error instanceof InvalidOutputError ? 'invalid' : 'error';
        const call = toCall(usage, { outcome, latencyMs: clock.now() - startedAt });
        const caller = { name, provider, model, clock };
        const context = { sdk, caller, endpoint: client.endpoint, isStarted: false };
        throw withCalls(asError(translateFailure(error, context)), [call]);
      }
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

type Answer = Partial<OpenAI.Audio.Transcription>;

/** Undefined where no tokens were counted: some models are billed by the minute. */
function usageOf({ usage }: Answer): Usage | undefined {
  if (usage?.type !== 'tokens') return undefined;
  const inputTokens = toTokenCount(usage.input_tokens);
  const outputTokens = toTokenCount(usage.output_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { ...NO_USAGE, inputTokens, outputTokens };
}

function textOf({ text }: Answer): string {
  if (typeof text !== 'string')
    throw new InvalidOutputError({
      code: 'model-invalid-output',
      message: 'The server of transcriptions did not answer with a text.',
    });
  return text.slice(0, MOST_TEXT).toWellFormed().trim();
}
