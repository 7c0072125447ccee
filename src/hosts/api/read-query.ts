/** Reads the query of a request to `/api/v1`: what is not known or not readable is refused by name. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import type { Problem } from '../../adapters/http/http-answers.ts';

export type Query<K extends string> = Readonly<Partial<Record<K, string>>>;

/** 400: the request says something that is not understood. */
export class QueryProblem extends Error {
  readonly problem: Problem;

  constructor(title: string) {
    super(title);
    this.problem = { status: 400, code: 'query-invalid', title };
  }
}

/** The parameters of these names; each may be given once. */
export function readQuery<K extends string>(req: IncomingMessage, names: readonly K[]): Query<K> {
  const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
  const query: Partial<Record<K, string>> = {};
  for (const [given, value] of searchParams) {
    const name = names.find((known) => known === given);
    if (name === undefined)
      throw new QueryProblem(`${given.slice(0, 40)} is not a parameter; use ${names.join(', ')}`);
    if (query[name] !== undefined) throw new QueryProblem(`${name} is given twice`);
    query[name] = value;
  }
  return query;
}

const MOST = 200;
const USUAL = 50;

/** From 1 to 200; 50 when absent. */
export function readMost(value: string | undefined): number {
  if (value === undefined) return USUAL;
  if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > MOST)
    throw new QueryProblem(`limit must be a whole number from 1 to ${MOST}`);
  return Number(value);
}

/** One of these words, or undefined when absent. */
export function readWord<T extends string>(
  name: string,
  value: string | undefined,
  words: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = words.find((known) => known === value);
  if (found === undefined) throw new QueryProblem(`${name} must be one of ${words.join(', ')}`);
  return found;
}

/** The lists that have pages. A cursor of one is refused by another. */
export type PagedList = 'insights' | 'themes' | 'tensions';

/** Where the next page begins: the key of the last item that was shown. Its form is ours and may change. */
export function toCursor(list: PagedList, key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** The key in a cursor of this list; undefined when absent. */
export function readCursor<T>(
  value: string | undefined,
  list: PagedList,
  key: z.ZodType<T>,
): T | undefined {
  if (value === undefined) return undefined;
  const [named, ...rest] = parts(value);
  const read = key.safeParse(rest);
  if (named !== list || !read.success)
    throw new QueryProblem(
      'cursor must be the nextCursor of an answer of this list; leave it out to begin again',
    );
  return read.data;
}

function parts(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
