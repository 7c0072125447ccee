/** What a merge depends on, as one GraphQL query tells it together with what surrounds the pull request. */
import { z } from 'zod';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { SurveyAsk } from '../../../../ports/github/github-survey.ts';
import type { MergeFacts, MergeSurvey } from '../../../../ports/github/work.ts';
import { present, toAuthor, Who, WHO } from '../../read/actors.ts';
import type { SessionContext } from '../../bound.ts';
import { isWhole } from '../../client/ask-graphql.ts';
import { survey } from '../../survey/surroundings.ts';
import type { KnownRules } from './read-branch-rules.ts';
import type { WireRule } from '../work-operations.ts';
import { toStanding, type Standing } from '../person-reviews.ts';

const Reviewer = z.object({
  kind: z.string(),
  login: z.string().optional(),
  databaseId: z.number().nullish(),
  slug: z.string().optional(),
});
/** A review, as GraphQL tells it. */
export const Review = z.object({
  state: z.string(),
  submittedAt: z.string().nullish(),
  author: Who,
  commit: z.object({ oid: z.string() }).nullish(),
});
const Rule = z.object({
  type: z.string(),
  parameters: z
    .object({
      requiredStatusChecks: z
        .array(z.object({ context: z.string(), integrationId: z.number().nullish() }))
        .optional(),
      allowedMergeMethods: z.array(z.string()).nullish(),
      requiredReviewThreadResolution: z.boolean().optional(),
    })
    .nullish(),
});
function listOf<T extends z.ZodType>(node: T) {
  return z.object({ totalCount: z.number(), nodes: z.array(node.nullable()) });
}

/** A list that holds as many entries as GitHub counts; one that is shorter is asked for by REST. */
function allOf<T>(
  list: { totalCount: number; nodes: (T | null)[] } | null | undefined,
): T[] | undefined {
  const found = list?.nodes.filter((one) => one !== null);
  return found === undefined || found.length < (list?.totalCount ?? 0) ? undefined : found;
}

const Base = z.object({
  target: z.object({ oid: z.string() }),
  refUpdateRule: z
    .object({
      requiredStatusCheckContexts: z.array(z.string().nullable()).nullish(),
      requiresConversationResolution: z.boolean(),
    })
    .nullish(),
  rules: listOf(Rule).nullish(),
});
const Pull = z.object({
  id: z.string(),
  closed: z.boolean(),
  merged: z.boolean(),
  isDraft: z.boolean(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  mergeable: z.string(),
  isMergeQueueEnabled: z.boolean(),
  isInMergeQueue: z.boolean(),
  author: Who,
  mergeCommit: z.object({ oid: z.string() }).nullish(),
  autoMergeRequest: z.object({ enabledAt: z.string().nullish() }).nullish(),
  labels: listOf(z.object({ name: z.string() })),
  reviewRequests: listOf(z.object({ requestedReviewer: Reviewer.nullish() })).nullish(),
  reviews: listOf(Review).nullish(),
  reviewThreads: listOf(z.object({ isResolved: z.boolean() })),
  baseRef: Base,
});
const Ways = z.object({
  squashMergeAllowed: z.boolean(),
  mergeCommitAllowed: z.boolean(),
  rebaseMergeAllowed: z.boolean(),
});

const FIELDS = `id closed merged isDraft headRefOid baseRefName mergeable isMergeQueueEnabled isInMergeQueue
author { ...who }
mergeCommit { oid }
autoMergeRequest { enabledAt }
labels(first: 100) { totalCount nodes { name } }
reviewRequests(first: 100) { totalCount nodes { requestedReviewer {
  kind: __typename
  ... on User { login databaseId } ... on Bot { login databaseId } ... on Mannequin { login databaseId }
  ... on Team { slug }
} } }
reviews(last: 100) { totalCount nodes { state submittedAt author { ...who } commit { oid } } }
reviewThreads(first: 100) { totalCount nodes { isResolved } }
baseRef {
  target { oid }
  refUpdateRule { requiredStatusCheckContexts requiresConversationResolution }
  rules(first: 100) { totalCount nodes { type parameters {
    ... on RequiredStatusChecksParameters { requiredStatusChecks { context integrationId } }
    ... on PullRequestParameters { allowedMergeMethods requiredReviewThreadResolution }
  } } }
}`;
const WAYS = 'squashMergeAllowed mergeCommitAllowed rebaseMergeAllowed';

/** Facts of the pull request alone. */
export type PullPart = Omit<
  MergeFacts,
  'baseTip' | 'isUpToDate' | 'reviews' | 'required' | 'methods' | 'unresolved'
>;

export interface MergeAnswer {
  around: NonNullable<MergeSurvey['around']>;
  pull: PullPart;
  rules: KnownRules;
  /** Conversations that are not resolved; undefined where the answer does not hold all of them. */
  open: number | undefined;
  /** Undefined where there are more than one answer holds. */
  reviews: Standing[] | undefined;
  /** Whether everybody who was asked is among them: of a team an App may know no name. */
  isAskedKnown: boolean;
}

/** What an App may be refused; each is asked for by REST then. */
const MAY_FAIL = /\.(?:refUpdateRule|requestedReviewer|rules)\b/;

/** Undefined where GraphQL is not to be had or does not tell enough: then REST says it. */
export async function fetchMergeAnswer(
  bound: SessionContext,
  ref: ThreadRef,
  ask: SurveyAsk,
): Promise<MergeAnswer | undefined> {
  const part = {
    declared: '$number: Int!',
    variables: { number: ref.number },
    fields: `pullRequest(number: $number) { ${FIELDS} } ${WAYS}`,
    fragments: WHO,
  };
  const found = await survey(bound, ref, { ask, part });
  const told = Pull.safeParse(found?.fields['pullRequest']).data;
  if (found === undefined || told === undefined) return undefined;
  if (!isWhole(found, 'repository.pullRequest', MAY_FAIL)) return undefined;
  // Labels say what is on hold.
  if (allOf(told.labels) === undefined) return undefined;
  const reviews = allOf(told.reviews);
  const failed = (name: string): boolean => found.failed.some((path) => path.includes(name));
  return {
    around: found.around,
    pull: toPull(told),
    rules: {
      ...toKnown(told.baseRef, {
        isProtectionKnown: !failed('.refUpdateRule'),
        areRulesKnown: !failed('.rules'),
      }),
      settings: toSettings(Ways.safeParse(found.fields).data),
    },
    open: allOf(told.reviewThreads)?.filter(({ isResolved }) => !isResolved).length,
    reviews: reviews && toStandings(reviews),
    isAskedKnown:
      allOf(told.reviewRequests)?.every(
        ({ requestedReviewer: one }) => one !== null && one !== undefined,
      ) ?? false,
  };
}

function toPull(told: z.infer<typeof Pull>): PullPart {
  const asked = present(told.reviewRequests ?? undefined).flatMap(
    ({ requestedReviewer: one }) => one ?? [],
  );
  const people = asked.filter(({ login }) => login !== undefined);
  return {
    author: toAuthor(told.author),
    state: told.closed ? 'closed' : 'open',
    isDraft: told.isDraft,
    isMerged: told.merged,
    mergeSha: told.merged ? told.mergeCommit?.oid : undefined,
    headSha: told.headRefOid,
    baseRef: told.baseRefName,
    isMergeable: MERGEABLE[told.mergeable],
    labels: present(told.labels).map(({ name }) => name),
    requestedReviewers: people.map(({ login = '', ...one }) => toAuthor({ ...one, login })),
    requestedTeams: asked.flatMap(({ slug }) => slug ?? []),
    isAutoMerge: told.autoMergeRequest !== null && told.autoMergeRequest !== undefined,
    hasQueue: told.isMergeQueueEnabled,
    isInQueue: told.isInMergeQueue,
  };
}

/** `UNKNOWN` while GitHub is still working it out. */
const MERGEABLE: Record<string, boolean> = { MERGEABLE: true, CONFLICTING: false };

function toStandings(reviews: readonly z.infer<typeof Review>[]): Standing[] {
  return reviews.flatMap(({ author, state, commit, submittedAt }) =>
    toStanding({ by: toAuthor(author), state, sha: commit?.oid, at: submittedAt }),
  );
}

function toKnown(
  { target, refUpdateRule, rules }: z.infer<typeof Base>,
  { isProtectionKnown, areRulesKnown }: { isProtectionKnown: boolean; areRulesKnown: boolean },
): Omit<KnownRules, 'settings'> {
  const rule = isProtectionKnown ? (refUpdateRule ?? undefined) : undefined;
  return {
    tip: target.oid,
    // Null for a branch without a protection, and for one whose protection is not told.
    hasChecks: rule && (rule.requiredStatusCheckContexts ?? []).length > 0,
    mustResolve: rule?.requiresConversationResolution,
    rules: areRulesKnown ? allOf(rules)?.map(toRule) : undefined,
  };
}

/** As REST tells it. */
function toRule({ type, parameters }: z.infer<typeof Rule>): WireRule {
  const { requiredStatusChecks, allowedMergeMethods, requiredReviewThreadResolution } =
    parameters ?? {};
  return {
    type: type.toLowerCase(),
    parameters: {
      required_status_checks: requiredStatusChecks?.map(({ context, integrationId }) => ({
        context,
        integration_id: integrationId,
      })),
      allowed_merge_methods: allowedMergeMethods?.map((method) => method.toLowerCase()),
      required_review_thread_resolution: requiredReviewThreadResolution,
    },
  };
}

function toSettings(ways: z.infer<typeof Ways> | undefined): KnownRules['settings'] {
  return (
    ways && {
      allow_squash_merge: ways.squashMergeAllowed,
      allow_merge_commit: ways.mergeCommitAllowed,
      allow_rebase_merge: ways.rebaseMergeAllowed,
    }
  );
}
