/** A pull request with what became of its earlier reviews, and what surrounds it. */
import { z } from 'zod';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SurveyAsk } from '../../../ports/github/github-survey.ts';
import { REVIEW_CHECK } from '../../../domain/task/check-names.ts';
import type { OwnCheck, PullFacts, PullSurvey } from '../../../ports/github/pulls.ts';
import { present, toAuthor, Who } from '../read/actors.ts';
import type { SessionContext } from '../bound.ts';
import {
  FEEDBACK,
  FEEDBACK_FRAGMENTS,
  FEEDBACK_VARIABLES,
  FeedbackPage,
} from '../pulls/feedback/feedback-graphql.ts';
import { readFeedback } from '../pulls/feedback/read-feedback.ts';
import { runOfCheck } from '../pulls/review-checks.ts';
import { COMMENTS, Comments, commentsPart, toComments } from './issue.ts';
import { isWhole } from '../client/ask-graphql.ts';
import { survey, type ThreadPart } from './surroundings.ts';

const nodesOf = <T extends z.ZodType>(node: T) => z.object({ nodes: z.array(node.nullable()) });
const Check = z.object({
  /** Null where it is too large for GraphQL's numbers. */
  databaseId: z.number().nullish(),
  externalId: z.string().nullish(),
  status: z.string(),
  startedAt: z.string().nullish(),
});
const Suite = z.object({ checkRuns: nodesOf(Check).nullish() });
const Heads = nodesOf(z.object({ commit: z.object({ checkSuites: nodesOf(Suite).nullish() }) }));

const Pull = FeedbackPage.extend({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  closed: z.boolean(),
  isDraft: z.boolean(),
  merged: z.boolean(),
  locked: z.boolean(),
  isMergeQueueEnabled: z.boolean(),
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
  commits: Heads.optional(),
});

const FIELDS = `number title body closed isDraft merged locked isMergeQueueEnabled url createdAt updatedAt
headRefName headRefOid baseRefName baseRefOid changedFiles additions deletions
author { ...who }
headRepository { databaseId }
labels(first: 100) { nodes { name } }`;
/** Check runs of reviews on the head, our App's; variables `$appId` and `$hasApp`. */
const CHECKS = `commits(last: 1) @include(if: $hasApp) { nodes { commit {
  checkSuites(first: 1, filterBy: { appId: $appId }) { nodes {
    checkRuns(first: 20, filterBy: { checkName: "${REVIEW_CHECK}", checkType: ALL }) {
      nodes { databaseId externalId status startedAt }
    }
  } }
} } }`;

export async function fetchPullSurvey(
  bound: SessionContext,
  ref: ThreadRef,
  ask: SurveyAsk,
): Promise<PullSurvey | undefined> {
  const found = await survey(bound, ref, { ask, part: toPart(bound, ref, ask) });
  const pull = Pull.safeParse(found?.fields['pullRequest']).data;
  if (found === undefined || pull === undefined) return undefined;
  if (!isWhole(found, 'repository.pullRequest')) return undefined;
  const [feedback, comments] = await Promise.all([
    readFeedback(bound, ref, pull),
    toComments(bound, pull.comments),
  ]);
  const facts = toPull(pull, ref);
  return { ...found.around, pull: facts, feedback, comments, checks: toChecks(pull, facts) };
}

function toChecks({ commits }: z.infer<typeof Pull>, { headSha }: PullFacts): OwnCheck[] {
  const at = { name: REVIEW_CHECK, headSha };
  return present(commits).flatMap(({ commit }) =>
    present(commit.checkSuites ?? undefined).flatMap(({ checkRuns }) =>
      present(checkRuns ?? undefined).flatMap((check): OwnCheck[] => {
        const run = runOfCheck(check.externalId, at);
        const { databaseId, status, startedAt } = check;
        if (run === undefined || !startedAt) return [];
        const id = databaseId ?? Date.parse(startedAt);
        return [{ id, run, isEnded: status === 'COMPLETED', startedAt }];
      }),
    ),
  );
}

function toPart(bound: SessionContext, { number }: ThreadRef, ask: SurveyAsk): ThreadPart {
  const { declared, variables } = commentsPart(ask);
  return {
    declared: `$number: Int!, $appId: Int!, $hasApp: Boolean!, ${FEEDBACK_VARIABLES}, ${declared}`,
    variables: {
      ...variables,
      number,
      appId: bound.appId ?? 0,
      hasApp: bound.appId !== undefined,
      after: null,
      isFirst: true,
    },
    fields: `pullRequest(number: $number) { ${FIELDS} ${COMMENTS} ${CHECKS} ${FEEDBACK} }`,
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
    hasQueue: pull.isMergeQueueEnabled,
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
