/** Writes a request in the words of Anthropic's Messages API. */
import type Anthropic from '@anthropic-ai/sdk';
import type {
  Message,
  ModelRequest,
  PromptBlock,
  Tool,
  ToolCall,
  ToolResult,
} from '../../../ports/model.ts';

/** Cache breakpoints that one request may have (Anthropic's prompt caching guide). */
const MAX_BREAKPOINTS = 4;

/** What a request needs to know about the model it goes to. */
export interface MessageSettings {
  model: string;
  /** How hard the model thinks; the provider's default when absent. */
  effort?: 'low' | 'medium' | 'high' | undefined;
  /** Room for thinking on top of the answer: Claude counts both in `max_tokens`. */
  thinkingTokens: number;
  /** Makes a JSON Schema fit what the API accepts. */
  toSchema: (schema: Record<string, unknown>) => Record<string, unknown>;
}

/** What the model wants back in the next turn of a tool loop: its own blocks, thinking included. */
export interface Continuation {
  provider: 'anthropic';
  model: string;
  blocks: Anthropic.ContentBlockParam[];
}

/**
 * Builds the body of a streamed call. Order is tools, system, messages, as the cache sees them.
 *
 * Temperature is never sent: models since Claude Opus 4.7 refuse it.
 */
export function toMessageParams(
  request: ModelRequest,
  settings: MessageSettings,
): Anthropic.MessageCreateParamsStreaming {
  const marks = chooseBreakpoints(request);
  const config = toOutputConfig(request, settings);
  return {
    model: settings.model,
    max_tokens: request.maxOutputTokens + settings.thinkingTokens,
    stream: true,
    ...(request.system.length > 0 && { system: request.system.map((b) => toText(b, marks)) }),
    messages: request.messages.map((message) => toMessage(message, settings.model, marks)),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map(toTool) }),
    ...(config !== undefined && { output_config: config }),
  };
}

function toOutputConfig(
  request: ModelRequest,
  settings: MessageSettings,
): Anthropic.OutputConfig | undefined {
  if (request.output === undefined && settings.effort === undefined) return undefined;
  return {
    ...(settings.effort !== undefined && { effort: settings.effort }),
    ...(request.output !== undefined && {
      format: { type: 'json_schema', schema: settings.toSchema(request.output.schema) },
    }),
  };
}

/**
 * Picks the blocks that get a breakpoint. With too many, the first ones stay, because those end what
 * several personas share, and the last one, which ends what this conversation repeats.
 */
export function chooseBreakpoints(request: ModelRequest): ReadonlySet<PromptBlock> {
  const wanted = [
    ...request.system,
    ...request.messages.flatMap((m) => (m.role === 'user' ? m.content : [])),
  ].filter((block) => block.cache === true && block.text !== '');
  if (wanted.length <= MAX_BREAKPOINTS) return new Set(wanted);
  return new Set([...wanted.slice(0, MAX_BREAKPOINTS - 1), ...wanted.slice(-1)]);
}

function toText(block: PromptBlock, marks: ReadonlySet<PromptBlock>): Anthropic.TextBlockParam {
  const text = { type: 'text' as const, text: block.text };
  return marks.has(block) ? { ...text, cache_control: { type: 'ephemeral' } } : text;
}

function toMessage(
  message: Message,
  model: string,
  marks: ReadonlySet<PromptBlock>,
): Anthropic.MessageParam {
  if (message.role === 'assistant') return toAssistantTurn(message, model);
  if (message.role === 'tool') return { role: 'user', content: message.results.map(toResult) };
  // The API refuses empty text blocks.
  const blocks = message.content.filter((block) => block.text !== '');
  return { role: 'user', content: blocks.map((block) => toText(block, marks)) };
}

function toResult(result: ToolResult): Anthropic.ToolResultBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: result.id,
    content: result.text,
    ...(result.isError === true && { is_error: true }),
  };
}

function toAssistantTurn(
  message: Extract<Message, { role: 'assistant' }>,
  model: string,
): Anthropic.MessageParam {
  const own = continuationFor(message.continuation, model);
  const content = own ?? toAssistantBlocks(message.text, message.toolCalls ?? []);
  return { role: 'assistant', content };
}

function toAssistantBlocks(
  text: string,
  calls: readonly ToolCall[],
): Anthropic.ContentBlockParam[] {
  const uses = calls.map((call) => ({
    type: 'tool_use' as const,
    id: call.id,
    name: call.name,
    input: toInput(call.args),
  }));
  return text === '' ? uses : [{ type: 'text', text }, ...uses];
}

/** The API takes only objects here; what the model wrote as no JSON becomes an empty one. */
function toInput(args: unknown): unknown {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
}

/** The API cannot read another model's thinking, so only this model's own blocks are sent again. */
function continuationFor(value: unknown, model: string): Anthropic.ContentBlockParam[] | undefined {
  return isContinuation(value) && value.model === model ? value.blocks : undefined;
}

function isContinuation(value: unknown): value is Continuation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'provider' in value &&
    value.provider === 'anthropic'
  );
}

function toTool(tool: Tool): Anthropic.Tool {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.parameters, type: 'object' },
  };
}
