/** Writes a reply as OpenAI's Chat Completions does, whole or as chunks. */
import { toPieces, type Reply, type StreamEvent } from './scripted-reply.ts';

const FINISH_REASONS = {
  stop: 'stop',
  length: 'length',
  refusal: 'stop',
  'tool-calls': 'tool_calls',
} as const;

export function toCompletionBody(reply: Reply): Record<string, unknown> {
  const isRefusal = reply.finish === 'refusal';
  return {
    ...toHead(reply, 'chat.completion'),
    choices: [
      {
        index: 0,
        finish_reason: FINISH_REASONS[reply.finish],
        logprobs: null,
        message: {
          role: 'assistant',
          content: isRefusal ? null : reply.text,
          refusal: isRefusal ? reply.text : null,
          ...(reply.toolCalls.length > 0 && { tool_calls: reply.toolCalls.map((t) => toTool(t)) }),
        },
      },
    ],
    ...(reply.usage !== undefined && { usage: toUsage(reply.usage) }),
  };
}

/** The last chunk, without choices, brings the usage when `stream_options.include_usage` asked for it. */
export function toCompletionEvents(reply: Reply, withUsage: boolean): StreamEvent[] {
  const key = reply.finish === 'refusal' ? 'refusal' : 'content';
  const deltas: Record<string, unknown>[] = [
    { role: 'assistant', content: '' },
    ...toPieces(reply.text).map((piece) => ({ [key]: piece })),
    ...reply.toolCalls.flatMap((tool, index) => [
      { tool_calls: [{ index, ...toTool({ ...tool, json: '' }) }] },
      ...toPieces(tool.json).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
  const chunk = (delta: unknown, finish: string | null): StreamEvent => ({
    data: {
      ...toHead(reply, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
    },
  });
  const usage =
    withUsage && reply.usage !== undefined
      ? [
          {
            data: {
              ...toHead(reply, 'chat.completion.chunk'),
              choices: [],
              usage: toUsage(reply.usage),
            },
          },
        ]
      : [];
  return [
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, FINISH_REASONS[reply.finish]),
    ...usage,
    { data: '[DONE]' },
  ];
}

/** Status 0 is an error inside a stream. */
export function toCompletionError(
  status: number,
  message: string,
  more: { type?: string | undefined; code?: string | undefined },
): unknown {
  const usual = status >= 400 && status < 500 ? 'invalid_request_error' : 'server_error';
  return { error: { message, type: more.type ?? usual, param: null, code: more.code ?? null } };
}

function toHead(reply: Reply, object: string): Record<string, unknown> {
  return { id: `chatcmpl-${reply.id}`, object, created: 0, model: reply.model };
}

function toTool(tool: { id: string; name: string; json: string }): Record<string, unknown> {
  return { id: tool.id, type: 'function', function: { name: tool.name, arguments: tool.json } };
}

/** OpenAI counts cached tokens inside the prompt's. */
function toUsage(usage: NonNullable<Reply['usage']>): Record<string, unknown> {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
  };
}
