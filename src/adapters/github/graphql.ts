/** GraphQL for what REST does not tell: asked where it is there, done without where it is not. */
import { z } from 'zod';
import { QuorumError, TransientError } from '../../domain/errors.ts';
import type { Bound } from './bound.ts';
import { operation } from './operations.ts';
import { GRAPHQL } from './wire.ts';

const WireError = z.object({
  message: z.string().default(''),
  type: z.string().optional(),
  path: z.array(z.union([z.string(), z.number()])).default([]),
  extensions: z.object({ code: z.string().optional() }).optional(),
});
type WireError = z.infer<typeof WireError>;

const Reply = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(WireError).optional(),
});

const POST_GRAPHQL = operation(GRAPHQL, Reply);

export interface Query {
  text: string;
  variables: Record<string, unknown>;
}

export interface Told {
  fields: Record<string, unknown>;
  /** By the first field that is null for it: GitHub's word for why, such as `NOT_FOUND` or `FORBIDDEN`. */
  refused: ReadonlyMap<string, string>;
  /** Where in the answer something is null for an error: names with dots between them; empty for all of it. */
  failed: readonly string[];
  /** GitHub's words for what went wrong. */
  messages: readonly string[];
}

/**
 * The fields of an answer, null where GitHub could not give one; undefined when GraphQL is not there, does not know
 * what was asked for, is used up or is not allowed: all of them reasons to do without.
 *
 * @throws what the line throws for lost answers, limits of REST and wrong credentials
 */
export async function askGraphql(bound: Bound, query: Query): Promise<Told | undefined> {
  const slot = `${bound.installationId}/${query.text}`;
  if (bound.recall.missing.get(slot) === true) return undefined;
  const note = (): void => bound.recall.missing.set(slot, true);
  return settle(() => bound.calls.mint(POST_GRAPHQL, toBody(query)), isNoGraphql, note);
}

/** The fields of an answer without errors; undefined for a partial one, whose nulls and gaps are no facts. */
export async function readGraphql(
  bound: Bound,
  query: Query,
): Promise<Record<string, unknown> | undefined> {
  const told = await askGraphql(bound, query);
  return told === undefined || told.failed.length > 0 ? undefined : told.fields;
}

/**
 * Whether nothing below a field failed. A list with an entry that failed looks like a shorter list, so what rests on it
 * asks here first.
 *
 * @param mayFail - paths whose failure is no matter here
 */
export function isWhole({ failed }: Pick<Told, 'failed'>, at: string, mayFail?: RegExp): boolean {
  const touches = (path: string): boolean =>
    path === '' || path === at || path.startsWith(`${at}.`) || at.startsWith(`${path}.`);
  return !failed.some((path) => touches(path) && mayFail?.test(path) !== true);
}

/** As {@link askGraphql}, sent once: what it names is true afterwards or it is not. */
export async function sendGraphql(bound: Bound, query: Query): Promise<Told | undefined> {
  return settle(() => bound.calls.send(POST_GRAPHQL, toBody(query)), isMissing);
}

function toBody({ text, variables }: Query): Record<string, unknown> {
  return { query: text, variables };
}

async function settle(
  ask: () => Promise<{ data: z.infer<typeof Reply> }>,
  mayDoWithout: (error: unknown) => boolean,
  onUnknownField?: () => void,
): Promise<Told | undefined> {
  try {
    const { data, errors = [] } = (await ask()).data;
    if (errors.some(isUnknownField)) onUnknownField?.();
    if (data === undefined || data === null) return undefined;
    const reasons = errors.map(({ path, type = '' }): [string, string] => [String(path[0]), type]);
    return {
      fields: data,
      refused: new Map(reasons),
      failed: errors.map(({ path }) => path.join('.')),
      messages: errors.map(({ message }) => message),
    };
  } catch (error) {
    if (mayDoWithout(error)) return undefined;
    throw error;
  }
}

/** An older server refuses the whole query for one field that it lacks, and does so each time. */
function isUnknownField({ message, extensions }: WireError): boolean {
  const code = extensions?.code ?? '';
  return (
    UNKNOWN_FIELD.has(code) || /^(?:Field|Argument) '.{1,100}' doesn't exist on /.test(message)
  );
}

/** GitHub's own codes for what its schema does not have. */
const UNKNOWN_FIELD = new Set(['undefinedField', 'undefinedType', 'argumentNotAccepted']);

/** No such route, or not allowed. */
function isMissing(error: unknown): boolean {
  const codes = ['github-not-found', 'github-forbidden', 'github-invalid'];
  return error instanceof QuorumError && codes.includes(error.code);
}

/** Or something else that answers there in its own form. After a write such an answer may hide its effect. */
function isNoGraphql(error: unknown): boolean {
  return (
    isMissing(error) || (error instanceof TransientError && error.code === 'unexpected-answer')
  );
}
