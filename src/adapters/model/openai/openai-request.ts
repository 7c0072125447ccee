/** Writes a request in the words of OpenAI's Chat Completions, which many other servers speak too. */
import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { Message, ModelRequest, PromptBlock, Tool } from '../../../ports/model.ts';
import type { StructuredMode } from '../model-options.ts';
import { toStrictSchema } from './strict-schema.ts';

export interface ChatSettings {
  model: string;
  structured: StructuredMode;
  /** OpenAI itself: newer parameter names, no temperature. Others know only the older ones. */
  isOpenAi: boolean;
  effort?: 'low' | 'medium' | 'high' | undefined;
  /** Room for reasoning on top of the answer: OpenAI counts both in `max_completion_tokens`. */
  thinkingTokens: number;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

/** Builds the body of a streamed call whose last chunk tells the usage. */
export function toChatParams(request: ModelRequest, settings: ChatSettings): Body {
  return {
    model: settings.model,
    stream: true,
    stream_options: { include_usage: true },
    messages: toMessages(request, settings),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    ...toFormat(request, settings),
    ...(settings.isOpenAi ? toOwnParams(request, settings) : toCompatibleParams(request)),
  };
}

function toOwnParams(request: ModelRequest, settings: ChatSettings): Partial<Body> {
  const prefix = readPrefix(request);
  return {
    max_completion_tokens: request.maxOutputTokens + settings.thinkingTokens,
    ...(settings.effort !== undefined && { reasoning_effort: settings.effort }),
    // Sends requests that begin alike to the machine that has the beginning cached.
    ...(prefix !== undefined && {
      prompt_cache_key: createHash('sha256').update(prefix).digest('hex').slice(0, 32),
    }),
  };
}

function toCompatibleParams(request: ModelRequest): Partial<Body> {
  return {
    max_tokens: request.maxOutputTokens,
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  };
}

/** Text up to the first block that ends a shared prefix; undefined when none is marked. */
function readPrefix(request: ModelRequest): string | undefined {
  const blocks = [
    ...request.system,
    ...request.messages.flatMap((m) => (m.role === 'user' ? m.content : [])),
  ];
  const end = blocks.findIndex((block) => block.cache === true);
  return end < 0 ? undefined : joinBlocks(blocks.slice(0, end + 1));
}

function toFormat(request: ModelRequest, settings: ChatSettings): Partial<Body> {
  if (request.output === undefined) return {};
  if (settings.structured === 'json_object') return { response_format: { type: 'json_object' } };
  const strict = toStrictSchema(request.output.schema);
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: request.output.name,
        strict: strict !== undefined,
        schema: strict ?? request.output.schema,
      },
    },
  };
}

function toMessages(
  request: ModelRequest,
  settings: ChatSettings,
): OpenAI.Chat.ChatCompletionMessageParam[] {
  const messages = request.messages.flatMap(toMessage);
  if (request.system.length > 0)
    messages.unshift({ role: 'system', content: joinBlocks(request.system) });
  // Last, so that what comes before stays the same for everyone and cacheable.
  if (request.output !== undefined && settings.structured === 'json_object')
    messages.push({ role: 'user', content: tellSchema(request.output.schema) });
  return messages;
}

function tellSchema(schema: Record<string, unknown>): string {
  return `Answer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

function toMessage(message: Message): OpenAI.Chat.ChatCompletionMessageParam[] {
  if (message.role === 'user') return [{ role: 'user', content: joinBlocks(message.content) }];
  if (message.role === 'assistant') return [toAssistantTurn(message)];
  return message.results.map((result) => ({
    role: 'tool',
    tool_call_id: result.id,
    content: result.isError === true ? `Error: ${result.text}` : result.text,
  }));
}

function toAssistantTurn(
  message: Extract<Message, { role: 'assistant' }>,
): OpenAI.Chat.ChatCompletionAssistantMessageParam {
  const calls = (message.toolCalls ?? []).map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(call.args ?? {}) },
  }));
  return {
    role: 'assistant',
    content: message.text === '' ? null : message.text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function joinBlocks(blocks: readonly PromptBlock[]): string {
  return blocks.map((block) => block.text).join('\n\n');
}

function toTool(tool: Tool): OpenAI.Chat.ChatCompletionTool {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: { ...tool.parameters, type: 'object' },
    },
  };
}
