/** Where each reviewer stands. */
import type { Permission, ThreadRef } from '../../../domain/thread.ts';
import type { PersonReview } from '../../../ports/work.ts';
import type { Bound } from '../bound.ts';
import { eachPage, PER_PAGE } from '../pages.ts';
import type { Place } from '../places.ts';
import { LIST_REVIEWS, type WireReview } from '../pulls/operations.ts';
import { toReviewState } from '../pulls/review-words.ts';
import { readPermission } from '../reader.ts';
import { toActor } from '../to-domain.ts';

type Standing = Omit<PersonReview, 'permission'>;

export async function readPersonReviews(
  bound: Bound,
  ref: ThreadRef,
  place: Place,
): Promise<PersonReview[]> {
  const latest = new Map<number, Standing>();
  const params = { ...place, pull_number: ref.number, per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, LIST_REVIEWS, params))
    for (const wire of page) {
      const review = toStanding(wire);
      if (review === undefined) continue;
      // As on GitHub, a comment takes no yes or no back.
      const said = latest.get(review.by.id)?.state ?? 'commented';
      if (review.state !== 'commented' || said === 'commented') latest.set(review.by.id, review);
    }
  const of = ({ by }: Standing): Promise<Permission> =>
    by.isBot ? Promise.resolve('none') : readPermission(bound, ref, by);
  return Promise.all(latest.values().map(async (one) => ({ ...one, permission: await of(one) })));
}

/** Oldest first, so what comes later replaces what was. */
function toStanding(review: WireReview): Standing | undefined {
  const state = toReviewState(review.state);
  if (state === undefined) return undefined;
  return {
    by: toActor(review.user),
    state,
    commitSha: review.commit_id ?? undefined,
    submittedAt: review.submitted_at ?? '',
  };
}
