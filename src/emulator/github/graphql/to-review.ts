/** Reviews and conversations on the diff in GraphQL's form. */
import type { Review, ReviewComment, Thread } from '../world/world-model.ts';
import { threadHtmlUrl } from '../render/to-thread.ts';
import { account, nodeId } from '../world/world.ts';
import {
  authorFields,
  connection,
  toCommentNode,
  toReactionGroups,
  toUserOnly,
  type Paging,
  type Place,
} from './answer-parts.ts';

/** The first comments of the threads on the diff. */
export function heads(thread: Thread): ReviewComment[] {
  return (thread.pull?.reviewComments ?? []).filter((one) => one.inReplyToId === undefined);
}

/** The newest that each person gave. */
export function latestReviews(thread: Thread): Review[] {
  const given = (thread.pull?.reviews ?? []).filter(({ state }) => state !== 'PENDING');
  return [...new Map(given.map((one) => [one.userId, one])).values()];
}

/** The pull request of an item, for those who have only its id. */
export interface Whereabouts {
  pullRequest: () => object;
}

export function toReviewThread(place: Place, head: ReviewComment, at: Whereabouts): object {
  const all = place.thread.pull?.reviewComments ?? [];
  const own = all.filter((one) => one === head || one.inReplyToId === head.id);
  return {
    __typename: 'PullRequestReviewThread',
    ...at,
    id: nodeId('PRRT', head.id),
    isResolved: head.isResolved,
    isOutdated: isOutdated(head),
    isCollapsed: head.isResolved,
    path: head.path,
    diffSide: head.side,
    line: head.line ?? null,
    startLine: head.startLine ?? null,
    originalLine: head.originalLine ?? null,
    subjectType: head.subjectType.toUpperCase(),
    resolvedBy:
      head.resolvedById === undefined ? null : toUserOnly(account(place.world, head.resolvedById)),
    comments: (paging: Paging) =>
      connection(
        own.map((one) => toReviewCommentNode(place, one, at)),
        paging,
      ),
  };
}

/** The line that it was written on is not in the diff any more. */
function isOutdated(comment: ReviewComment): boolean {
  return comment.subjectType === 'line' && comment.position === undefined;
}

export function toReviewCommentNode(place: Place, comment: ReviewComment, at: Whereabouts): object {
  const review = place.thread.pull?.reviews.find((one) => one.id === comment.reviewId);
  return {
    ...toCommentNode(place, comment),
    __typename: 'PullRequestReviewComment',
    ...at,
    path: comment.path,
    line: comment.line ?? null,
    originalLine: comment.originalLine ?? null,
    outdated: isOutdated(comment),
    originalCommit: { oid: comment.originalCommitId },
    pullRequestReview: () => (review === undefined ? null : toReviewNode(place, review, at)),
  };
}

export function toReviewNode(place: Place, review: Review, at: Whereabouts): object {
  const { world, repository, thread } = place;
  return {
    __typename: 'PullRequestReview',
    ...at,
    id: nodeId('PRR', review.id),
    databaseId: review.id,
    fullDatabaseId: String(review.id),
    url: `${threadHtmlUrl(world, repository, thread)}#pullrequestreview-${review.id}`,
    body: review.body,
    state: review.state,
    submittedAt: review.submittedAt ?? null,
    isMinimized: review.minimizedReason !== undefined,
    minimizedReason: review.minimizedReason?.toLowerCase().replaceAll('_', '-') ?? null,
    ...authorFields(place, review),
    commit: { oid: review.commitId },
    reactionGroups: toReactionGroups({ reactions: [] }),
    reactions: (paging: Paging) => connection([], paging),
  };
}
