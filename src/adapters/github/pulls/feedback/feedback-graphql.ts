/** Reviews, conversations, reactions and who resolved what, in one GraphQL query. */
import { z } from 'zod';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type {
  PullFeedback,
  ReactionFacts,
  ReviewCommentFacts,
  ReviewFacts,
  ReviewThreadFacts,
} from '../../../../ports/github/pulls.ts';
import type { SessionContext } from '../../bound.ts';
import { BigId, More, present, toAuthor, Who, WHO } from '../../read/actors.ts';
import { readRepository, THIS_REPOSITORY } from '../../client/ask-graphql.ts';
import { toReactionContent, toReviewState } from '../review-words.ts';

/** Of a pull request. 50 threads of 50 comments cost about 26 of the 5,000 points of an hour. */
export const FEEDBACK = `reviews(last: 50) @include(if: $isFirst) {
  pageInfo { hasPreviousPage }
  nodes {
    id fullDatabaseId url body state submittedAt isMinimized
    author { ...who }
    commit { oid }
    reactions(first: 20) { ...reacted }
  }
}
reviewThreads(first: 50, after: $after) {
  pageInfo { hasNextPage endCursor }
  nodes {
    id path diffSide line originalLine isOutdated isResolved
    resolvedBy { ...who }
    comments(first: 50) {
      pageInfo { hasNextPage }
      nodes {
        id fullDatabaseId url body createdAt updatedAt isMinimized
        author { ...who }
        pullRequestReview { fullDatabaseId }
        reactions(first: 20) { ...reacted }
      }
    }
  }
}`;
export const FEEDBACK_FRAGMENTS = `${WHO}
fragment reacted on ReactionConnection { pageInfo { hasNextPage } nodes { content user { ...who } } }`;
/** Variables of {@link FEEDBACK}. */
export const FEEDBACK_VARIABLES = '$after: String, $isFirst: Boolean!';

const QUERY = `query Feedback($owner: String!, $repo: String!, $number: Int!, ${FEEDBACK_VARIABLES}) {
  ${THIS_REPOSITORY} pullRequest(number: $number) { ${FEEDBACK} } }
}
${FEEDBACK_FRAGMENTS}`;

const MAX_PAGES = 10;

function connection<T extends z.ZodType>(node: T) {
  return z.object({ pageInfo: More, nodes: z.array(node.nullable()) });
}
const Reactions = connection(z.object({ content: z.string(), user: Who }));
const Written = z.object({
  id: z.string(),
  fullDatabaseId: BigId.nullish(),
  url: z.string(),
  body: z.string(),
  isMinimized: z.boolean().nullish(),
  author: Who,
  reactions: Reactions,
});
const Review = Written.extend({
  state: z.string(),
  submittedAt: z.string().nullish(),
  commit: z.object({ oid: z.string() }).nullish(),
});
const Comment = Written.extend({
  createdAt: z.string(),
  updatedAt: z.string(),
  pullRequestReview: z.object({ fullDatabaseId: BigId.nullish() }).nullish(),
});
const Thread = z.object({
  id: z.string(),
  path: z.string(),
  diffSide: z.enum(['LEFT', 'RIGHT']),
  line: z.number().nullish(),
  originalLine: z.number().nullish(),
  isOutdated: z.boolean(),
  isResolved: z.boolean(),
  resolvedBy: Who,
  comments: connection(Comment),
});
export const FeedbackPage = z.object({
  reviews: connection(Review).optional(),
  reviewThreads: connection(Thread),
});
const Found = z.object({ pullRequest: FeedbackPage.nullable() });
type Page = z.infer<typeof FeedbackPage>;

/** `first` is the first page, where it is known already. Undefined where GraphQL cannot tell; then REST is asked. */
export async function readFeedbackByGraphql(
  bound: SessionContext,
  ref: ThreadRef,
  first?: Page,
): Promise<PullFeedback | undefined> {
  const found: PullFeedback = { reviews: [], threads: [], isCut: false };
  let known = first;
  let after: string | null | undefined = null;
  for (let count = 0; after !== undefined && count < MAX_PAGES; count += 1) {
    const page: Page | undefined =
      known ?? (await readPage(bound, ref, { after, isFirst: count === 0 }));
    known = undefined;
    if (page === undefined) return undefined;
    addPage(found, page);
    const { hasNextPage, endCursor }: z.infer<typeof More> = page.reviewThreads.pageInfo;
    after = hasNextPage ? (endCursor ?? undefined) : undefined;
  }
  if (after !== undefined) found.isCut = true;
  return found;
}

async function readPage(
  bound: SessionContext,
  ref: ThreadRef,
  more: { after: string | null; isFirst: boolean },
): Promise<Page | undefined> {
  const variables = { number: ref.number, ...more };
  const data = await readRepository(bound, ref, { text: QUERY, variables });
  return Found.safeParse(data?.['repository']).data?.pullRequest ?? undefined;
}

function addPage(found: PullFeedback, page: Page): void {
  for (const review of present(page.reviews)) {
    const facts = toReview(review);
    if (facts !== undefined) found.reviews.push(facts);
  }
  const threads = present(page.reviewThreads);
  found.threads.push(...threads.map(toThread));
  const written = [
    ...present(page.reviews),
    ...threads.flatMap((thread) => present(thread.comments)),
  ];
  found.isCut ||=
    page.reviews?.pageInfo.hasPreviousPage === true ||
    threads.some((thread) => thread.comments.pageInfo.hasNextPage) ||
    written.some((one) => one.reactions.pageInfo.hasNextPage);
}

function toReview(review: z.infer<typeof Review>): ReviewFacts | undefined {
  const state = toReviewState(review.state);
  if (state === undefined) return undefined;
  return {
    id: review.fullDatabaseId ?? 0,
    nodeId: review.id,
    url: review.url,
    author: toAuthor(review.author),
    body: review.body,
    state,
    commitSha: review.commit?.oid,
    submittedAt: review.submittedAt ?? '',
    isOurs: false,
    isHidden: review.isMinimized ?? undefined,
    reactions: toReactions(review.reactions),
  };
}

function toThread(thread: z.infer<typeof Thread>): ReviewThreadFacts {
  return {
    id: thread.id,
    path: thread.path,
    side: thread.diffSide,
    line: thread.line ?? undefined,
    originalLine: thread.originalLine ?? undefined,
    isOutdated: thread.isOutdated,
    isResolved: thread.isResolved,
    resolvedBy: thread.resolvedBy ? toAuthor(thread.resolvedBy) : undefined,
    comments: present(thread.comments).map(toComment),
  };
}

function toComment(comment: z.infer<typeof Comment>): ReviewCommentFacts {
  return {
    id: comment.fullDatabaseId ?? 0,
    nodeId: comment.id,
    url: comment.url,
    author: toAuthor(comment.author),
    body: comment.body,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    isOurs: false,
    reviewId: comment.pullRequestReview?.fullDatabaseId ?? undefined,
    isHidden: comment.isMinimized ?? undefined,
    reactions: toReactions(comment.reactions),
  };
}

/** What nobody can be asked about any more (an account that is gone) is left out. */
function toReactions(list: z.infer<typeof Reactions>): ReactionFacts[] {
  return present(list).flatMap(({ content, user }) => {
    const known = toReactionContent(content);
    return known === undefined || !user ? [] : [{ content: known, by: toAuthor(user) }];
  });
}
