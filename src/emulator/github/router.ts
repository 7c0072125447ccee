/** Matches a request to an operation of GitHub's API and gives it a typed view of the call. */
import { escapePattern } from '../../domain/text/pattern.ts';
import type { z } from 'zod';
import { HttpError, notFound } from './behave/http-error.ts';
import type { Account, Repository, Thread } from './world/world-model.ts';
import type { Need } from './world/permissions.ts';
import { actorAccount, type Actor } from './world/tokens.ts';
import { threadOf, type World } from './world/world.ts';

export interface Answer {
  status: number;
  /** A value to send as JSON, or a string or buffer to send as it is when `headers` name a content type. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request as an operation sees it. */
export interface Call {
  world: World;
  actor: Actor;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  accept: string;
  /** The bare token that the caller presented. */
  credential: string | undefined;
  /** Address of a list's further pages, without the query; GitHub names repositories by their ids there. */
  pageUrl: string;
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** GitHub's template, e.g. `/repos/{owner}/{repo}/issues`; a last `{path*}` swallows slashes. */
  path: string;
  need: Need;
  /** Counts against GitHub's limit on content creation. */
  isContent?: boolean;
  run: (call: RepositoryCall) => Promise<Answer> | Answer;
}

/** A call below `/repos/{owner}/{repo}`; elsewhere reading `repository` throws. */
export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

interface Compiled {
  route: Route;
  pattern: RegExp;
  names: string[];
  /** Literal segments: the more, the more specific. */
  weight: number;
}

export type Matcher = (method: string, path: string) => Match | undefined;

/** Builds the matcher once; the most specific template wins. */
export function createMatcher(routes: readonly Route[]): Matcher {
  const compiled = routes.map(compile).toSorted((a, b) => b.weight - a.weight);
  const byMethod = Map.groupBy(compiled, (one) => one.route.method as string);
  return (method, path) => {
    for (const one of byMethod.get(method === 'HEAD' ? 'GET' : method) ?? []) {
      const match = one.pattern.exec(path);
      if (match !== null) return { route: one.route, params: toParams(one.names, match) };
    }
    return undefined;
  };
}

function compile(route: Route): Compiled {
  const names: string[] = [];
  const source = route.path
    .split(/(\{\w+\*?\})/)
    .map((part) => {
      const [, name, star] = /^\{(\w+)(\*?)\}$/.exec(part) ?? [];
      if (name === undefined) return escapePattern(part);
      names.push(name);
      return star === '' ? '([^/]+)' : '(.*)';
    })
    .join('');
  const segments = route.path.split('/');
  const weight =
    segments.filter((one) => !one.startsWith('{')).length * 100 -
    (source.includes('(.*)') ? 50 : 0);
  const shown = { ...route, path: route.path.replaceAll('*}', '}') };
  return { route: shown, names, pattern: new RegExp(`^${source}$`), weight };
}

function toParams(names: string[], match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1] ?? '')]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, 'Malformed percent-encoding in the path');
  }
}

export function param(call: Call, name: string): string {
  const value = call.params[name];
  if (value === undefined) throw notFound();
  return value;
}

export function idParam(call: Call, name: string): number {
  const value = param(call, name);
  if (!/^\d{1,15}$/.test(value)) throw notFound();
  return Number(value);
}

/** The issue or pull request that the path names. */
export function threadParam(call: RepositoryCall, name = 'issue_number'): Thread {
  return threadOf(call.repository, idParam(call, name));
}

/** The account that acts. Routes that write always have one. */
export function sender(call: Call): Account {
  const user = actorAccount(call.actor);
  if (user === undefined) throw new HttpError(401, 'Requires authentication');
  return user;
}

/** The App through which the caller writes, for `performed_via_github_app`. */
export function viaApp(call: Call): number | undefined {
  return call.actor.kind === 'installation' ? call.actor.app.id : undefined;
}

/** Checks the JSON body; a misfit is GitHub's 422. */
export function parseBody<T extends z.ZodType>(call: Call, schema: T): z.infer<T> {
  const parsed = schema.safeParse(call.body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('/') ?? '';
  const isMissing = readAt(call.body, issue?.path ?? []) === undefined;
  const why = isMissing
    ? `"${field}" wasn't supplied.`
    : `For 'properties/${field}', ${issue?.message ?? 'invalid'}.`;
  throw new HttpError(422, `Invalid request.\n\n${why}`);
}

/** The value at a path of the body, to tell an absent one from a wrong one. */
function readAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const NO_CONTENT: Answer = { status: 204 };

/** Cuts one page out of a list and says where the others are, in GitHub's Link header. */
export function paged<T>(
  call: Call,
  items: readonly T[],
): { page: T[]; headers: Record<string, string> } {
  const size = Math.min(Math.max(Number(call.query.get('per_page') ?? 30) || 30, 1), 100);
  const number = Math.max(Number(call.query.get('page') ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(items.length / size), 1);
  const links: string[] = [];
  const add = (rel: string, target: number): void => {
    links.push(`<${pageUrl(call, target)}>; rel="${rel}"`);
  };
  if (number > 1) add('prev', number - 1);
  if (number < last) add('next', number + 1);
  if (number < last) add('last', last);
  if (number > 1) add('first', 1);
  return {
    page: items.slice((number - 1) * size, number * size),
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  };
}

function pageUrl(call: Call, page: number): string {
  const query = new URLSearchParams(call.query);
  query.set('page', String(page));
  return `${call.pageUrl}?${query.toString()}`;
}

/** A page of a list, each item rendered. */
export async function renderListPage<T>(
  call: Call,
  items: readonly T[],
  render: (item: T) => unknown,
): Promise<Answer> {
  const { page, headers } = paged(call, items);
  return { status: 200, body: await Promise.all(page.map((item) => render(item))), headers };
}
