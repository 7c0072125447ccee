/** A pull request as it is now, and the refusals that come before anything is written to it. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { threadName, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { PullFacts } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { isNotFound } from '../client/github-failure.ts';
import { GET_ISSUE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';
import { isPull, toActor } from '../read/to-domain.ts';
import { GET_PULL, type WirePull } from './pull-operations.ts';

/** @throws RefusedError `no-pull` | `github-not-found` | `github-moved` */
export async function readWirePull(
  bound: SessionContext,
  ref: ThreadRef,
  place: Place,
): Promise<WirePull> {
  const pull = await getPull(bound, ref, place);
  const at = pull.base.repo?.id;
  if (at === undefined || at === ref.repositoryId) return pull;
  throw new RefusedError({
    code: 'github-moved',
    message: `${threadName(ref)} is a pull request of another repository now.`,
    details: `The repository with the id ${ref.repositoryId} was renamed or transferred and another took its name.`,
  });
}

async function getPull(bound: SessionContext, ref: ThreadRef, place: Place): Promise<WirePull> {
  try {
    return (await bound.calls.get(GET_PULL, { ...place, pull_number: ref.number })).data;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const issue = await bound.calls.find(GET_ISSUE, { ...place, issue_number: ref.number });
    if (issue === undefined || isPull(issue.data)) throw error;
    throw new RefusedError({
      code: 'no-pull',
      message: `${threadName(ref)} is an issue, not a pull request.`,
      details: 'Name the number of a pull request.',
      cause: error,
    });
  }
}

/** @throws RefusedError `head-moved` */
export function assertHead(ref: ThreadRef, wanted: string, found: string): void {
  if (found === wanted) return;
  throw new RefusedError({
    code: 'head-moved',
    message: `The head of ${threadName(ref)} is ${found.slice(0, 12)} now, not ${wanted.slice(0, 12)}.`,
    details: 'Something was pushed meanwhile. Read the pull request again and review the new head.',
  });
}

export function toPullFacts(pull: WirePull): PullFacts {
  const headId = pull.head.repo?.id;
  return {
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state === 'closed' ? 'closed' : 'open',
    isDraft: pull.draft,
    isMerged: pull.merged,
    isLocked: pull.locked,
    author: toActor(pull.user),
    labels: pull.labels,
    headSha: pull.head.sha,
    baseSha: pull.base.sha,
    headRef: pull.head.ref,
    baseRef: pull.base.ref,
    isFork: headId === undefined || headId !== pull.base.repo?.id,
    headRepositoryId: headId,
    url: pull.html_url,
    changedFiles: pull.changed_files,
    additions: pull.additions,
    deletions: pull.deletions,
    createdAt: pull.created_at,
    updatedAt: pull.updated_at,
  };
}
