/** Operations on commit statuses. */
import { z } from 'zod';
import { HttpError } from '../../behave/http-error.ts';
import type { CommitStatus } from '../../world/check-model.ts';
import { reads, writes } from '../../world/permissions.ts';
import { toStatus } from '../../render/to-check-run.ts';
import { repositoryApiUrl, toMinimalRepository } from '../../render/repositories.ts';
import {
  created,
  renderListPage,
  ok,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { nextId, nowIso } from '../../world/world.ts';
import { shaParam } from './check-routes.ts';

const NewStatus = z.looseObject({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().optional(),
});

async function createStatus(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewStatus);
  if ((body.description ?? '').length > 140)
    throw new HttpError(422, 'Validation Failed', {
      errors: [
        {
          resource: 'Status',
          code: 'custom',
          field: 'description',
          message: 'description is too long (maximum is 140 characters)',
        },
      ],
    });
  const status: CommitStatus = {
    id: nextId(call.world),
    sha: await shaParam(call, 'sha'),
    state: body.state,
    context: body.context ?? 'default',
    description: body.description ?? null,
    targetUrl: body.target_url ?? null,
    creatorId: sender(call).id,
    createdAt: nowIso(call.world),
  };
  call.repository.statuses.push(status);
  const wire = toStatus(call.world, call.repository, status);
  call.world.emit({
    event: 'status',
    repository: call.repository,
    sender: sender(call),
    payload: {
      ...wire,
      sha: status.sha,
      name: call.repository.name,
      commit: { sha: status.sha },
      branches: [],
    },
  });
  return created(wire);
}

async function combinedStatus(call: RepositoryCall): Promise<Answer> {
  const sha = await shaParam(call);
  const all = call.repository.statuses.filter((one) => one.sha === sha);
  const newest = [...new Map(all.map((one) => [one.context, one])).values()];
  const url = repositoryApiUrl(call.world, call.repository);
  return ok({
    state: combine(newest),
    statuses: newest.map((one) => toStatus(call.world, call.repository, one)),
    sha,
    total_count: newest.length,
    repository: toMinimalRepository(call.world, call.repository),
    commit_url: `${url}/commits/${sha}`,
    url: `${url}/commits/${sha}/status`,
  });
}

function combine(statuses: readonly CommitStatus[]): string {
  if (statuses.some((one) => one.state === 'error' || one.state === 'failure')) return 'failure';
  if (statuses.length === 0 || statuses.some((one) => one.state === 'pending')) return 'pending';
  return 'success';
}

const REPO = '/repos/{owner}/{repo}';

export const statusRoutes: Route[] = [
  {
    method: 'POST',
    path: `${REPO}/statuses/{sha}`,
    need: writes('write', 'statuses'),
    run: createStatus,
  },
  {
    method: 'GET',
    path: `${REPO}/commits/{ref}/status`,
    need: reads('statuses'),
    run: combinedStatus,
  },
  {
    method: 'GET',
    path: `${REPO}/commits/{ref}/statuses`,
    need: reads('statuses'),
    run: async (call) => {
      const sha = await shaParam(call);
      const all = call.repository.statuses.filter((one) => one.sha === sha).toReversed();
      return renderListPage(call, all, (one) => toStatus(call.world, call.repository, one));
    },
  },
];
