/** Writes a reply as Anthropic's Messages API does, whole or as events. */
import { toPieces, type Reply, type StreamEvent } from './scripted-reply.ts';

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  'tool-calls': 'tool_use',
} as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function toMessageBody(reply: Reply): Record<string, unknown> {
  return {
    ...toHead(reply),
    content: toBlocks(reply).map((block) => block.whole),
    stop_reason: STOP_REASONS[reply.finish],
    usage: toUsage(reply, reply.usage?.output ?? 0),
  };
}

export function toMessageEvents(reply: Reply): StreamEvent[] {
  const start = {
    ...toHead(reply),
    content: [],
    stop_reason: null,
    usage: toUsage(reply, 1),
  };
  const end = {
    type: 'message_delta',
    delta: { stop_reason: STOP_REASONS[reply.finish], stop_sequence: null },
    usage: toUsage(reply, reply.usage?.output ?? 0),
  };
  return [
    toEvent({ type: 'message_start', message: start }),
    toEvent({ type: 'ping' }),
    ...toBlocks(reply).flatMap((block, index) => [
      toEvent({ type: 'content_block_start', index, content_block: block.empty }),
      ...block.deltas.map((delta) => toEvent({ type: 'content_block_delta', index, delta })),
      toEvent({ type: 'content_block_stop', index }),
    ]),
    toEvent(end),
    toEvent({ type: 'message_stop' }),
  ];
}

export function toMessageError(status: number, type: string | undefined, message: string): unknown {
  return {
    type: 'error',
    error: { type: type ?? ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_scripted',
  };
}

function toHead(reply: Reply): Record<string, unknown> {
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    stop_sequence: null,
  };
}

function toUsage(reply: Reply, output: number): Record<string, unknown> {
  return {
    input_tokens: reply.usage?.input ?? 0,
    output_tokens: output,
    cache_creation_input_tokens: reply.usage?.cacheWrite ?? 0,
    cache_read_input_tokens: reply.usage?.cacheRead ?? 0,
  };
}

interface WrittenBlock {
  whole: unknown;
  empty: unknown;
  deltas: unknown[];
}

function toBlocks(reply: Reply): WrittenBlock[] {
  const signature = `signed-${reply.id}`;
  const thinking: WrittenBlock = {
    whole: { type: 'thinking', thinking: reply.thinking, signature },
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...toPieces(reply.thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
  };
  const text: WrittenBlock = {
    whole: { type: 'text', text: reply.text, citations: null },
    empty: { type: 'text', text: '', citations: null },
    deltas: toPieces(reply.text).map((piece) => ({ type: 'text_delta', text: piece })),
  };
  const tools = reply.toolCalls.map((tool): WrittenBlock => {
    const head = { type: 'tool_use', id: tool.id, name: tool.name };
    return {
      whole: { ...head, input: parseInput(tool.json) },
      empty: { ...head, input: {} },
      deltas: toPieces(tool.json).map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    };
  });
  return [
    ...(reply.thinking === '' ? [] : [thinking]),
    ...(reply.text === '' ? [] : [text]),
    ...tools,
  ];
}

/** A stream may bring arguments that are no JSON; a whole body cannot. */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function toEvent(data: { type: string; [key: string]: unknown }): StreamEvent {
  return { name: data.type, data };
}
