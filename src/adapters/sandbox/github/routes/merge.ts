/** Operations that end or hand on a pull request: merging it and asking for reviews. */
import { z } from 'zod';
import type { MergeWay } from '../branch-rules.ts';
import { isAncestor, readCommit, updateRef } from '../git/objects.ts';
import { mergeRevisions, type MergeRequest } from '../git/merge.ts';
import { HttpError, notFound } from '../http-error.ts';
import type { Pull, Repository, ReviewComment, Thread } from '../model.ts';
import { holds, reads, writes } from '../permissions.ts';
import { pullOf } from '../pulls.ts';
import { announceMoves, markMerged, personOf } from '../pushes.ts';
import { toTeams, toUserById } from '../render/accounts.ts';
import { toPull } from '../render/pulls.ts';
import { allows, missingChecks, rulesOf } from '../required.ts';
import {
  NO_CONTENT,
  ok,
  readBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import * as threads from '../threads.ts';
import { account, findAccount, fullName, nodeId, roleOf } from '../world.ts';
import { deedOf } from './issues.ts';
import { branchSha, headLabel, pullParam } from './pulls.ts';

const Merge = z.looseObject({
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
  sha: z.string().optional(),
  merge_method: z.enum(['merge', 'squash', 'rebase']).optional(),
});

const merging = new WeakMap<Repository, Promise<Answer>>();

/** One at a time in a repository: what one merge has changed the next one sees. */
function mergeInTurn(call: RepositoryCall): Promise<Answer> {
  const { repository } = call;
  const run = (): Promise<Answer> => mergePull(call);
  const turn = (merging.get(repository) ?? Promise.resolve()).then(run, run);
  merging.set(repository, turn);
  return turn;
}

async function mergePull(call: RepositoryCall): Promise<Answer> {
  const body = readBody(call, Merge);
  const { repository } = call;
  const { thread, pull } = pullParam(call);
  if (thread.state !== 'open' || pull.draft)
    throw new HttpError(
      405,
      pull.draft ? 'Pull Request is still a draft' : 'Pull Request is not mergeable',
    );
  if (body.sha !== undefined && body.sha !== pull.headSha)
    throw new HttpError(409, 'Head branch was modified. Review and try the merge again.');
  const baseSha = await branchSha(repository, pull.baseRef, 'base');
  await refuseByRules(repository, pull, { way: body.merge_method ?? 'merge', baseSha });
  const request = await toMergeRequest(call, { thread, baseSha, body });
  const sha = await mergeRevisions(repository.gitDir, request);
  if (sha === undefined) throw new HttpError(405, 'Pull Request is not mergeable');
  const ref = `refs/heads/${pull.baseRef}`;
  if (!(await updateRef(repository.gitDir, ref, { to: sha, expected: baseSha })))
    throw new HttpError(409, 'Base branch was modified. Review and try the merge again.');
  const deed = deedOf(call);
  markMerged(deed, thread, { sha });
  await announceMoves(deed, [{ ref, from: baseSha, to: sha }]);
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

/** In GitHub's words for each. */
async function refuseByRules(
  repository: Repository,
  pull: Pull,
  at: { way: MergeWay; baseSha: string },
): Promise<void> {
  const { baseRef: branch, headSha: sha } = pull;
  const rules = rulesOf(repository, branch);
  if (!allows(repository, at.way))
    throw new HttpError(405, `${METHODS[at.way]} merges are not allowed on this repository.`);
  if (rules.mustResolve === true && pull.reviewComments.some(isUnresolved))
    throw new HttpError(405, 'All conversations must be resolved before merging');
  if (rules.hasQueue) throw new HttpError(405, 'Changes must be made through the merge queue');
  const [missing] = missingChecks(repository, { branch, sha });
  if (missing !== undefined)
    throw new HttpError(405, `Required status check "${missing}" is expected.`);
  if (rules.isStrict && !(await isAncestor(repository.gitDir, at.baseSha, sha)))
    throw new HttpError(405, 'Head branch is out of date. Review and try the merge again.');
}

function isUnresolved({ inReplyToId, isResolved }: ReviewComment): boolean {
  return inReplyToId === undefined && !isResolved;
}

const METHODS: Record<MergeWay, string> = { merge: 'Merge', squash: 'Squash', rebase: 'Rebase' };

async function toMergeRequest(
  call: RepositoryCall,
  at: { thread: Thread; baseSha: string; body: z.infer<typeof Merge> },
): Promise<MergeRequest> {
  const { thread, body } = at;
  const pull = pullOf(thread);
  const method = body.merge_method ?? 'merge';
  const head = await readCommit(call.repository.gitDir, pull.headSha);
  const isMerge = method === 'merge';
  const title = isMerge
    ? `Merge pull request #${thread.number} from ${headLabel(call, pull).replace(':', '/')}`
    : `${thread.title} (#${thread.number})`;
  const rest = isMerge
    ? thread.title
    : (head?.message.split('\n').slice(1).join('\n').trim() ?? '');
  const message = [body.commit_title ?? title, body.commit_message ?? rest]
    .filter((one) => one !== '')
    .join('\n\n');
  const by = personOf(call.world, sender(call).id);
  const author = isMerge ? by : { ...personOf(call.world, thread.userId), date: by.date };
  return { baseSha: at.baseSha, headSha: pull.headSha, method, message, author, committer: by };
}

const Reviewers = z.looseObject({
  reviewers: z.array(z.string()).optional(),
  team_reviewers: z.array(z.string()).optional(),
});

function changeReviewers(
  action: 'review_requested' | 'review_request_removed',
): (call: RepositoryCall) => Answer {
  const isAdding = action === 'review_requested';
  return (call) => {
    const { thread, pull } = pullParam(call);
    const deed = deedOf(call);
    const { reviewers = [], team_reviewers: teams = [] } = readBody(call, Reviewers);
    for (const slug of teams) refuseTeam(call, slug);
    for (const login of reviewers) {
      const user = findAccount(call.world, login);
      if (user === undefined || roleOf(call.world, call.repository, user.id) === 'none')
        throw new HttpError(
          422,
          `Reviews may only be requested from collaborators. ${login} is not one.`,
        );
      if (user.id === thread.userId && isAdding)
        throw new HttpError(422, 'Review cannot be requested from pull request author.');
      if (pull.requestedReviewerIds.includes(user.id) === isAdding) continue;
      pull.requestedReviewerIds = pull.requestedReviewerIds.filter((id) => id !== user.id);
      if (isAdding) pull.requestedReviewerIds.push(user.id);
      threads.appendEvent(deed, thread, { event: action, reviewerId: user.id });
      const more = { requested_reviewer: toUserById(call.world, user.id) };
      threads.emitThread(deed, thread, { action, more });
    }
    for (const slug of teams) pull.requestedTeams[isAdding ? 'add' : 'delete'](slug);
    return { status: isAdding ? 201 : 200, body: toPull(call.world, call.repository, thread) };
  };
}

/**
 * A token that may not read a team cannot name it: GitHub then answers for the whole request that it knows no such node
 * (github.com/github/docs/issues/35057, github.com/peter-evans/create-pull-request/issues/155).
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

const PULLS = '/repos/{owner}/{repo}/pulls';

const ONE = `${PULLS}/{pull_number}`;

const READ = reads('pull_requests');

export const mergeRoutes: Route[] = [
  {
    method: 'GET',
    path: `${ONE}/merge`,
    need: READ,
    run: (call) => {
      if (!pullParam(call).pull.merged) throw notFound();
      return NO_CONTENT;
    },
  },
  { method: 'PUT', path: `${ONE}/merge`, need: writes('write', 'contents'), run: mergeInTurn },
  {
    method: 'GET',
    path: `${ONE}/requested_reviewers`,
    need: READ,
    run: (call) =>
      ok({
        users: pullParam(call).pull.requestedReviewerIds.map((id) => toUserById(call.world, id)),
        teams: toTeams(call.world, call.repository.ownerId, pullParam(call).pull.requestedTeams),
      }),
  },
  {
    method: 'POST',
    path: `${ONE}/requested_reviewers`,
    need: writes('triage', 'pull_requests'),
    run: changeReviewers('review_requested'),
  },
  {
    method: 'DELETE',
    path: `${ONE}/requested_reviewers`,
    need: writes('triage', 'pull_requests'),
    run: changeReviewers('review_request_removed'),
  },
];
