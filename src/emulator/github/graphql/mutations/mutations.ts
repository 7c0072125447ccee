/** The changes that REST has no operation for: hidden comments, settled conversations, drafts and the merge queue. */
import { hasPermission } from '../../../../domain/run/thread-ref.ts';
import type { Account } from '../../world/world-model.ts';
import { covers, holds } from '../../world/permissions.ts';
import { appendEvent, emitThread, touch, type Deed } from '../../threads.ts';
import { actorAccount } from '../../world/tokens.ts';
import { roleOf } from '../../world/world.ts';
import { forbidden, unresolved, type Place, type ResolverContext } from '../answer-parts.ts';
import { findBy, findCommentNode, findThreadNode } from '../threads/find-nodes.ts';
import { addToQueue } from '../merging.ts';
import { toSubject, toThread, whereabouts } from '../threads/repository-threads.ts';
import { heads, toReviewThread } from '../to-review.ts';

export function findViewer({ actor }: ResolverContext): Account {
  const user = actorAccount(actor);
  if (user === undefined) throw forbidden();
  return user;
}

/** People need write access; Apps the permission that the thread's kind asks for. */
function refuseUnlessWriter(place: Place): Deed {
  const { world, actor, repository, thread } = place;
  const by = findViewer(place);
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

export type Input<T> = { input: T & { clientMutationId?: string } };

export function mutations(context: ResolverContext): object {
  return {
    minimizeComment: ({ input }: Input<{ subjectId: string; classifier: string }>) =>
      minimize(context, input.subjectId, input.classifier),
    unminimizeComment: ({ input }: Input<{ subjectId: string }>) =>
      minimize(context, input.subjectId, undefined),
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      resolve(context, input.threadId, true),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) =>
      resolve(context, input.threadId, false),
    convertPullRequestToDraft: ({ input }: Input<{ pullRequestId: string }>) =>
      setDraft(context, input.pullRequestId, true),
    enqueuePullRequest: ({ input }: Input<{ pullRequestId: string; expectedHeadOid?: string }>) => {
      const place = findThreadNode(context, input.pullRequestId);
      const deed = refuseUnlessWriter(place);
      refuseWithoutContents(place);
      return addToQueue(place, deed.by, input.expectedHeadOid);
    },
    pinIssue: ({ input }: Input<{ issueId: string }>) => ({
      issue: setPinned(context, input.issueId, true),
    }),
    unpinIssue: ({ input }: Input<{ issueId: string }>) => ({
      id: input.issueId,
      issue: setPinned(context, input.issueId, false),
    }),
    markPullRequestReadyForReview: ({ input }: Input<{ pullRequestId: string }>) =>
      setDraft(context, input.pullRequestId, false),
  };
}

function minimize(context: ResolverContext, node: string, classifier: string | undefined): object {
  const { place, thing } = findCommentNode(context, node);
  refuseUnlessWriter(place);
  thing.minimizedReason = classifier;
  const wire = toSubject(place, thing);
  return classifier === undefined ? { unminimizedComment: wire } : { minimizedComment: wire };
}

function resolve(context: ResolverContext, node: string, isResolved: boolean): object {
  const { place, thing } = findBy(context, node, (thread, id) =>
    heads(thread).find((one) => one.id === id),
  );
  const deed = refuseUnlessWriter(place);
  refuseWithoutContents(place);
  // What another has resolved stays theirs.
  if (thing.isResolved !== isResolved) thing.resolvedById = isResolved ? deed.by.id : undefined;
  thing.isResolved = isResolved;
  return { thread: toReviewThread(place, thing, whereabouts(place)) };
}

const MOST_PINNED = 3;

function setPinned(context: ResolverContext, node: string, isPinned: boolean): object {
  const place = findThreadNode(context, node);
  const { repository, thread } = place;
  if (thread.pull !== undefined) throw unresolved('an Issue');
  const deed = refuseUnlessWriter(place);
  const { pinned = [] } = repository;
  if (pinned.includes(thread.number) === isPinned) return toThread(place);
  if (isPinned && pinned.length >= MOST_PINNED)
    throw new Error(`Maximum ${MOST_PINNED} pinned issues per repository`);
  const others = pinned.filter((number) => number !== thread.number);
  repository.pinned = isPinned ? [...others, thread.number] : others;
  appendEvent(deed, thread, { event: isPinned ? 'pinned' : 'unpinned' });
  emitThread(deed, thread, { action: isPinned ? 'pinned' : 'unpinned' });
  return toThread(place);
}

function setDraft(context: ResolverContext, node: string, isDraft: boolean): object {
  const place = findThreadNode(context, node);
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
