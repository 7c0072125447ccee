/** The latest review of each reviewer. */
import type { Actor, Permission, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { PersonReview } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { everyPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { LIST_REVIEWS } from '../pulls/pull-operations.ts';
import { toReviewState } from '../pulls/review-words.ts';
import { readPermission } from '../read/session-reader.ts';
import { toActor } from '../read/to-domain.ts';

export type Standing = Omit<PersonReview, 'permission'>;

/** `known`: every review, oldest first, where they were read already. */
export async function readPersonReviews(
  bound: SessionContext,
  ref: ThreadRef,
  { place, known }: { place: Place; known: readonly Standing[] | undefined },
): Promise<PersonReview[]> {
  const latest = latestOf(known ?? (await listReviews(bound, ref, place)));
  // A comment neither approves nor requests changes, whatever its author may do.
  const of = ({ by, state }: Standing): Promise<Permission> =>
    by.isBot || state === 'commented' ? Promise.resolve('none') : readPermission(bound, ref, by);
  return Promise.all(latest.map(async (one) => ({ ...one, permission: await of(one) })));
}

/** Of each reviewer; `all` is oldest first. */
export function latestOf(all: readonly Standing[]): Standing[] {
  const latest = new Map<number, Standing>();
  for (const review of all) {
    // As on GitHub, a comment takes no approval and no request for changes back.
    const said = latest.get(review.by.id)?.state ?? 'commented';
    if (review.state !== 'commented' || said === 'commented') latest.set(review.by.id, review);
  }
  return [...latest.values()];
}

async function listReviews(
  bound: SessionContext,
  ref: ThreadRef,
  place: Place,
): Promise<Standing[]> {
  const found: Standing[] = [];
  const params = { ...place, pull_number: ref.number, per_page: PER_PAGE };
  for await (const page of everyPage(bound.calls, LIST_REVIEWS, params))
    for (const { user, state, commit_id: sha, submitted_at: at } of page)
      found.push(...toStanding({ by: toActor(user), state, sha, at }));
  return found;
}

interface ReviewTold {
  by: Actor;
  /** GitHub's word. */
  state: string;
  sha: string | null | undefined;
  at: string | null | undefined;
}

/** None of a review that nobody but its author has seen. */
export function toStanding({ by, state: word, sha, at }: ReviewTold): Standing[] {
  const state = toReviewState(word);
  if (state === undefined) return [];
  return [{ by, state, commitSha: sha ?? undefined, submittedAt: at ?? '' }];
}
