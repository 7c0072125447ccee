/** Operations about the server: overview, meta, limits and a small search. */
import { HttpError } from '../behave/http-error.ts';
import { ANYONE, canSee } from '../world/permissions.ts';
import type { Limits } from '../behave/rate-limits.ts';
import { toIssue } from '../render/to-thread.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import { ok, paged, type Answer, type Call, type Route } from '../router.ts';
import { actorName } from '../world/tokens.ts';
import { account, findRepository, nowMs } from '../world/world.ts';
import { findLabel } from '../threads.ts';

export function serverRoutes(limits: Limits): Route[] {
  return [
    {
      method: 'GET',
      path: '/',
      need: ANYONE,
      run: (call) => ok({ current_user_url: `${call.world.apiUrl}/user` }),
    },
    {
      method: 'GET',
      path: '/meta',
      need: ANYONE,
      run: () => ok({ verifiable_password_authentication: false, installed_version: '3.17.0' }),
    },
    { method: 'GET', path: '/rate_limit', need: ANYONE, run: (call) => rateLimit(call, limits) },
    { method: 'GET', path: '/search/issues', need: ANYONE, run: searchIssues },
  ];
}

function rateLimit(call: Call, limits: Limits): Answer {
  const headers = limits.headers({
    key: actorName(call.actor),
    actor: call.actor,
    atMs: nowMs(call.world),
  });
  const read = (name: string): number => Number(headers[`x-ratelimit-${name}`] ?? 0);
  const core = {
    limit: read('limit'),
    remaining: read('remaining'),
    reset: read('reset'),
    used: read('used'),
  };
  const search = { limit: 30, remaining: 30, reset: core.reset, used: 0 };
  return ok({ resources: { core, search, graphql: core }, rate: core });
}

interface Hit {
  repository: Repository;
  thread: Thread;
}

type Qualifier = (value: string, hit: Hit, call: Call) => boolean;

const QUALIFIERS: Record<string, Qualifier> = {
  repo: (value, hit, call) => findRepository(call.world, value) === hit.repository,
  org: (value, hit, call) => sameLogin(call, hit.repository.ownerId, value),
  user: (value, hit, call) => sameLogin(call, hit.repository.ownerId, value),
  author: (value, hit, call) => sameLogin(call, hit.thread.userId, value),
  label: (value, hit) => {
    const label = findLabel(hit.repository, value);
    return label !== undefined && hit.thread.labelIds.includes(label.id);
  },
  state: (value, hit) => hit.thread.state === value,
  type: (value, hit) => isKind(value, hit),
  is: (value, hit) => isKind(value, hit),
  in: () => true,
};

function sameLogin(call: Call, id: number, login: string): boolean {
  return account(call.world, id).login.toLowerCase() === login.toLowerCase();
}

function isKind(value: string, { thread }: Hit): boolean {
  if (value === 'pr') return thread.pull !== undefined;
  if (value === 'issue') return thread.pull === undefined;
  return value === 'merged' ? (thread.pull?.merged ?? false) : thread.state === value;
}

function searchIssues(call: Call): Answer {
  const q = call.query.get('q') ?? '';
  if (q.trim() === '')
    throw new HttpError(422, 'Validation Failed', {
      errors: [{ resource: 'Search', field: 'q', code: 'missing' }],
    });
  const terms = [...q.matchAll(/(?:(-?)(\w+):)?(?:"([^"]*)"|(\S+))/g)];
  const hits: Hit[] = [];
  for (const repository of call.world.state.repositories.values()) {
    if (!canSee(call.world, call.actor, repository)) continue;
    for (const thread of repository.threads.values())
      if (terms.every((term) => matchesTerm(call, term, { repository, thread })))
        hits.push({ repository, thread });
  }
  const { page, headers } = paged(call, hits.toReversed());
  const items = page.map((hit) => ({
    ...toIssue(call.world, hit.repository, hit.thread),
    score: 1,
  }));
  return {
    status: 200,
    headers,
    body: { total_count: hits.length, incomplete_results: false, search_type: 'lexical', items },
  };
}

function matchesTerm(call: Call, term: RegExpExecArray, hit: Hit): boolean {
  const [, minus, name, quoted, plain] = term;
  const value = quoted ?? plain ?? '';
  const qualifier = name === undefined ? undefined : QUALIFIERS[name];
  if (qualifier !== undefined) return qualifier(value, hit, call) === (minus !== '-');
  return `${hit.thread.title}\n${hit.thread.body ?? ''}`
    .toLowerCase()
    .includes(value.toLowerCase());
}
