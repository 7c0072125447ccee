/** Reads Anthropic's event stream into one answer, keeping the usage of a stream that breaks. */
import type Anthropic from '@anthropic-ai/sdk';
import { NO_USAGE, type Usage } from '../../../domain/run/ledger.ts';
import type { FinishReason, ToolCall } from '../../../ports/model.ts';
import { toCutFailure, toGarbageFailure } from '../model-failure.ts';
import type { AttemptAnswer, Progress } from '../round-trip.ts';
import type { Continuation } from './anthropic-request.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/** Who is read from, and whom to tell. */
export interface Reading {
  who: string;
  model: string;
  progress: Progress;
  onStart: () => void;
}

interface Draft {
  blocks: DraftBlock[];
  stop: string | null;
  isDone: boolean;
}

interface DraftBlock {
  start: Anthropic.ContentBlock;
  text: string;
  json: string;
  signature: string;
}

/** Throws a cut failure when the stream ends early and a garbage failure when it never was one. */
export async function readAnthropicAnswer(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  reading: Reading,
): Promise<AttemptAnswer> {
  const draft: Draft = { blocks: [], stop: null, isDone: false };
  for await (const event of events) applyEvent(draft, event, reading);
  if (!reading.progress.isStarted) throw toGarbageFailure(reading.who);
  if (!draft.isDone || draft.stop === null) throw toCutFailure(reading.who);
  return toAnswer(draft, reading.model);
}

function applyEvent(draft: Draft, event: Anthropic.RawMessageStreamEvent, reading: Reading): void {
  switch (event.type) {
    case 'message_start':
      reading.onStart();
      reading.progress.usage = toUsage(event.message.usage, NO_USAGE);
      return;
    case 'content_block_start':
      draft.blocks[event.index] = {
        start: event.content_block,
        text: event.content_block.type === 'text' ? event.content_block.text : '',
        json: '',
        signature: '',
      };
      return;
    case 'content_block_delta':
      applyDelta(draft.blocks[event.index], event.delta, reading.who);
      return;
    case 'content_block_stop':
      return;
    case 'message_delta':
      draft.stop = event.delta.stop_reason;
      reading.progress.usage = toUsage(event.usage, reading.progress.usage ?? NO_USAGE);
      return;
    case 'message_stop':
      draft.isDone = true;
      return;
    default:
      // Event kinds may be added at any time, and clients are asked to ignore what they do not know.
      return;
  }
}

function applyDelta(
  block: DraftBlock | undefined,
  delta: Anthropic.RawContentBlockDelta,
  who: string,
): void {
  if (block === undefined) throw toGarbageFailure(who);
  switch (delta.type) {
    case 'text_delta':
      block.text += delta.text;
      return;
    case 'input_json_delta':
      block.json += delta.partial_json;
      return;
    case 'thinking_delta':
      block.text += delta.thinking;
      return;
    case 'signature_delta':
      block.signature += delta.signature;
      return;
    case 'citations_delta':
      return;
  }
}

/** The final count is cumulative; fields that it leaves out keep the value of the start. */
function toUsage(
  usage: {
    input_tokens: number | null;
    output_tokens: number;
    cache_creation_input_tokens: number | null;
    cache_read_input_tokens: number | null;
  },
  before: Usage,
): Usage {
  return {
    inputTokens: usage.input_tokens ?? before.inputTokens,
    outputTokens: usage.output_tokens,
    cacheReadTokens: usage.cache_read_input_tokens ?? before.cacheReadTokens,
    cacheWriteTokens: usage.cache_creation_input_tokens ?? before.cacheWriteTokens,
  };
}

function toAnswer(draft: Draft, model: string): AttemptAnswer {
  const blocks = draft.blocks.filter((block) => block !== undefined);
  const calls = blocks.flatMap(toToolCalls);
  const hasThinking = blocks.some((b) => b.start.type.endsWith('thinking'));
  return {
    text: blocks
      .filter((block) => block.start.type === 'text')
      .map((block) => block.text)
      .join(''),
    toolCalls: calls,
    finishReason: FINISH[draft.stop ?? ''] ?? 'stop',
    // Only a tool loop continues from here, and writing the turn again loses only thinking.
    ...(hasThinking && calls.length > 0 && { continuation: toContinuation(blocks, model) }),
  };
}

function toToolCalls(block: DraftBlock): ToolCall[] {
  const { start, json } = block;
  if (start.type !== 'tool_use') return [];
  return [{ id: start.id, name: start.name, args: json === '' ? start.input : parseJson(json) }];
}

function toContinuation(blocks: readonly DraftBlock[], model: string): Continuation {
  return { provider: 'anthropic', model, blocks: blocks.flatMap(toParam) };
}

function toParam(block: DraftBlock): Anthropic.ContentBlockParam[] {
  const { start, text } = block;
  if (start.type === 'text') return text === '' ? [] : [{ type: 'text', text }];
  if (start.type === 'thinking')
    return [{ type: 'thinking', thinking: text, signature: block.signature || start.signature }];
  if (start.type === 'redacted_thinking') return [{ type: 'redacted_thinking', data: start.data }];
  if (start.type !== 'tool_use') return [];
  const input = parseJson(block.json) ?? {};
  return [{ type: 'tool_use', id: start.id, name: start.name, input }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
