/** The check runs of reviews, ours, on one commit. */
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { OwnCheck, ReviewCheck } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import type { Place } from '../repository-locator.ts';
import { LIST_REVIEW_CHECKS, type WireReviewCheck } from './pull-operations.ts';

type At = Pick<ReviewCheck, 'name' | 'headSha'>;

/** What a repetition is known by. */
export function externalId(check: At & Pick<ReviewCheck, 'run'>): string {
  return `${startOf(check)}${check.run}`;
}

function startOf({ name, headSha }: At): string {
  return `quorum:v1:${name}@${headSha}/`;
}

/** The run that began it; undefined where the id does not belong to a review's check. */
export function runOfCheck(id: string | null | undefined, at: At): string | undefined {
  const start = startOf(at);
  return id?.startsWith(start) === true ? id.slice(start.length) : undefined;
}

export async function listReviewChecks(
  bound: SessionContext,
  place: Place,
  { name, headSha }: At,
): Promise<WireReviewCheck[]> {
  const { data } = await bound.calls.get(LIST_REVIEW_CHECKS, {
    ...place,
    ref: headSha,
    check_name: name,
    filter: 'all',
    per_page: 100,
    ...(bound.appId !== undefined && { app_id: bound.appId }),
  });
  return data.check_runs.filter(
    ({ app }) => bound.appId === undefined || !app || app.id === bound.appId,
  );
}

export async function readReviewChecks(
  bound: SessionContext,
  ref: RepositoryRef,
  at: At,
): Promise<OwnCheck[]> {
  const found = await listReviewChecks(bound, bound.places.last(ref), at);
  return toOwnChecks(found, at);
}

function toOwnChecks(found: readonly WireReviewCheck[], at: At): OwnCheck[] {
  return found
    .flatMap((check): OwnCheck[] => {
      const run = runOfCheck(check.external_id, at);
      if (run === undefined) return [];
      const { id, status, started_at: startedAt } = check;
      const isEnded = status === 'completed';
      return [{ id, run, isEnded, ...(startedAt && { startedAt }) }];
    })
    .toSorted((a, b) => a.id - b.id);
}
