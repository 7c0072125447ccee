/** Asks a model for a value that fits a schema, with one repair. */
import type { z } from 'zod';
import { InvalidOutputError, RefusedError } from '../../domain/event/errors.ts';
import type { ModelCall } from '../../domain/run/ledger.ts';
import { inline, prompt } from '../../domain/prompt/prompt-text.ts';
import {
  withCalls,
  type Message,
  type Model,
  type ModelAnswer,
  type ModelRequest,
} from '../../ports/model.ts';
import { readJson } from './read-json.ts';
import { toOutputSchema, listIssues } from './output-schema.ts';

export interface ObjectQuestion<T> {
  model: Model;
  /** `output` is made from the schema. */
  request: ModelRequest;
  schema: z.ZodType<T>;
  /** The schema that the provider receives, where `schema` reads only a part of the answer; `schema` when absent. */
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
    throw withCalls(asError(error), calls);
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

/** A model does not do better with a longer list of problems. */
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

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
