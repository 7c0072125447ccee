/** Merging a pull request. */
import { z } from 'zod';
import type { MergeWay } from '../../checks/branch-rules.ts';
import { mayNotTouchWorkflows } from '../../git-server.ts';
import { isAncestor, readCommit, updateRef } from '../../git/objects.ts';
import { mergeRevisions, type MergeRequest } from '../../git/merge-revisions.ts';
import { gitOutput } from '../../git/git-process.ts';
import { HttpError, notFound } from '../../behave/http-error.ts';
import type { Pull, Repository, ReviewComment, Thread } from '../../world/world-model.ts';
import { reads, writes } from '../../world/permissions.ts';
import { pullOf } from '../../changes/compare-pull.ts';
import { announceMoves, markMerged } from '../../changes/pushes.ts';
import { toCommitIdentity } from '../../changes/push-payload.ts';
import { allows, listMissingChecks, rulesOf, unsignedCommits } from '../../checks/required.ts';
import {
  NO_CONTENT,
  ok,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { deedOf } from '../issue-routes.ts';
import { branchSha, headLabel, pullParam } from './pull-routes.ts';

const Merge = z.looseObject({
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
  sha: z.string().optional(),
  merge_method: z.enum(['merge', 'squash', 'rebase']).optional(),
});

const merging = new WeakMap<Repository, Promise<Answer>>();
/** How often a base was merged into. */
const merges = new WeakMap<Repository, Map<string, number>>();

function mergesInto(repository: Repository, base: string): number {
  return merges.get(repository)?.get(base) ?? 0;
}

function countMerge(repository: Repository, base: string): void {
  const counts = merges.get(repository) ?? new Map<string, number>();
  merges.set(repository, counts.set(base, (counts.get(base) ?? 0) + 1));
}

/** One at a time in a repository: what one merge has changed the next one sees, or is refused for. */
function mergeInTurn(call: RepositoryCall): Promise<Answer> {
  const { repository, world } = call;
  const base = pullParam(call).pull.baseRef;
  const before = mergesInto(repository, base);
  const run = (): Promise<Answer> => {
    if (world.behaviour.racesMerges && mergesInto(repository, base) !== before) throw baseMoved();
    return mergePull(call);
  };
  const turn = (merging.get(repository) ?? Promise.resolve()).then(run, run);
  merging.set(repository, turn);
  return turn;
}

function baseMoved(): HttpError {
  return new HttpError(405, 'Base branch was modified. Review and try the merge again.');
}

async function mergePull(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, Merge);
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
  await refuseWorkflows(call, { baseSha, headSha: pull.headSha });
  const request = await toMergeRequest(call, { thread, baseSha, body });
  const sha = await mergeRevisions(repository.gitDir, request);
  if (sha === undefined) throw new HttpError(405, 'Pull Request is not mergeable');
  const ref = `refs/heads/${pull.baseRef}`;
  if (!(await updateRef(repository.gitDir, ref, { to: sha, expected: baseSha }))) throw baseMoved();
  countMerge(repository, pull.baseRef);
  const deed = deedOf(call);
  markMerged(deed, thread, { sha });
  await announceMoves(deed, [{ ref, from: baseSha, to: sha, isMerge: true }]);
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

/**
 * An App without `workflows` merges nothing whose workflow files differ from the base's, be it for being behind.
 *
 * Sourced: a merge of a pull request that changes a workflow is refused, in these words
 * (https://github.com/KeisukeYamashita/auto-pull-request-merge/issues/481, by GraphQL
 * https://github.com/getmydia/mydia/pull/634). In 2021 the words were 'Resource not accessible by integration'
 * (https://github.com/chdsbd/kodiak/issues/641). Bringing a changed base into a branch that is behind is refused as
 * well (https://github.com/chdsbd/kodiak/issues/853, https://github.com/Mergifyio/mergify/issues/5055).
 *
 * Unsourced: that `PUT merge` is refused for a branch that is only behind and changes no workflow. For `POST merges`
 * a thread suspects it (https://github.com/bors-ng/bors-ng/issues/806). The emulator refuses both.
 */
async function refuseWorkflows(
  { actor, repository }: RepositoryCall,
  { baseSha, headSha }: { baseSha: string; headSha: string },
): Promise<void> {
  if (!mayNotTouchWorkflows(actor)) return;
  const differing = await gitOutput(repository.gitDir, [
    'diff-tree',
    '-r',
    '--no-renames',
    '--diff-filter=AM',
    '--name-only',
    baseSha,
    headSha,
    '--',
    '.github/workflows',
  ]);
  const [path = ''] = differing.split('\n');
  if (path === '') return;
  const says = `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;
  throw new HttpError(403, says);
}

/**
 * In GitHub's words for each. Required signatures: 405 with 'valid signatures' in 2019
 * (https://github.com/chdsbd/kodiak/issues/89), 'verified signatures' today
 * (https://github.com/appolon1908-hue/kyqra-crawler/issues/29), and other words for a merge by rebase
 * (https://github.com/chdsbd/kodiak/pull/275). The same thread reports that GitHub signs and takes a squash of the
 * App's own pull request. GitHub's documentation allows that to its author alone. The emulator refuses it all the
 * same.
 */
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
  const { gitDir } = repository;
  const isUnsigned =
    rules.mustSign === true &&
    (await unsignedCommits(gitDir, { from: at.baseSha, to: sha })).length > 0;
  if (isUnsigned) throw new HttpError(405, UNSIGNED[at.way]);
  const [missing] = listMissingChecks(repository, { branch, sha });
  if (missing !== undefined)
    throw new HttpError(405, `Required status check "${missing}" is expected.`);
  if (rules.isStrict && !(await isAncestor(repository.gitDir, at.baseSha, sha)))
    throw new HttpError(405, 'Head branch is out of date. Review and try the merge again.');
}

const VERIFIED = 'Commits must have verified signatures.';
const UNSIGNED: Record<MergeWay, string> = {
  merge: VERIFIED,
  squash: VERIFIED,
  rebase:
    'Base branch requires signed commits. Rebase merges cannot be automatically signed by GitHub.',
};

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
  const by = toCommitIdentity(call.world, sender(call).id);
  const author = isMerge ? by : { ...toCommitIdentity(call.world, thread.userId), date: by.date };
  return { baseSha: at.baseSha, headSha: pull.headSha, method, message, author, committer: by };
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
];
