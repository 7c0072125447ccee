/** Conversations with a model that end in a value: structured output with one repair, and the tool loop. */
import { z } from 'zod';
import {
  InvalidOutputError,
  QuorumError,
  RefusedError,
  TransientError,
} from '../../domain/event/errors.ts';
import type { ModelCall } from '../../domain/run/ledger.ts';
import { inline, prompt, trusted, type PromptText } from '../../domain/prompt/prompt-text.ts';
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
import { readJson } from './read-json.ts';

type Schema = Record<string, unknown>;

/** The JSON Schema of what a model has to write, with every object closed. */
export function toOutputSchema(schema: z.ZodType): Schema {
  return closeObjects(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function closeObjects(node: Schema): Schema {
  const out: Schema = {};
  for (const [key, child] of Object.entries(node)) out[key] = closeChild(key, child);
  const isOpen = node['type'] === 'object' && node['additionalProperties'] === undefined;
  return isOpen ? { ...out, additionalProperties: false } : out;
}

function closeChild(key: string, child: unknown): unknown {
  if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return child;
  if (Array.isArray(child))
    return child.map((item) => (isSchema(item) ? closeObjects(item) : item));
  if (!isSchema(child)) return child;
  if (key !== 'properties' && key !== '$defs') return closeObjects(child);
  const entries = Object.entries(child).map(([name, value]) => [
    name,
    isSchema(value) ? closeObjects(value) : value,
  ]);
  return Object.fromEntries(entries) as unknown;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface ObjectQuestion<T> {
  model: Model;
  /** `output` is made from the schema. */
  request: ModelRequest;
  schema: z.ZodType<T>;
  /** What the provider is told to write, where `schema` reads only a part of that; `schema` when absent. */
  form?: z.ZodType | undefined;
  /** Name of the schema for the provider: letters, digits, `_` and `-`. */
  name?: string;
}

export interface ObjectAnswer<T> {
  value: T;
  /** All calls, the one that had to be repaired included. */
  calls: ModelCall[];
  wasRepaired: boolean;
}

/**
 * Asks for a value that fits a schema, and once more when the answer does not.
 *
 * Throws InvalidOutputError `model-invalid-output` after the repair, RefusedError `model-refused`
 * when the model declines, and whatever the model throws; errors carry all calls.
 */
export async function generateObject<T>(question: ObjectQuestion<T>): Promise<ObjectAnswer<T>> {
  const { model, schema } = question;
  const output = {
    name: question.name ?? 'answer',
    schema: toOutputSchema(question.form ?? schema),
  };
  const request = { ...question.request, output };
  const first = await model.generate(request);
  const reading = readAnswer(first, schema);
  if (reading.isValid) return { value: reading.value, calls: first.calls, wasRepaired: false };
  const calls = markInvalid(first.calls);
  const repair = {
    ...request,
    messages: [...request.messages, ...toRepair(first, reading.problem)],
  };
  const second = await model.generate(repair).catch((error: unknown) => {
    throw withCalls(toError(error), calls);
  });
  const again = readAnswer(second, schema, calls);
  if (again.isValid)
    return { value: again.value, calls: [...calls, ...second.calls], wasRepaired: true };
  throw withCalls(
    new InvalidOutputError({
      code: 'model-invalid-output',
      message: `The model's answer does not fit its schema, nor did the repaired one: ${again.problem}`,
    }),
    [...calls, ...markInvalid(second.calls)],
  );
}

type Reading<T> = { isValid: true; value: T } | { isValid: false; problem: string };

function readAnswer<T>(
  answer: ModelAnswer,
  schema: z.ZodType<T>,
  before: readonly ModelCall[] = [],
): Reading<T> {
  if (answer.finishReason === 'refusal') throw toRefused([...before, ...answer.calls]);
  const json = readJson(answer.text);
  if (json === undefined) {
    const isCut = answer.finishReason === 'length';
    return { isValid: false, problem: isCut ? 'it was cut off; be shorter' : 'it is no JSON' };
  }
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { isValid: true, value: parsed.data };
  return { isValid: false, problem: listIssues(parsed.error) };
}

/** A model that is told more does not do better. */
const MAX_PROBLEM = 2_000;

/** The model's own words and what is wrong with them; providers refuse an empty turn. */
function toRepair(answer: ModelAnswer, problem: string): Message[] {
  const said = answer.text.trim() === '' ? '(nothing)' : answer.text;
  const text = prompt`Your answer cannot be used: ${inline(problem, MAX_PROBLEM)}\nAnswer again with the corrected JSON and nothing else.`;
  return [
    { role: 'assistant', text: said },
    { role: 'user', content: [{ text }] },
  ];
}

function listIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 10)
    .map(
      (issue) => `${issue.path.length === 0 ? 'answer' : issue.path.join('.')}: ${issue.message}`,
    )
    .join('; ');
}

/** The last call brought the answer that could not be used. */
function markInvalid(calls: readonly ModelCall[]): ModelCall[] {
  return calls.map((call, i) =>
    i === calls.length - 1 ? { ...call, outcome: 'invalid' as const } : call,
  );
}

function toRefused(calls: readonly ModelCall[]): RefusedError {
  const message = 'The model declined to answer.';
  return withCalls(new RefusedError({ code: 'model-refused', message }), calls);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

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
  /** Text for the model. An expected failure (QuorumError) is told to the model; anything else ends the loop. */
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
  /** Most calls of the model; the last one is told to answer. */
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
 * Throws InvalidOutputError `model-tool-loop` when it never does, TransientError `model-timeout` when the
 * time is over, and whatever the model or a tool throws; errors carry all calls.
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
    throw withCalls(toError(error), calls);
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
