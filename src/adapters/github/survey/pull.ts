/** A pull request with what became of its earlier reviews, and what surrounds it. */
import { z } from 'zod';
import type { ThreadRef } from '../../../domain/thread.ts';
import type { SurveyAsk } from '../../../ports/github.ts';
import type { PullFacts, PullSurvey } from '../../../ports/pulls.ts';
import { present, toAuthor, Who } from '../actors.ts';
import type { Bound } from '../bound.ts';
import {
  FEEDBACK,
  FEEDBACK_FRAGMENTS,
  FEEDBACK_VARIABLES,
  FeedbackPage,
} from '../pulls/feedback-graphql.ts';
import { readFeedback } from '../pulls/feedback.ts';
import { COMMENTS, Comments, commentsPart, toComments } from './issue.ts';
import { isWhole } from '../graphql.ts';
import { survey, type ThreadPart } from './surroundings.ts';

const Pull = FeedbackPage.extend({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  closed: z.boolean(),
  isDraft: z.boolean(),
  merged: z.boolean(),
  locked: z.boolean(),
  author: Who,
  labels: z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()) }),
  headRefName: z.string(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  baseRefOid: z.string(),
  headRepository: z.object({ databaseId: z.number() }).nullish(),
  url: z.string(),
  changedFiles: z.number(),
  additions: z.number(),
  deletions: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  comments: Comments.optional(),
});

const FIELDS = `number title body closed isDraft merged locked url createdAt updatedAt
headRefName headRefOid baseRefName baseRefOid changedFiles additions deletions
author { ...who }
headRepository { databaseId }
labels(first: 100) { nodes { name } }`;

export async function surveyPull(
  bound: Bound,
  ref: ThreadRef,
  ask: SurveyAsk,
): Promise<PullSurvey | undefined> {
  const found = await survey(bound, ref, { ask, part: toPart(ref, ask) });
  const pull = Pull.safeParse(found?.fields['pullRequest']).data;
  if (found === undefined || pull === undefined) return undefined;
  if (!isWhole(found, 'repository.pullRequest')) return undefined;
  const [feedback, comments] = await Promise.all([
    readFeedback(bound, ref, pull),
    toComments(bound, pull.comments),
  ]);
  return { ...found.around, pull: toPull(pull, ref), feedback, comments };
}

function toPart({ number }: ThreadRef, ask: SurveyAsk): ThreadPart {
  const { declared, variables } = commentsPart(ask);
  return {
    declared: `$number: Int!, ${FEEDBACK_VARIABLES}, ${declared}`,
    variables: { ...variables, number, after: null, isFirst: true },
    fields: `pullRequest(number: $number) { ${FIELDS} ${COMMENTS} ${FEEDBACK} }`,
    fragments: FEEDBACK_FRAGMENTS,
  };
}

function toPull(pull: z.infer<typeof Pull>, ref: ThreadRef): PullFacts {
  const { number, title, body, isDraft, url, createdAt, updatedAt } = pull;
  const { changedFiles, additions, deletions } = pull;
  const headId = pull.headRepository?.databaseId;
  return {
    number,
    title,
    body,
    state: pull.closed ? 'closed' : 'open',
    isDraft,
    isMerged: pull.merged,
    isLocked: pull.locked,
    author: toAuthor(pull.author),
    labels: present(pull.labels).map(({ name }) => name),
    headSha: pull.headRefOid,
    baseSha: pull.baseRefOid,
    headRef: pull.headRefName,
    baseRef: pull.baseRefName,
    isFork: headId !== ref.repositoryId,
    headRepositoryId: headId,
    url,
    changedFiles,
    additions,
    deletions,
    createdAt,
    updatedAt,
  };
}
