/** The few GraphQL fields that have no REST twin, and enough around them to be asked for in one query. */
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { Account, Comment, Review, ReviewComment, Thread } from '../world/world-model.ts';
import { canSee, covers, holds } from '../world/permissions.ts';
import { readFacts } from '../changes/compare-pull.ts';
import { labelsOf, threadHtmlUrl } from '../render/to-thread.ts';
import { appendEvent, emitThread, touch, type Deed } from '../threads.ts';
import { actorAccount, type Actor } from '../world/tokens.ts';
import {
  account,
  findRepository,
  fullName,
  nodeId,
  readNodeId,
  roleOf,
  type World,
} from '../world/world.ts';
import { pullsOf } from './associated-pulls.ts';
import { checkMutations, toHeadCommit } from './check-runs.ts';
import { editFields } from './edits.ts';
import { enqueue, mergeFields } from './merging.ts';
import { forbidden, toHeadRepository, toRepositoryFields } from './repository-fields.ts';
import {
  connection,
  toActor,
  toComment,
  unresolved,
  type Paging,
  type Place,
  type Scene,
} from './answer-parts.ts';
import { heads, toReview, toReviewComment, toReviewThread, type Whereabouts } from './to-review.ts';

export function actorRoot(world: World, actor: Actor): object {
  const scene = { world, actor };
  return {
    viewer: () => toActor(viewer(scene)),
    repository: (at: { owner: string; name: string }) => toRepository(scene, at),
    node: (at: { id: string }) => toNode(scene, at.id),
    rateLimit: () => ({
      limit: 5000,
      cost: 1,
      remaining: 5000,
      used: 0,
      nodeCount: 0,
      resetAt: new Date(world.clock.now()).toISOString(),
    }),
    ...mutations(scene),
    ...checkMutations(scene),
  };
}

function viewer({ actor }: Scene): Account {
  const user = actorAccount(actor);
  if (user === undefined) throw forbidden();
  return user;
}

function toRepository(scene: Scene, at: { owner: string; name: string }): object {
  const repository = findRepository(scene.world, `${at.owner}/${at.name}`);
  if (repository === undefined || !canSee(scene.world, scene.actor, repository))
    throw unresolved(`a Repository with the name '${at.owner}/${at.name}'`);
  const find = (number: number, isPull: boolean): object => {
    const thread = repository.threads.get(number);
    if (thread === undefined || (thread.pull !== undefined) !== isPull)
      throw unresolved(`${isPull ? 'a PullRequest' : 'an Issue'} with the number of ${number}`);
    return toThread({ ...scene, repository, thread });
  };
  return {
    ...toRepositoryFields(scene, repository, (sha, paging) =>
      pullsOf({ repository, sha }, paging, (thread) => toThread({ ...scene, repository, thread })),
    ),
    issue: ({ number }: { number: number }) => find(number, false),
    pullRequest: ({ number }: { number: number }) => find(number, true),
    issueOrPullRequest: ({ number }: { number: number }) =>
      find(number, repository.threads.get(number)?.pull !== undefined),
    issues: (paging: Paging) =>
      connection(
        [...repository.threads.values()]
          .filter((thread) => thread.pull === undefined)
          .toSorted(
            (a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || b.number - a.number,
          )
          .map((thread) => toThread({ ...scene, repository, thread })),
        paging,
      ),
  };
}

function toThread(place: Place): object {
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
    state: pull?.merged === true ? 'MERGED' : thread.state.toUpperCase(),
    stateReason: thread.stateReason?.toUpperCase() ?? null,
    author: toActor(account(world, thread.userId)),
    assignees: (paging: Paging) =>
      connection(
        thread.assigneeIds.map((id) => toActor(account(world, id))),
        paging,
      ),
    labels: (paging: Paging) =>
      connection(
        labelsOf(repository, thread).map((one) => ({
          id: nodeId('LA', one.id),
          name: one.name,
          color: one.color,
        })),
        paging,
      ),
    repository: () => toRepositoryOf(place),
    comments: (paging: Paging) =>
      connection(
        thread.comments.map((one) => toComment(place, one)),
        paging,
      ),
    ...editFields(place),
    ...(pull === undefined ? {} : { ...pullFields(place), ...mergeFields(place, pull) }),
  };
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
    changedFiles: async () => (await readFacts(repository, thread)).changedFiles,
    additions: async () => (await readFacts(repository, thread)).additions,
    deletions: async () => (await readFacts(repository, thread)).deletions,
    mergeable: async () => {
      const { mergeable } = await readFacts(repository, thread);
      if (mergeable === null) return 'UNKNOWN';
      return mergeable ? 'MERGEABLE' : 'CONFLICTING';
    },
    commits: (paging: Paging) => connection([toHeadCommit(place)], paging),
    reviews: (paging: Paging) =>
      connection(
        (pull?.reviews ?? [])
          .filter((one) => one.state !== 'PENDING')
          .map((one) => toReview(place, one, whereabouts(place))),
        paging,
      ),
    reviewThreads: (paging: Paging) =>
      connection(
        heads(thread).map((one) => toReviewThread(place, one, whereabouts(place))),
        paging,
      ),
  };
}

/** Every thread that the caller may see. */
function* visible(scene: Scene): Generator<Place> {
  for (const repository of scene.world.state.repositories.values()) {
    if (!canSee(scene.world, scene.actor, repository)) continue;
    for (const thread of repository.threads.values()) yield { ...scene, repository, thread };
  }
}

interface Found<T> {
  place: Place;
  thing: T;
}

function findBy<T>(
  scene: Scene,
  node: string,
  pick: (thread: Thread, id: number) => T | undefined,
): Found<T> {
  const id = readNodeId(node)?.id;
  if (id !== undefined)
    for (const place of visible(scene)) {
      const thing = pick(place.thread, id);
      if (thing !== undefined) return { place, thing };
    }
  throw unresolved(`a node with the global id of '${node}'`);
}

function findThread(scene: Scene, node: string): Place {
  return findBy(scene, node, (thread, id) => (thread.id === id ? thread : undefined)).place;
}

function whereabouts(place: Place): Whereabouts {
  return { pullRequest: () => toThread(place) };
}

function toRepositoryOf(place: Place): object {
  const [owner = '', name = ''] = fullName(place.world, place.repository).split('/');
  return toRepository(place, { owner, name });
}

function toNode(scene: Scene, node: string): object {
  const kind = readNodeId(node)?.kind;
  if (kind === 'I' || kind === 'PR') return toThread(findThread(scene, node));
  if (kind === 'PRRT') {
    const found = findBy(scene, node, (thread, id) => heads(thread).find((one) => one.id === id));
    return toReviewThread(found.place, found.thing, whereabouts(found.place));
  }
  const found = findComment(scene, node);
  return toSubject(found.place, found.thing);
}

function toSubject(place: Place, thing: Comment | Review): object {
  if ('commitId' in thing && 'state' in thing) return toReview(place, thing, whereabouts(place));
  return isReviewComment(thing)
    ? toReviewComment(place, thing, whereabouts(place))
    : toComment(place, thing);
}

function isReviewComment(thing: Comment): thing is ReviewComment {
  return 'diffHunk' in thing;
}

/** A comment of a thread or of its diff, or a review. */
function findComment(scene: Scene, node: string): Found<Comment | Review> {
  return findBy(scene, node, (thread, id): Comment | Review | undefined =>
    [
      ...thread.comments,
      ...(thread.pull?.reviewComments ?? []),
      ...(thread.pull?.reviews ?? []),
    ].find((one) => one.id === id),
  );
}

/** People need write access; Apps the permission that the thread's kind asks for. */
function refuseUnlessWriter(place: Place): Deed {
  const { world, actor, repository, thread } = place;
  const by = viewer(place);
  const permissions = thread.pull === undefined ? ['issues'] : ['pull_requests', 'issues'];
  const may =
    actor.kind === 'installation'
      ? covers(actor, repository) && holds(actor, { permissions, level: 'write' })
      : hasPermission(roleOf(world, repository, by.id), 'write');
  if (!may) throw forbidden();
  return { world, repository, by, appId: actor.kind === 'installation' ? actor.app.id : undefined };
}

/** Odd, but so it is: an App needs it for conversations (github.com/orgs/community/discussions/44650). */
function refuseWithoutContents({ actor }: Place): void {
  if (actor.kind !== 'installation') return;
  if (!holds(actor, { permissions: ['contents'], level: 'write' })) throw forbidden();
}

type Input<T> = { input: T & { clientMutationId?: string } };

function mutations(scene: Scene): object {
  return {
    minimizeComment: ({ input }: Input<{ subjectId: string; classifier: string }>) =>
      minimize(scene, input.subjectId, input.classifier),
    unminimizeComment: ({ input }: Input<{ subjectId: string }>) =>
      minimize(scene, input.subjectId, undefined),
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      resolve(scene, input.threadId, true),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      resolve(scene, input.threadId, false),
    convertPullRequestToDraft: ({ input }: Input<{ pullRequestId: string }>) =>
      setDraft(scene, input.pullRequestId, true),
    enqueuePullRequest: ({ input }: Input<{ pullRequestId: string; expectedHeadOid?: string }>) => {
      const place = findThread(scene, input.pullRequestId);
      const deed = refuseUnlessWriter(place);
      refuseWithoutContents(place);
      return enqueue(place, deed.by, input.expectedHeadOid);
    },
    markPullRequestReadyForReview: ({ input }: Input<{ pullRequestId: string }>) =>
      setDraft(scene, input.pullRequestId, false),
  };
}

function minimize(scene: Scene, node: string, classifier: string | undefined): object {
  const { place, thing } = findComment(scene, node);
  refuseUnlessWriter(place);
  thing.minimizedReason = classifier;
  const wire = toSubject(place, thing);
  return classifier === undefined ? { unminimizedComment: wire } : { minimizedComment: wire };
}

function resolve(scene: Scene, node: string, isResolved: boolean): object {
  const { place, thing } = findBy(scene, node, (thread, id) =>
    heads(thread).find((one) => one.id === id),
  );
  const deed = refuseUnlessWriter(place);
  refuseWithoutContents(place);
  // What another has resolved stays theirs.
  if (thing.isResolved !== isResolved) thing.resolvedById = isResolved ? deed.by.id : undefined;
  thing.isResolved = isResolved;
  return { thread: toReviewThread(place, thing, whereabouts(place)) };
}

function setDraft(scene: Scene, node: string, isDraft: boolean): object {
  const place = findThread(scene, node);
  const { thread } = place;
  if (thread.pull === undefined) throw unresolved('a PullRequest');
  const deed = refuseUnlessWriter(place);
  if (thread.pull.draft !== isDraft) {
    thread.pull.draft = isDraft;
    touch(deed, thread);
    appendEvent(deed, thread, { event: isDraft ? 'convert_to_draft' : 'ready_for_review' });
    emitThread(deed, thread, { action: isDraft ? 'converted_to_draft' : 'ready_for_review' });
  }
  return { pullRequest: toThread(place) };
}
