/** Reads a Chat Completions stream into one answer. */
import type OpenAI from 'openai';
import type { Usage } from '../../../domain/run/ledger.ts';
import type { FinishReason, ToolCall } from '../../../ports/model.ts';
import { toCutFailure, toGarbageFailure } from '../model-failure.ts';
import type { AttemptAnswer, Progress } from '../round-trip.ts';
import { toTokenCount } from './token-count.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'refusal',
};

export interface Reading {
  who: string;
  progress: Progress;
  onStart: () => void;
}

interface Draft {
  text: string;
  refusal: string;
  finish: string | undefined;
  calls: Map<number, { id: string; name: string; json: string }>;
}

/** Throws a cut failure when the stream ends early and a garbage failure when it never was one. */
export async function readOpenAiAnswer(
  chunks: AsyncIterable<OpenAI.Chat.ChatCompletionChunk>,
  reading: Reading,
): Promise<AttemptAnswer> {
  const draft: Draft = { text: '', refusal: '', finish: undefined, calls: new Map() };
  for await (const chunk of chunks) {
    if (!Array.isArray(chunk.choices)) throw toGarbageFailure(reading.who);
    reading.onStart();
    if (chunk.usage) reading.progress.usage = toUsage(chunk.usage);
    const choice = chunk.choices[0];
    if (choice !== undefined) applyChoice(draft, choice);
  }
  if (!reading.progress.isStarted) throw toGarbageFailure(reading.who);
  if (draft.finish === undefined) throw toCutFailure(reading.who);
  return toAnswer(draft);
}

function applyChoice(draft: Draft, choice: OpenAI.Chat.ChatCompletionChunk.Choice): void {
  draft.text += choice.delta.content ?? '';
  draft.refusal += choice.delta.refusal ?? '';
  for (const part of choice.delta.tool_calls ?? []) applyToolCall(draft, part);
  draft.finish = choice.finish_reason ?? draft.finish;
}

/** Name and id come once, the arguments in pieces. */
function applyToolCall(
  draft: Draft,
  part: OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall,
): void {
  const call = draft.calls.get(part.index) ?? { id: '', name: '', json: '' };
  call.id ||= part.id ?? '';
  call.name ||= part.function?.name ?? '';
  call.json += part.function?.arguments ?? '';
  draft.calls.set(part.index, call);
}

/** OpenAI counts what was read from and written to the cache inside `prompt_tokens`. Undefined where the counts are odd. */
function toUsage(usage: OpenAI.CompletionUsage): Usage | undefined {
  const details = usage.prompt_tokens_details;
  const input = toTokenCount(usage.prompt_tokens);
  const output = toTokenCount(usage.completion_tokens);
  const read = toTokenCount(details?.cached_tokens ?? 0);
  const written = toTokenCount(details?.cache_write_tokens ?? 0);
  if (input === undefined || output === undefined) return undefined;
  if (read === undefined || written === undefined) return undefined;
  return {
    inputTokens: Math.max(0, input - read - written),
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
}

function toAnswer(draft: Draft): AttemptAnswer {
  const toolCalls = [...draft.calls.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([index, call]) => toToolCall(index, call));
  const finish = FINISH[draft.finish ?? ''] ?? 'stop';
  if (draft.refusal !== '')
    return { text: draft.text + draft.refusal, toolCalls: [], finishReason: 'refusal' };
  // Some servers say `stop` after tool calls.
  const finishReason = toolCalls.length > 0 && finish === 'stop' ? 'tool-calls' : finish;
  return { text: draft.text, toolCalls, finishReason };
}

function toToolCall(index: number, call: { id: string; name: string; json: string }): ToolCall {
  // A few local servers leave the id out; results are matched by it, so one is made up.
  return { id: call.id || `call_${index}`, name: call.name, args: parseArgs(call.json) };
}

function parseArgs(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
