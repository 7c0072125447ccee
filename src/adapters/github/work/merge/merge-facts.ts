/** Everything that a merge depends on, read now and for one head: in one call where the server can. */
import { ConflictError } from '../../../../domain/event/errors.ts';
import { threadName, type ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { SurveyAsk } from '../../../../ports/github/github-survey.ts';
import type { MergeFacts, MergeSurvey } from '../../../../ports/github/work.ts';
import type { SessionContext } from '../../bound.ts';
import type { Place } from '../../repository-locator.ts';
import type { WirePull } from '../../pulls/pull-operations.ts';
import { assertHead, readWirePull, toPullFacts } from '../../pulls/read-pull.ts';
import { toActor } from '../../read/to-domain.ts';
import { readBranchRules, type BranchRules } from './read-branch-rules.ts';
import { readReports, standing, type Reports } from '../check-reports.ts';
import { fetchMergeAnswer, type MergeAnswer, type PullPart } from './merge-told.ts';
import { COUNT_BEHIND } from '../work-operations.ts';
import { readPersonReviews } from '../person-reviews.ts';

/** Nothing of what surrounds it. */
const ALONE: SurveyAsk = {
  people: [],
  files: [],
  folder: '.github/quorum',
  foreign: undefined,
  maxBytes: 1,
  comments: 0,
  pastIssues: 0,
};

export async function readMergeFacts(
  bound: SessionContext,
  ref: ThreadRef,
  ask: SurveyAsk = ALONE,
): Promise<MergeSurvey> {
  const told = await fetchMergeAnswer(bound, ref, ask);
  return told === undefined ? readByRest(bound, ref) : complete(bound, ref, told);
}

/** What the one answer does not say is asked for by REST. */
async function complete(
  bound: SessionContext,
  ref: ThreadRef,
  told: MergeAnswer,
): Promise<MergeSurvey> {
  const place = bound.places.last(ref);
  const { pull, around } = told;
  const [rules, reviews, asked] = await Promise.all([
    readBranchRules(bound, { place, branch: pull.baseRef }, told.rules),
    readPersonReviews(bound, ref, { place, known: told.reviews }),
    told.isAskedKnown ? undefined : readWirePull(bound, ref, place),
  ]);
  if (asked !== undefined) assertHead(ref, pull.headSha, asked.head.sha);
  return {
    ...pull,
    ...(asked && toAsked(asked)),
    ...(await readRest(bound, place, { pull, rules })),
    reviews,
    unresolved: rules.mustResolve ? told.open : 0,
    around,
  };
}

async function readByRest(bound: SessionContext, ref: ThreadRef): Promise<MergeFacts> {
  const place = bound.places.last(ref);
  const { head, base } = await readWirePull(bound, ref, place);
  const [rules, reviews] = await Promise.all([
    readBranchRules(bound, { place, branch: base.ref }),
    readPersonReviews(bound, ref, { place, known: undefined }),
  ]);
  const rest = await readRest(bound, place, {
    pull: { headSha: head.sha, hasQueue: false },
    rules,
  });
  // Once more, as it is after everything else was read.
  const pull = await readWirePull(bound, ref, place);
  assertHead(ref, head.sha, pull.head.sha);
  if (pull.base.ref !== base.ref) throw retargeted(ref);
  return { ...toPart(pull), ...rest, reviews, unresolved: rules.mustResolve ? undefined : 0 };
}

const NO_REPORTS: Reports = { all: [], hasStatuses: true };

async function readRest(
  bound: SessionContext,
  place: Place,
  of: { pull: Pick<PullPart, 'headSha' | 'hasQueue'>; rules: BranchRules },
): Promise<Pick<MergeFacts, 'baseTip' | 'isUpToDate' | 'hasQueue' | 'methods' | 'required'>> {
  const { required, tip, methods, isQueued } = of.rules;
  const { headSha, hasQueue } = of.pull;
  const [checks, isUpToDate] = await Promise.all([
    required.length === 0 ? NO_REPORTS : readReports(bound, place, headSha),
    descends(bound, place, { from: tip, to: headSha }),
  ]);
  return {
    baseTip: tip,
    isUpToDate,
    hasQueue: hasQueue || isQueued,
    methods,
    required: required.map((one) => standing(one, checks)),
  };
}

function retargeted(ref: ThreadRef): ConflictError {
  return new ConflictError({
    code: 'github-conflict',
    message: `${threadName(ref)} was given another base while it was read.`,
    details: 'It is read again.',
  });
}

function toPart(pull: WirePull): PullPart {
  const { author, state, isDraft, isMerged, headSha, baseRef, labels } = toPullFacts(pull);
  return {
    author,
    state,
    isDraft,
    isMerged,
    mergeSha: pull.merged ? (pull.merge_commit_sha ?? undefined) : undefined,
    headSha,
    baseRef,
    labels,
    isMergeable: pull.mergeable ?? undefined,
    ...toAsked(pull),
    isAutoMerge: pull.auto_merge !== null && pull.auto_merge !== undefined,
    hasQueue: false,
    isInQueue: false,
  };
}

function toAsked(pull: WirePull): Pick<MergeFacts, 'requestedReviewers' | 'requestedTeams'> {
  return {
    requestedReviewers: (pull.requested_reviewers ?? []).map(toActor),
    requestedTeams: (pull.requested_teams ?? []).map((team) => team.slug),
  };
}

async function descends(
  bound: SessionContext,
  place: Place,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  if (from === '') return false;
  const params = { ...place, basehead: `${from}...${to}`, per_page: 1 };
  const found = await bound.calls.find(COUNT_BEHIND, params, { isImmutable: true });
  return found?.data.behind_by === 0;
}
