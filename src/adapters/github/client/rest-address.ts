/**
 * Where a repository is asked: at its id's own address, `/repositories/{id}/…`, which GitHub's redirects lead to. A name
 * may come to mean another repository between any two requests, an id never does.
 */
import type { Params } from '../github-answer.ts';

/** An id of nothing: a repository that is known by its name alone, such as an organisation's settings. Read only. */
export const BY_NAME = 0;

export interface Address {
  /** The route that is sent; its template stays the name under which it is counted. */
  route: string;
  params: Params;
}

const NAMED = '/repos/{owner}/{repo}';

/**
 * The address of an operation. Below a repository it takes `repositoryId`, `owner` and `repo`: a `Place`.
 *
 * @throws Error for a repository without its id, or a write by name alone
 */
export function toRestAddress(route: string, { repositoryId, ...params }: Params): Address {
  if (!route.includes(NAMED)) return { route, params };
  if (typeof repositoryId !== 'number') throw new Error(`${route} without a repository's id`);
  if (repositoryId !== BY_NAME) {
    const { owner: _, repo: __, ...rest } = params;
    return { route: route.replace(NAMED, `/repositories/${repositoryId}`), params: rest };
  }
  if (!route.startsWith('GET ')) throw new Error(`${route} by name alone`);
  return { route, params };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
const BY_ID = /^.*\/repositories\/\d+(?=\/|$)/;

/** Whether an address is of a repository by its id. */
export function isById(url: string): boolean {
  return BY_ID.test(URL.parse(url)?.pathname ?? '');
}

/**
 * Where a read goes on: within the same repository, as of a branch that was renamed. An issue that was transferred leads
 * to another one, which is not read.
 */
export function followWithin(
  answer: { status: number; headers: Readonly<Record<string, string>> },
  url: string,
): string | undefined {
  const target = URL.parse(answer.headers['location'] ?? '');
  if (!REDIRECTS.has(answer.status) || target === null) return undefined;
  const from = new URL(url);
  const isSame = target.origin === from.origin && repositoryOf(target) === repositoryOf(from);
  return isSame ? target.href : undefined;
}

function repositoryOf({ pathname }: URL): string | undefined {
  return BY_ID.exec(pathname)?.[0];
}
