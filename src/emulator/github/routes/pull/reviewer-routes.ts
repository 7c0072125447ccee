/** Whose reviews of a pull request are requested. */
import { z } from 'zod';
import { HttpError } from '../../behave/http-error.ts';
import { holds, reads, writes } from '../../world/permissions.ts';
import { toTeams, toUserById } from '../../render/accounts.ts';
import { toPull } from '../../render/to-pull.ts';
import { ok, parseBody, type Answer, type RepositoryCall, type Route } from '../../router.ts';
import * as threads from '../../threads.ts';
import { account, findAccount, fullName, nodeId, roleOf } from '../../world/world.ts';
import { deedOf } from '../issue-routes.ts';
import { pullParam } from './pull-routes.ts';

const Reviewers = z.looseObject({
  reviewers: z.array(z.string()).optional(),
  team_reviewers: z.array(z.string()).optional(),
});

type Action = 'review_requested' | 'review_request_removed';

function changeReviewers(action: Action): (call: RepositoryCall) => Answer {
  const isAdding = action === 'review_requested';
  return (call) => {
    const { thread, pull } = pullParam(call);
    const { reviewers = [], team_reviewers: teams = [] } = parseBody(call, Reviewers);
    for (const slug of teams) refuseTeam(call, slug);
    for (const login of reviewers) changePerson(call, login, action);
    for (const slug of teams) pull.requestedTeams[isAdding ? 'add' : 'delete'](slug);
    return { status: isAdding ? 201 : 200, body: toPull(call.world, call.repository, thread) };
  };
}

function changePerson(call: RepositoryCall, login: string, action: Action): void {
  const { world, repository } = call;
  const { thread, pull } = pullParam(call);
  const isAdding = action === 'review_requested';
  const user = findAccount(world, login);
  if (user === undefined || roleOf(world, repository, user.id) === 'none')
    throw new HttpError(
      422,
      `Reviews may only be requested from collaborators. ${login} is not one.`,
    );
  if (user.id === thread.userId && isAdding)
    throw new HttpError(422, 'Review cannot be requested from pull request author.');
  if (pull.requestedReviewerIds.includes(user.id) === isAdding) return;
  pull.requestedReviewerIds = pull.requestedReviewerIds.filter((id) => id !== user.id);
  if (isAdding) pull.requestedReviewerIds.push(user.id);
  const deed = deedOf(call);
  threads.appendEvent(deed, thread, { event: action, reviewerId: user.id });
  const more = { requested_reviewer: toUserById(world, user.id) };
  threads.emitThread(deed, thread, { action, more });
}

/**
 * A token that may not read a team cannot name it. GitHub then answers for the whole request that it knows no such
 * node (github.com/github/docs/issues/35057, github.com/peter-evans/create-pull-request/issues/155).
 *
 * @throws HttpError 422
 */
function refuseTeam({ world, repository, actor }: RepositoryCall, slug: string): void {
  const team = account(world, repository.ownerId).teams.get(slug);
  if (team === undefined) {
    const one = 'Reviews may only be requested from collaborators. One or more of the teams you';
    throw new HttpError(
      422,
      `${one} specified is not a collaborator of the ${fullName(world, repository)} repository.`,
    );
  }
  if (actor.kind !== 'installation' || holds(actor, { permissions: ['members'], level: 'read' }))
    return;
  throw new HttpError(422, 'Validation Failed', {
    errors: [`Could not resolve to a node with the global id of '${nodeId('T', team.id)}'.`],
  });
}

const PATH = '/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';

const WRITE = writes('triage', 'pull_requests');

export const reviewerRoutes: Route[] = [
  {
    method: 'GET',
    path: PATH,
    need: reads('pull_requests'),
    run: (call) => {
      const { world, repository } = call;
      const { requestedReviewerIds, requestedTeams } = pullParam(call).pull;
      return ok({
        users: requestedReviewerIds.map((id) => toUserById(world, id)),
        teams: toTeams(world, repository.ownerId, requestedTeams),
      });
    },
  },
  { method: 'POST', path: PATH, need: WRITE, run: changeReviewers('review_requested') },
  { method: 'DELETE', path: PATH, need: WRITE, run: changeReviewers('review_request_removed') },
];
