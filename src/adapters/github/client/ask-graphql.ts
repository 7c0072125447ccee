/** GraphQL for what REST does not tell: asked where it is there, done without where it is not. */
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { z } from 'zod';
import { QuorumError, TransientError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { BY_NAME } from './rest-address.ts';
import type { SessionContext } from '../bound.ts';
import { operation } from '../rest-operations.ts';
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
 * The fields of an answer, null where GitHub could not give one. Undefined when GraphQL is missing, does not know
 * what was asked for, is used up or is not allowed. The caller then does without.
 *
 * @throws what the line throws for lost answers, limits of REST and wrong credentials
 */
export async function askGraphql(bound: SessionContext, query: Query): Promise<Told | undefined> {
  const slot = `${bound.installationId}/${query.text}`;
  if (bound.recall.missing.get(slot) === true) return undefined;
  const note = (): void => void bound.recall.missing.set(slot, true);
  return settle(() => bound.calls.mint(POST_GRAPHQL, toBody(query)), isNoGraphql, note);
}

/** Begins the repository's part of a query for {@link askRepository}, which declares `$owner` and `$repo`. */
export const THIS_REPOSITORY = 'repository(owner: $owner, name: $repo) { databaseId';

/**
 * As {@link askGraphql}, of one repository. GraphQL finds it by its name alone, so the answer is checked by its id. A
 * name that leads nowhere or to another repository is looked up by the id, once. Undefined where that does not help.
 *
 * @throws what reading the repository throws, such as RefusedError `github-not-found`
 */
export async function askRepository(
  bound: SessionContext,
  ref: RepositoryRef,
  { text, variables }: Query,
): Promise<Told | undefined> {
  const { owner, repo } = bound.places.last(ref);
  const ask = (at: { owner: string; repo: string }): Promise<Told | undefined> =>
    askGraphql(bound, { text, variables: { ...variables, owner: at.owner, repo: at.repo } });
  const told = await ask({ owner, repo });
  if (told === undefined || ref.repositoryId === BY_NAME || isOf(ref, told)) return told;
  const isMisled = idOf(told) !== undefined || told.refused.get('repository') === 'NOT_FOUND';
  if (!isMisled) return undefined;
  await bound.places.read(ref, bound.calls);
  const now = bound.places.last(ref);
  if (now.owner === owner && now.repo === repo) return undefined;
  const again = await ask(now);
  return again !== undefined && isOf(ref, again) ? again : undefined;
}

const Identified = z.object({ databaseId: z.number() });

function idOf({ fields }: Told): number | undefined {
  return Identified.safeParse(fields['repository']).data?.databaseId;
}

function isOf({ repositoryId }: RepositoryRef, told: Told): boolean {
  return idOf(told) === repositoryId;
}

/** The fields of an answer without errors; undefined for a partial one, whose nulls and gaps are no facts. */
export async function readRepository(
  bound: SessionContext,
  ref: RepositoryRef,
  query: Query,
): Promise<Record<string, unknown> | undefined> {
  const told = await askRepository(bound, ref, query);
  return told === undefined || told.failed.length > 0 ? undefined : told.fields;
}

/**
 * Whether nothing below a field failed. A list with a failed entry looks like a shorter list, so check first.
 *
 * @param mayFail - paths whose failure does not matter here
 */
export function isWhole({ failed }: Pick<Told, 'failed'>, at: string, mayFail?: RegExp): boolean {
  const touches = (path: string): boolean =>
    path === '' || path === at || path.startsWith(`${at}.`) || at.startsWith(`${path}.`);
  return !failed.some((path) => touches(path) && mayFail?.test(path) !== true);
}

/** As {@link askGraphql}, sent once: what it names is true afterwards or it is not. */
export async function sendGraphql(bound: SessionContext, query: Query): Promise<Told | undefined> {
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
  const codes: ErrorCode[] = ['github-not-found', 'github-forbidden', 'github-invalid'];
  return error instanceof QuorumError && codes.includes(error.code);
}

/** Or something else that answers there in its own form. After a write such an answer may hide its effect. */
function isNoGraphql(error: unknown): boolean {
  return (
    isMissing(error) || (error instanceof TransientError && error.code === 'unexpected-answer')
  );
}
