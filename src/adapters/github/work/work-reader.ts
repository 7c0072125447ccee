/** Reads for work on tasks. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Actor, RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { DatedReaction, OwnCheck, PullInto, WorkReader } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { eachPage, everyPage, PER_PAGE } from '../client/pages.ts';
import { LIST_PULLS, type WireListedPull } from '../pulls/pull-operations.ts';
import { toReactionContent } from '../pulls/review-words.ts';
import { toActor } from '../read/to-domain.ts';
import { readTip } from './delete-branch.ts';
import { mustSign } from './merge/must-sign.ts';
import {
  LIST_COLLABORATORS,
  LIST_DATED_REACTIONS,
  LIST_REPORTED_CHECKS,
} from './work-operations.ts';

export function createWorkReader(bound: SessionContext): WorkReader {
  return {
    reactions: (ref, commentId) => readReactions(bound, ref, commentId),
    branchTip: (ref, branch) => readTip(bound, bound.places.last(ref), branch),
    isInUse: (ref, branch) => isInUse(bound, ref, branch),
    pullsInto: (ref, base) => readPullsInto(bound, ref, base),
    ownChecks: (ref, sha) => readOwnChecks(bound, ref, sha),
    mustSign: (ref, branch) => mustSign(bound, ref, branch),
    writers: (ref) => readWriters(bound, ref),
  };
}

/** A server that does not filter is filtered here. */
async function isInUse(
  bound: SessionContext,
  ref: RepositoryRef,
  branch: string,
): Promise<boolean> {
  // By the owner's name of now: under a former one no list shows anything.
  await bound.places.read(ref, bound.calls);
  const place = bound.places.last(ref);
  for (const side of [{ head: `${place.owner}:${branch}` }, { base: branch }]) {
    const wanted = { ...place, ...side, state: 'open', per_page: PER_PAGE };
    for await (const page of everyPage(bound.calls, LIST_PULLS, wanted))
      if (page.some((pull) => isOf(pull, ref, branch))) return true;
  }
  return false;
}

function isOf(
  { head, base }: WireListedPull,
  { repositoryId }: RepositoryRef,
  branch: string,
): boolean {
  return base.ref === branch || (head.ref === branch && head.repo?.id === repositoryId);
}

/** A server that does not filter is filtered here. */
async function readPullsInto(
  bound: SessionContext,
  ref: RepositoryRef,
  base: string,
): Promise<PullInto[]> {
  const order = { sort: 'created', direction: 'desc', per_page: PER_PAGE };
  const params = { ...bound.places.last(ref), base, state: 'all', ...order };
  const { data } = await bound.calls.get(LIST_PULLS, params);
  const listed = data.filter((pull) => pull.base.ref === base);
  const own = await Promise.all(listed.map((pull) => bound.identity.isOurs(pull)));
  return listed
    .filter((_, at) => own[at] === true)
    .map(({ number, head, state, created_at: openedAt }) => ({
      number,
      head: head.ref,
      isOpen: state === 'open',
      openedAt,
    }));
}

/** Nobody can write a check run as somebody else's App. */
async function readOwnChecks(
  bound: SessionContext,
  ref: RepositoryRef,
  sha: string,
): Promise<OwnCheck[]> {
  const { appId } = bound;
  const found = new Map<string, OwnCheck>();
  if (appId === undefined) return [];
  const params = { ...bound.places.last(ref), ref: sha, app_id: appId, per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, LIST_REPORTED_CHECKS, params))
    for (const { name, app, conclusion: word, output } of page.check_runs) {
      const conclusion = CONCLUSIONS.find((known) => known === word);
      // Newest first.
      if (app?.id !== appId || conclusion === undefined || found.has(name)) continue;
      found.set(name, { name, conclusion, title: output?.title ?? '' });
    }
  return [...found.values()];
}

const CONCLUSIONS = ['success', 'failure', 'neutral', 'action_required'] as const;

async function readReactions(
  bound: SessionContext,
  ref: RepositoryRef,
  commentId: number,
): Promise<DatedReaction[]> {
  const params = { ...bound.places.last(ref), comment_id: commentId, per_page: PER_PAGE };
  const found: DatedReaction[] = [];
  for await (const page of eachPage(bound.calls, LIST_DATED_REACTIONS, params))
    for (const { content, user, created_at: createdAt } of page) {
      const known = toReactionContent(content);
      if (known !== undefined) found.push({ content: known, by: toActor(user), createdAt });
    }
  return found;
}

/** One page: callers look for one person and need no more. */
async function readWriters(bound: SessionContext, ref: RepositoryRef): Promise<Actor[]> {
  const wanted = { ...bound.places.last(ref), permission: 'push', per_page: PER_PAGE };
  try {
    const { data } = await bound.calls.get(LIST_COLLABORATORS, wanted);
    const writers = data.filter(({ permissions }) => permissions?.push === true);
    return writers.map(toActor).filter(({ isBot }) => !isBot);
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'github-forbidden') return [];
    throw error;
  }
}
