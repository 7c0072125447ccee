/** Operations about the server: overview, meta, limits and a small search. */
import { HttpError } from '../behave/http-error.ts';
import { ANYONE } from '../world/permissions.ts';
import type { Limits } from '../behave/rate-limits.ts';
import { toIssue } from '../render/to-thread.ts';
import { ok, paged, type Answer, type Call, type Route } from '../router.ts';
import { actorName } from '../world/tokens.ts';
import { nowMs } from '../world/world.ts';
import { findThreads } from '../search.ts';

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

function searchIssues(call: Call): Answer {
  const q = call.query.get('q') ?? '';
  if (q.trim() === '')
    throw new HttpError(422, 'Validation Failed', {
      errors: [{ resource: 'Search', field: 'q', code: 'missing' }],
    });
  const hits = findThreads(call.world, call.actor, q);
  const { page, headers } = paged(call, hits);
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
