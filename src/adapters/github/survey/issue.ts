/** An issue or pull request with its comments, what surrounds it and the repository's past issues. */
import { z } from 'zod';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { PastIssue } from '../../../domain/run/view.ts';
import type { CommentFacts } from '../../../ports/github/github-reader.ts';
import type { IssueSurvey, SurveyAsk } from '../../../ports/github/github-survey.ts';
import { BigId, More, present, toAuthor, Who, WHO } from '../read/actors.ts';
import type { SessionContext } from '../bound.ts';
import { isWhole, readRepository, THIS_REPOSITORY } from '../client/ask-graphql.ts';
import { PAST_BODY_CHARS } from '../read/to-domain.ts';
import { survey, type ThreadPart } from './surroundings.ts';

const named = z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()) });
const Comment = z.object({
  fullDatabaseId: BigId,
  author: Who,
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export const Comments = z.object({ nodes: z.array(Comment.nullable()) });
const Thread = z.object({
  kind: z.string(),
  number: z.number(),
  title: z.string(),
  body: z.string(),
  closed: z.boolean(),
  locked: z.boolean(),
  url: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  lastEditedAt: z.string().nullish(),
  author: Who,
  labels: named,
  assignees: z.object({ nodes: z.array(z.object({ login: z.string() }).nullable()).nullish() }),
  repository: z.object({ databaseId: z.number() }),
  comments: Comments.optional(),
});
const Past = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  closed: z.boolean(),
  stateReason: z.string().nullish(),
  closedAt: z.string().nullish(),
  labels: named.nullish(),
});
const PastPage = z.object({ pageInfo: More, nodes: z.array(Past.nullable()).nullish() });

/** Of an issue or a pull request; variables `$comments` and `$hasComments`. */
export const COMMENTS = `comments(last: $comments) @include(if: $hasComments) {
  nodes { fullDatabaseId body createdAt updatedAt author { ...who } }
}`;
const THREAD = `kind: __typename number title body closed locked url createdAt updatedAt lastEditedAt
author { ...who }
labels(first: 100) { nodes { name } }
assignees(first: 20) { nodes { login } }
repository { databaseId }
${COMMENTS}`;
const PAST = `issues(first: $past, after: $pastAfter, orderBy: { field: UPDATED_AT, direction: DESC }) {
  pageInfo { hasNextPage endCursor }
  nodes { number title body closed stateReason(enableDuplicate: true) closedAt labels(first: 20) { nodes { name } } }
}`;
const MORE_PAST = `query Past($owner: String!, $repo: String!, $past: Int!, $pastAfter: String) {
  ${THIS_REPOSITORY} ${PAST} }
}`;
const PER_PAGE = 100;

export async function fetchIssueSurvey(
  bound: SessionContext,
  ref: ThreadRef,
  ask: SurveyAsk,
): Promise<IssueSurvey | undefined> {
  const found = await survey(bound, ref, { ask, part: toPart(ref, ask) });
  const thread = Thread.safeParse(found?.fields['thread']).data;
  // Transferred, or not visible yet: REST finds out which.
  if (found === undefined || !isWhole(found, 'repository.thread')) return undefined;
  if (thread?.repository.databaseId !== ref.repositoryId) return undefined;
  const pastIssues = await readPast(bound, ref, { ask, first: found.fields['issues'] });
  if (pastIssues === undefined) return undefined;
  const comments = await toComments(bound, thread.comments);
  return { ...found.around, issue: toIssue(thread), comments, pastIssues };
}

/** Variables of {@link COMMENTS}, as every part that has it declares them. */
export function commentsPart({ comments }: SurveyAsk): Pick<ThreadPart, 'declared' | 'variables'> {
  return {
    declared: '$comments: Int!, $hasComments: Boolean!',
    variables: { comments: Math.max(1, comments), hasComments: comments > 0 },
  };
}

function toPart({ number }: ThreadRef, ask: SurveyAsk): ThreadPart {
  const { declared, variables } = commentsPart(ask);
  return {
    declared: `$number: Int!, $past: Int!, $pastAfter: String, $hasPast: Boolean!, ${declared}`,
    variables: {
      ...variables,
      number,
      past: Math.min(Math.max(1, ask.pastIssues), PER_PAGE),
      pastAfter: null,
      hasPast: ask.pastIssues > 0,
    },
    fields: `thread: issueOrPullRequest(number: $number) { ... on Issue { ${THREAD} } ... on PullRequest { ${THREAD} } }
    ... @include(if: $hasPast) { ${PAST} }`,
    fragments: WHO,
  };
}

function toIssue(thread: z.infer<typeof Thread>): IssueSurvey['issue'] {
  const { number, title, body, url, createdAt, updatedAt, lastEditedAt } = thread;
  return {
    number,
    title,
    body,
    state: thread.closed ? 'closed' : 'open',
    isLocked: thread.locked,
    isPull: thread.kind === 'PullRequest',
    author: toAuthor(thread.author),
    labels: present(thread.labels ?? undefined).map(({ name }) => name),
    assignees: present(thread.assignees).map(({ login }) => login),
    url,
    createdAt,
    updatedAt,
    ...(lastEditedAt === undefined ? {} : { lastEditedAt }),
  };
}

/** Oldest first. The account tells Quorum's own apart. */
export function toComments(
  bound: SessionContext,
  list: z.infer<typeof Comments> | undefined,
): Promise<CommentFacts[]> {
  return Promise.all(
    present(list).map(async ({ fullDatabaseId, body, createdAt, updatedAt, ...comment }) => {
      const author = toAuthor(comment.author);
      const user = { id: author.id, login: author.login, type: author.isBot ? 'Bot' : 'User' };
      const isOurs = await bound.identity.isOurText({ id: fullDatabaseId, user });
      return { id: fullDatabaseId, author, body, createdAt, updatedAt, isOurs };
    }),
  );
}

/** Page by page, as many as are wanted. */
async function readPast(
  bound: SessionContext,
  ref: ThreadRef,
  { ask, first }: { ask: SurveyAsk; first: unknown },
): Promise<PastIssue[] | undefined> {
  if (ask.pastIssues === 0) return [];
  const found: PastIssue[] = [];
  for (let answer = first; ;) {
    const page = PastPage.safeParse(answer).data;
    if (page === undefined) return undefined;
    found.push(...present(page).map(toPast));
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage || found.length >= ask.pastIssues) return found.slice(0, ask.pastIssues);
    const variables = { past: PER_PAGE, pastAfter: endCursor };
    const more = await readRepository(bound, ref, { text: MORE_PAST, variables });
    answer = z.object({ issues: z.unknown() }).safeParse(more?.['repository']).data?.issues;
  }
}

function toPast({
  number,
  title,
  body,
  closed,
  stateReason,
  closedAt,
  labels,
}: z.infer<typeof Past>): PastIssue {
  return {
    number,
    title,
    state: closed ? 'closed' : 'open',
    ...(stateReason && { stateReason: stateReason.toLowerCase() }),
    labels: present(labels ?? undefined).map(({ name }) => name),
    body: body.slice(0, PAST_BODY_CHARS).toWellFormed(),
    isPull: false,
    ...(closedAt && { closedAt }),
  };
}
