/** A repository with its threads, and a thread with its repository. */
import type { Comment, Review, ReviewComment } from '../../world/world-model.ts';
import { canSee } from '../../world/permissions.ts';
import { comparePull, readFacts } from '../../changes/compare-pull.ts';
import { mergeableState } from '../../render/to-pull.ts';
import { labelsOf, threadHtmlUrl } from '../../render/to-thread.ts';
import { account, findRepository, fullName, nodeId } from '../../world/world.ts';
import { pullsOf } from '../associated-pulls.ts';
import { editFields } from '../edits.ts';
import { mergeFields } from '../merging.ts';
import { toHeadRepository, toLabelNode, toRepositoryFields } from '../repository-fields.ts';
import {
  authorFields,
  connection,
  toActorNode,
  toCommentNode,
  toReactionGroups,
  unresolved,
  type Paging,
  type Place,
  type ResolverContext,
} from '../answer-parts.ts';
import { toPullCommits } from '../pull-commits.ts';
import { listThreads, toThreadState, type ThreadsAsk } from './list-threads.ts';
import {
  heads,
  latestReviews,
  toReviewNode,
  toReviewCommentNode,
  toReviewThread,
  type Whereabouts,
} from '../to-review.ts';

export function toRepositoryNode(
  context: ResolverContext,
  at: { owner: string; name: string },
): object {
  const repository = findRepository(context.world, `${at.owner}/${at.name}`);
  if (repository === undefined || !canSee(context.world, context.actor, repository))
    throw unresolved(`a Repository with the name '${at.owner}/${at.name}'`);
  const find = (number: number, isPull: boolean): object => {
    const thread = repository.threads.get(number);
    if (thread === undefined || (thread.pull !== undefined) !== isPull)
      throw unresolved(`${isPull ? 'a PullRequest' : 'an Issue'} with the number of ${number}`);
    return toThread({ ...context, repository, thread });
  };
  const list = (kind: 'issues' | 'pulls', ask: ThreadsAsk): object =>
    connection(
      listThreads({ world: context.world, repository }, kind, ask).map((thread) =>
        toThread({ ...context, repository, thread }),
      ),
      ask,
    );
  return {
    ...toRepositoryFields(context, repository, (sha, paging) =>
      pullsOf({ repository, sha }, paging, (thread) =>
        toThread({ ...context, repository, thread }),
      ),
    ),
    issue: ({ number }: { number: number }) => find(number, false),
    pullRequest: ({ number }: { number: number }) => find(number, true),
    issueOrPullRequest: ({ number }: { number: number }) =>
      find(number, repository.threads.get(number)?.pull !== undefined),
    pinnedIssues: (paging: Paging) =>
      connection(
        (repository.pinned ?? []).map((number) => ({ issue: () => find(number, false) })),
        paging,
      ),
    issues: (ask: ThreadsAsk) => list('issues', ask),
    pullRequests: (ask: ThreadsAsk) => list('pulls', ask),
  };
}

export function toThread(place: Place): object {
  const { world, repository, thread } = place;
  const { pull } = thread;
  return {
    __typename: pull === undefined ? 'Issue' : 'PullRequest',
    id: nodeId(pull === undefined ? 'I' : 'PR', thread.id),
    databaseId: pull?.id ?? thread.id,
    number: thread.number,
    title: thread.title,
    body: thread.body ?? '',
    url: threadHtmlUrl(world, repository, thread),
    locked: thread.locked,
    createdAt: thread.createdAt,
    updatedAt: thread.updatedAt,
    closedAt: thread.closedAt ?? null,
    closed: thread.state === 'closed',
    state: toThreadState(thread),
    stateReason: thread.stateReason?.toUpperCase() ?? null,
    ...authorFields(place, thread),
    includesCreatedEdit: thread.edits !== undefined,
    activeLockReason: thread.lockReason?.toUpperCase().replaceAll(/[ -]/g, '_') ?? null,
    isPinned: isPinned(place),
    // The emulator has no milestones or projects.
    milestone: null,
    projectCards: (paging: Paging) => connection([], paging),
    projectItems: (paging: Paging) => connection([], paging),
    reactionGroups: toReactionGroups(thread),
    assignees: (paging: Paging) =>
      connection(
        thread.assigneeIds.map((id) => toActorNode(account(world, id))),
        paging,
      ),
    labels: (paging: Paging) =>
      connection(
        labelsOf(repository, thread).map((one) => toLabelNode(one)),
        paging,
      ),
    repository: () => toRepositoryOf(place),
    comments: (paging: Paging) =>
      connection(
        thread.comments.map((one) => toCommentNode(place, one)),
        paging,
      ),
    ...editFields(place),
    ...(pull === undefined ? {} : { ...pullFields(place), ...mergeFields(place, pull) }),
  };
}

function isPinned({ repository, thread }: Place): boolean {
  return repository.pinned?.includes(thread.number) === true;
}

function pullFields(place: Place): object {
  const { repository, thread } = place;
  const { pull } = thread;
  return {
    isDraft: pull?.draft,
    merged: pull?.merged,
    headRefName: pull?.headRef,
    headRefOid: pull?.headSha,
    baseRefName: pull?.baseRef,
    baseRefOid: pull?.baseSha,
    isCrossRepository: pull?.headRepositoryId !== repository.id,
    headRepository: () => toHeadRepository(place),
    headRepositoryOwner: () => toHeadOwner(place),
    maintainerCanModify: false,
    mergedAt: pull?.mergedAt ?? null,
    mergeStateStatus: async () =>
      mergeableState(thread, await readFacts(repository, thread)).toUpperCase(),
    // No branch asks for reviews here.
    reviewDecision: null,
    changedFiles: async () => (await readFacts(repository, thread)).changedFiles,
    additions: async () => (await readFacts(repository, thread)).additions,
    deletions: async () => (await readFacts(repository, thread)).deletions,
    mergeable: async () => {
      const { mergeable } = await readFacts(repository, thread);
      if (mergeable === null) return 'UNKNOWN';
      return mergeable ? 'MERGEABLE' : 'CONFLICTING';
    },
    commits: async (paging: Paging) => connection(await toPullCommits(place), paging),
    files: async (paging: Paging) => connection(await toFiles(place), paging),
    latestReviews: (paging: Paging) =>
      connection(
        latestReviews(thread).map((one) => toReviewNode(place, one, whereabouts(place))),
        paging,
      ),
    reviews: (paging: Paging) =>
      connection(
        (pull?.reviews ?? [])
          .filter((one) => one.state !== 'PENDING')
          .map((one) => toReviewNode(place, one, whereabouts(place))),
        paging,
      ),
    reviewThreads: (paging: Paging) =>
      connection(
        heads(thread).map((one) => toReviewThread(place, one, whereabouts(place))),
        paging,
      ),
  };
}

export function whereabouts(place: Place): Whereabouts {
  return { pullRequest: () => toThread(place) };
}

/** Who owns the repository of the head: it may be gone, the account is not. */
function toHeadOwner({ world, thread }: Place): object | null {
  const { repositories, deletedRepositories } = world.state;
  const id = thread.pull?.headRepositoryId ?? 0;
  const head = repositories.get(id) ?? deletedRepositories.get(id);
  return head === undefined ? null : toActorNode(account(world, head.ownerId));
}

const CHANGES: Readonly<Record<string, string>> = {
  removed: 'DELETED',
  added: 'ADDED',
  renamed: 'RENAMED',
};

async function toFiles({ repository, thread }: Place): Promise<object[]> {
  const { files } = await comparePull(repository, thread);
  return files.map(({ filename, additions, deletions, status }) => ({
    path: filename,
    additions,
    deletions,
    changeType: CHANGES[status] ?? 'MODIFIED',
  }));
}

function toRepositoryOf(place: Place): object {
  const [owner = '', name = ''] = fullName(place.world, place.repository).split('/');
  return toRepositoryNode(place, { owner, name });
}

export function toSubject(place: Place, thing: Comment | Review): object {
  if ('commitId' in thing && 'state' in thing)
    return toReviewNode(place, thing, whereabouts(place));
  return isReviewComment(thing)
    ? toReviewCommentNode(place, thing, whereabouts(place))
    : toCommentNode(place, thing);
}

function isReviewComment(thing: Comment): thing is ReviewComment {
  return 'diffHunk' in thing;
}
