/** Reviews and conversations by REST, for servers without GraphQL: who resolved what is not told there. */
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type {
  PullFeedback,
  ReactionFacts,
  ReviewCommentFacts,
  ReviewFacts,
  ReviewThreadFacts,
} from '../../../../ports/github/pulls.ts';
import type { SessionContext } from '../../bound.ts';
import { isNotFound } from '../../client/github-failure.ts';
import { eachPage, newestPages, PER_PAGE } from '../../client/pages.ts';
import type { Place } from '../../repository-locator.ts';
import { toActor } from '../../read/to-domain.ts';
import {
  LIST_REVIEW_COMMENT_REACTIONS,
  LIST_REVIEW_COMMENTS,
  LIST_REVIEWS,
  type WireReview,
  type WireReviewComment,
} from '../pull-operations.ts';
import { toReactionContent, toReviewState } from '../review-words.ts';

/** As many as GraphQL would tell. */
const MAX_COMMENTS = 1000;

export async function readFeedbackByRest(
  bound: SessionContext,
  ref: ThreadRef,
): Promise<PullFeedback> {
  const place = bound.places.last(ref);
  const params = { ...place, pull_number: ref.number, per_page: PER_PAGE };
  const reviews: WireReview[] = [];
  for await (const page of newestPages(bound.calls, LIST_REVIEWS, params)) reviews.unshift(...page);
  const comments: WireReviewComment[] = [];
  for await (const page of eachPage(bound.calls, LIST_REVIEW_COMMENTS, params)) {
    comments.push(...page);
    if (comments.length > MAX_COMMENTS) break;
  }
  return {
    reviews: reviews.flatMap(toReview),
    threads: await toThreads(bound, place, comments.slice(0, MAX_COMMENTS)),
    isCut: comments.length > MAX_COMMENTS,
  };
}

function toReview(review: WireReview): ReviewFacts[] {
  const state = toReviewState(review.state);
  if (state === undefined) return [];
  return [
    {
      id: review.id,
      nodeId: review.node_id,
      url: review.html_url,
      author: toActor(review.user),
      body: review.body,
      state,
      commitSha: review.commit_id ?? undefined,
      submittedAt: review.submitted_at ?? '',
      isOurs: false,
      isHidden: undefined,
      reactions: [],
    },
  ];
}

/** A reply to a comment that is gone begins a thread of its own. */
async function toThreads(
  bound: SessionContext,
  place: Place,
  comments: WireReviewComment[],
): Promise<ReviewThreadFacts[]> {
  const threads = new Map<number, ReviewThreadFacts>();
  for (const comment of comments) {
    const facts = toComment(comment, await readReactions(bound, place, comment));
    const thread = threads.get(comment.in_reply_to_id ?? 0);
    if (thread === undefined) threads.set(comment.id, toThread(comment, facts));
    else thread.comments.push(facts);
  }
  return [...threads.values()];
}

function toThread(head: WireReviewComment, first: ReviewCommentFacts): ReviewThreadFacts {
  const isOnLine = head.subject_type === 'line';
  const line = head.line ?? undefined;
  return {
    id: undefined,
    path: head.path,
    side: head.side === 'LEFT' ? 'LEFT' : 'RIGHT',
    line,
    originalLine: head.original_line ?? undefined,
    isOutdated: isOnLine && line === undefined && (head.position ?? undefined) === undefined,
    isResolved: undefined,
    resolvedBy: undefined,
    comments: [first],
  };
}

function toComment(comment: WireReviewComment, reactions: ReactionFacts[]): ReviewCommentFacts {
  return {
    id: comment.id,
    nodeId: comment.node_id,
    url: comment.html_url,
    author: toActor(comment.user),
    body: comment.body,
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
    isOurs: false,
    reviewId: comment.pull_request_review_id ?? undefined,
    isHidden: undefined,
    reactions,
  };
}

/** Only of comments that say they have some; none where the server has no reactions. */
async function readReactions(
  bound: SessionContext,
  place: Place,
  comment: WireReviewComment,
): Promise<ReactionFacts[]> {
  if ((comment.reactions?.total_count ?? 0) === 0) return [];
  const params = { ...place, comment_id: comment.id, per_page: PER_PAGE };
  try {
    const { data } = await bound.calls.get(LIST_REVIEW_COMMENT_REACTIONS, params);
    return data.flatMap(({ content, user }) => {
      const known = toReactionContent(content);
      return known === undefined || !user ? [] : [{ content: known, by: toActor(user) }];
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return [];
  }
}
