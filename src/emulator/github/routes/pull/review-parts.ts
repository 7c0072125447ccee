/** What reviews and their comments have in common: making them and telling the world. */
import type { Review, ReviewComment, ReviewState, Thread } from '../../world/world-model.ts';
import type { LinePlace } from '../../changes/diff-places.ts';
import { toPull, toReview, toReviewComment } from '../../render/to-pull.ts';
import { sender, type RepositoryCall } from '../../router.ts';
import { touch } from '../../threads.ts';
import { nextId, nowIso } from '../../world/world.ts';
import { newComment } from '../comment-routes.ts';
import { deedOf } from '../issue-routes.ts';

export function emitReview(
  call: RepositoryCall,
  at: { thread: Thread; review: Review },
  action: string,
): void {
  const { world, repository } = call;
  const wire = toReview(world, repository, at);
  world.emit({
    event: 'pull_request_review',
    action,
    repository,
    sender: sender(call),
    payload: {
      review: { ...wire, state: at.review.state.toLowerCase() },
      pull_request: toPull(world, repository, at.thread),
    },
  });
}

export function emitReviewComment(
  call: RepositoryCall,
  at: { thread: Thread; comment: ReviewComment },
  of: { action: string; changes?: Record<string, unknown> },
): void {
  const { world, repository } = call;
  world.emit({
    event: 'pull_request_review_comment',
    action: of.action,
    repository,
    sender: sender(call),
    payload: {
      comment: toReviewComment(world, repository, at),
      pull_request: toPull(world, repository, at.thread),
      ...(of.changes === undefined ? {} : { changes: of.changes }),
    },
  });
}

export function newReview(
  call: RepositoryCall,
  init: { state: ReviewState; body: string; commitId: string },
): Review {
  return {
    id: nextId(call.world),
    userId: sender(call).id,
    ...init,
    submittedAt: init.state === 'PENDING' ? undefined : nowIso(call.world),
  };
}

export function newReviewComment(
  call: RepositoryCall,
  at: { body: string; place: LinePlace; reviewId: number; commitId: string },
): ReviewComment {
  return {
    ...newComment(call, at.body),
    path: at.place.path,
    line: at.place.line,
    originalLine: at.place.line,
    startLine: at.place.startLine,
    side: at.place.side,
    position: at.place.position,
    diffHunk: at.place.diffHunk,
    reviewId: at.reviewId,
    commitId: at.commitId,
    originalCommitId: at.commitId,
    inReplyToId: undefined,
    subjectType: 'line',
    isResolved: false,
    resolvedById: undefined,
  };
}

export function publish(
  call: RepositoryCall,
  at: { thread: Thread; review: Review; comments: readonly ReviewComment[] },
): void {
  const { thread, review } = at;
  const pull = thread.pull;
  if (pull !== undefined)
    pull.requestedReviewerIds = pull.requestedReviewerIds.filter((id) => id !== review.userId);
  touch(deedOf(call), thread);
  emitReview(call, { thread, review }, 'submitted');
  for (const comment of at.comments)
    emitReviewComment(call, { thread, comment }, { action: 'created' });
}
