/** The tool loop: a model calls tools until it answers. */
import type { z } from 'zod';
import { InvalidOutputError, QuorumError, TransientError } from '../../domain/event/errors.ts';
import type { ModelCall } from '../../domain/run/ledger.ts';
import { prompt, trusted, type PromptText } from '../../domain/prompt/prompt-text.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  withCalls,
  type Message,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '../../ports/model.ts';
import { toOutputSchema, listIssues } from './output-schema.ts';
import { asError } from './generate-object.ts';

/** A tool that a loop can run: arguments are checked before `run` sees them. */
export interface LoopTool extends Tool {
  run(
    args: unknown,
    signal: AbortSignal | undefined,
  ): Promise<{ text: PromptText; isError?: boolean }>;
}

export interface ToolSpec<T> {
  name: string;
  description: string;
  args: z.ZodType<T>;
  /**
   * Text for the model. The model receives the message of an expected failure (QuorumError); any other error ends the
   * loop.
   */
  run(args: T, signal: AbortSignal | undefined): PromptText | Promise<PromptText>;
}

/** Makes a tool of a schema and a function. */
export function defineTool<T>(spec: ToolSpec<T>): LoopTool {
  return {
    name: spec.name,
    description: spec.description,
    parameters: toOutputSchema(spec.args),
    async run(args, signal) {
      const parsed = spec.args.safeParse(args);
      if (!parsed.success)
        return { text: trusted(`Wrong arguments: ${listIssues(parsed.error)}`), isError: true };
      try {
        return { text: await spec.run(parsed.data, signal) };
      } catch (error) {
        if (!(error instanceof QuorumError)) throw error;
        return { text: trusted(error.message), isError: true };
      }
    },
  };
}

export interface ToolLoop {
  model: Model;
  /** `timeoutMs` bounds the whole loop. `tools` is made from the list below. */
  request: ModelRequest;
  tools: readonly LoopTool[];
  clock: Clock;
  /** Most calls of the model. The last one asks for an answer. */
  maxRounds?: number;
  /** Most bytes of one result that the model sees. */
  maxBytes?: number;
}

export interface ToolLoopAnswer {
  text: string;
  finishReason: ModelAnswer['finishReason'];
  /** The whole conversation, the final answer included. */
  transcript: Message[];
  calls: ModelCall[];
  rounds: number;
}

const MAX_ROUNDS = 15;

const MAX_BYTES = 8 * 1024;

/**
 * Lets a model use tools until it answers.
 *
 * Throws InvalidOutputError `model-tool-loop` when it never answers, and TransientError `model-timeout` when the time
 * is over. Errors of the model or a tool pass through. All errors carry the calls.
 */
export async function runToolLoop(loop: ToolLoop): Promise<ToolLoopAnswer> {
  const maxRounds = loop.maxRounds ?? MAX_ROUNDS;
  const deadline = loop.clock.now() + loop.request.timeoutMs;
  const transcript: Message[] = [...loop.request.messages];
  const calls: ModelCall[] = [];
  try {
    for (let round = 1; round <= maxRounds; round += 1) {
      const answer = await askRound(loop, transcript, deadline);
      calls.push(...answer.calls);
      transcript.push(toTurn(answer));
      if (answer.toolCalls.length === 0)
        return {
          text: answer.text,
          finishReason: answer.finishReason,
          transcript,
          calls,
          rounds: round,
        };
      const results = await runTools(loop, answer.toolCalls);
      transcript.push({
        role: 'tool',
        results: round === maxRounds - 1 ? tellLast(results) : results,
      });
    }
  } catch (error) {
    throw withCalls(asError(error), calls);
  }
  throw withCalls(toEndless(maxRounds), calls);
}

function askRound(
  loop: ToolLoop,
  transcript: readonly Message[],
  deadline: number,
): Promise<ModelAnswer> {
  const { request, model, clock } = loop;
  request.signal?.throwIfAborted();
  const timeoutMs = deadline - clock.now();
  if (timeoutMs <= 0) throw toLate(request.timeoutMs);
  const tools = loop.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
  return model.generate({ ...request, tools, messages: [...transcript], timeoutMs });
}

function toTurn(answer: ModelAnswer): Message {
  return {
    role: 'assistant',
    text: answer.text,
    ...(answer.toolCalls.length > 0 && { toolCalls: answer.toolCalls }),
    ...(answer.continuation !== undefined && { continuation: answer.continuation }),
  };
}

/** One after the other, in the model's order: later ones may rest on earlier ones. */
async function runTools(loop: ToolLoop, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of calls) {
    loop.request.signal?.throwIfAborted();
    const result = await runTool(loop, call);
    const text = trusted(clipBytes(result.text, loop.maxBytes ?? MAX_BYTES));
    results.push({ id: call.id, text, ...(result.isError === true && { isError: true }) });
  }
  return results;
}

function runTool(loop: ToolLoop, call: ToolCall): ReturnType<LoopTool['run']> {
  const tool = loop.tools.find(({ name }) => name === call.name);
  if (tool !== undefined) return tool.run(call.args, loop.request.signal);
  const names = loop.tools.map(({ name }) => name).join(', ');
  return Promise.resolve({
    text: trusted(`There is no tool ${call.name}; there are: ${names}`),
    isError: true,
  });
}

const LAST_ROUND = '\n\n(No more tools after this: answer now with what you know.)';

function tellLast(results: readonly ToolResult[]): ToolResult[] {
  return results.map((result, i) =>
    i === results.length - 1 ? { ...result, text: prompt`${result.text}${LAST_ROUND}` } : result,
  );
}

/** Keeps whole characters, and says how much is missing. */
export function clipBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // A byte of the form 10xxxxxx continues a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.subarray(0, end).toString('utf8')}\n(${bytes.length - end} more bytes left out)`;
}

function toLate(timeoutMs: number): TransientError {
  return new TransientError({
    code: 'model-timeout',
    message: `The conversation did not end within ${Math.round(timeoutMs / 1000)} s.`,
  });
}

function toEndless(maxRounds: number): InvalidOutputError {
  return new InvalidOutputError({
    code: 'model-tool-loop',
    message: `The model still asked for tools after ${maxRounds} rounds.`,
  });
}
