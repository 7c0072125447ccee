/** Everything that a merge depends on, read now and for one head. */
import { z } from 'zod';
import { ConflictError } from '../../../domain/errors.ts';
import { threadName, type ThreadRef } from '../../../domain/thread.ts';
import type { MergeFacts } from '../../../ports/work.ts';
import type { Bound } from '../bound.ts';
import { readGraphql } from '../graphql.ts';
import type { Place } from '../places.ts';
import type { WirePull } from '../pulls/operations.ts';
import { assertHead, readWirePull, toPullFacts } from '../pulls/read-pull.ts';
import { toActor } from '../to-domain.ts';
import { readBranchRules, type BranchRules } from './branch-rules.ts';
import { readReports, standing } from './check-reports.ts';
import { COUNT_BEHIND } from './operations.ts';
import { readPersonReviews } from './person-reviews.ts';

export async function readMergeFacts(bound: Bound, ref: ThreadRef): Promise<MergeFacts> {
  const place = bound.places.last(ref);
  const { head, base } = await readWirePull(bound, ref, place);
  const [rules, reviews, isQueued] = await Promise.all([
    readBranchRules(bound, place, base.ref),
    readPersonReviews(bound, ref, place),
    readQueue(bound, ref, place),
    // For its name, which these reads take: an address that changed hands would tell of another repository.
    bound.places.read(ref, bound.calls),
  ]);
  const checks = rules.required.length === 0 ? [] : await readReports(bound, place, head.sha);
  const range = { from: rules.tip, to: head.sha };
  const isUpToDate = await descends(bound, place, range);
  // Once more, as it is after everything else was read.
  const pull = await readWirePull(bound, ref, place);
  assertHead(ref, head.sha, pull.head.sha);
  if (pull.base.ref !== base.ref) throw retargeted(ref);
  return {
    ...toFacts(pull),
    ...ruled(rules),
    isQueued: rules.isQueued || isQueued,
    isUpToDate,
    reviews,
    checks,
    required: rules.required.map((one) => standing(one, checks)),
  };
}

function ruled({ tip, isStrict, methods }: BranchRules) {
  return { baseTip: tip, isStrict, methods };
}

function retargeted(ref: ThreadRef): ConflictError {
  return new ConflictError({
    code: 'github-conflict',
    message: `${threadName(ref)} was given another base while it was read.`,
    details: 'It is read again.',
  });
}

function toFacts(pull: WirePull) {
  const facts = toPullFacts(pull);
  return {
    number: facts.number,
    url: facts.url,
    title: facts.title,
    author: facts.author,
    state: facts.state,
    isDraft: facts.isDraft,
    isMerged: facts.isMerged,
    mergeSha: pull.merged ? (pull.merge_commit_sha ?? undefined) : undefined,
    headSha: facts.headSha,
    headRef: facts.headRef,
    isFork: facts.isFork,
    baseRef: facts.baseRef,
    labels: facts.labels,
    isMergeable: pull.mergeable ?? undefined,
    mergeableState: pull.mergeable_state,
    requestedReviewers: (pull.requested_reviewers ?? []).map(toActor),
    requestedTeams: (pull.requested_teams ?? []).map((team) => team.slug),
    isAutoMerge: pull.auto_merge !== null && pull.auto_merge !== undefined,
  };
}

async function descends(
  bound: Bound,
  place: Place,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  if (from === '') return false;
  const params = { ...place, basehead: `${from}...${to}`, per_page: 1 };
  const found = await bound.calls.find(COUNT_BEHIND, params, { isImmutable: true });
  return found?.data.behind_by === 0;
}

const QUEUE = `
query queue($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { isMergeQueueEnabled } }
}`;
const Queue = z.object({ pullRequest: z.object({ isMergeQueueEnabled: z.boolean() }) });

/** Branch protection tells of its queue by GraphQL only; rulesets tell without. */
async function readQueue(bound: Bound, ref: ThreadRef, place: Place): Promise<boolean> {
  const variables = { owner: place.owner, name: place.repo, number: ref.number };
  const fields = await readGraphql(bound, { text: QUEUE, variables });
  const told = Queue.safeParse(fields?.['repository']);
  return told.success && told.data.pullRequest.isMergeQueueEnabled;
}
