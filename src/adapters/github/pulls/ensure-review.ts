/** One review for each marker: looked for, then written whole in one call; what fits on no line goes into its body. */
import { RefusedError } from '../../../domain/event/errors.ts';
import { parseMarker, renderMarker } from '../../../domain/github/marker.ts';
import { threadKey, threadName, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Trace } from '../../../ports/github/github-writer.ts';
import type { EnsuredReview, ReviewOutcome } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { assembleComment, assembleMarked } from '../write/comment-body.ts';
import { eachPage, newestPages, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { askTrace, findOlder, findOnce, gatherTwins, type Once } from '../write/twins.ts';
import { isNotFound } from '../client/github-failure.ts';
import { readAnew } from './read-changes.ts';
import { foldReview } from './feedback/fold-review.ts';
import {
  CREATE_REVIEW,
  GET_REVIEW,
  LIST_COMMENTS_OF_REVIEW,
  LIST_REVIEWS,
  type WirePull,
  type WireReview,
} from './pull-operations.ts';
import { readPlaceable } from './placeable.ts';
import { assertHead, readWirePull } from './read-pull.ts';
import { renderUnplaced } from './unplaced.ts';

interface Wanted {
  ref: ThreadRef;
  place: Place;
  review: EnsuredReview;
}

/** @throws RefusedError `head-moved` | `github-locked` */
export async function ensureReview(
  bound: SessionContext,
  ref: ThreadRef,
  review: EnsuredReview,
): Promise<ReviewOutcome> {
  return bound.places.at(ref, bound.calls, async (place) => {
    const want = { ref, place, review };
    if (review.isNew === true) return create(bound, want);
    const trace = await askTrace(review.trace);
    const found = await findOutcome(bound, want, trace);
    if (found !== undefined) return found;
    const created = await create(bound, want);
    if (trace.isDoubtful !== true || created.outcome === 'unchanged') return created;
    const older = await findOlder(bound, onceOf(bound, want), created.id);
    return older === undefined ? created : toOutcome(bound, want, older);
  });
}

/** What an earlier attempt wrote, even when its answer was lost or the head moved since. */
async function findOutcome(
  bound: SessionContext,
  want: Wanted,
  trace: Trace,
): Promise<ReviewOutcome | undefined> {
  const known = trace.id === undefined ? undefined : await readKnown(bound, want, trace.id);
  // Nobody can delete a review, so one that was recorded and is not listed is listed later.
  const isDoubtful = trace.isDoubtful === true || trace.id !== undefined;
  const found =
    known ?? (await findOnce(bound, onceOf(bound, want), isDoubtful ? { isDoubtful } : {}));
  return found === undefined ? undefined : toOutcome(bound, want, found);
}

async function readKnown(
  bound: SessionContext,
  { place, ref }: Wanted,
  id: number,
): Promise<WireReview | undefined> {
  const params = { ...place, pull_number: ref.number, review_id: id };
  return (await bound.calls.find(GET_REVIEW, params))?.data;
}

async function toOutcome(
  bound: SessionContext,
  want: Wanted,
  found: WireReview,
): Promise<ReviewOutcome> {
  const unplaced = await readUnplaced(bound, want, found.id);
  return { id: found.id, url: found.html_url, outcome: 'unchanged', unplaced };
}

function onceOf(bound: SessionContext, want: Wanted): Once<WireReview> {
  const params = { ...want.place, pull_number: want.ref.number, per_page: PER_PAGE };
  return {
    list: () =>
      gatherTwins(
        newestPages(bound.calls, LIST_REVIEWS, params),
        async (review) =>
          hasMarker(bound, want, review) &&
          (await bound.identity.isOurText(review, threadKey(want.ref))),
      ),
    idOf: ({ id }) => id,
    stays: 'first',
    fold: (twin) => foldReview(bound, { ...want.place, pull_number: want.ref.number }, twin),
  };
}

function hasMarker(bound: SessionContext, want: Wanted, found: WireReview): boolean {
  const marker = parseMarker(found.body, bound.markerSecret, threadKey(want.ref));
  const { kind, run, key } = want.review.marker;
  return marker !== undefined && marker.kind === kind && marker.run === run && marker.key === key;
}

/** Comments whose marker is not among those of the review. */
async function readUnplaced(bound: SessionContext, want: Wanted, id: number): Promise<number[]> {
  const { comments } = want.review;
  if (comments.length === 0) return [];
  const keys = new Set<string>();
  const params = { ...want.place, pull_number: want.ref.number, review_id: id, per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, LIST_COMMENTS_OF_REVIEW, params)) {
    for (const { body } of page) {
      const marker = parseMarker(body, bound.markerSecret, threadKey(want.ref));
      if (marker !== undefined) keys.add(marker.key);
    }
  }
  return comments.flatMap((comment, index) => (keys.has(comment.key) ? [] : [index]));
}

async function create(bound: SessionContext, want: Wanted): Promise<ReviewOutcome> {
  const { isNew, event: wished, comments } = want.review;
  // Whether it is our own pull request matters to a request for changes only.
  const isBelieved = isNew === true && wished === 'COMMENT';
  const event = isBelieved ? wished : await eventFor(bound, want);
  try {
    return await send(bound, want, { event, unplaced: [] });
  } catch (error) {
    const isWorthAgain = isInvalid(error) && (isBelieved || comments.length > 0);
    if (!isWorthAgain) throw await toldIfLocked(bound, want, error);
    return createWithout(bound, want, event);
  }
}

/** As the pull request is now, whose head must be the one that was reviewed. */
async function eventFor(bound: SessionContext, want: Wanted): Promise<EnsuredReview['event']> {
  const pull = await readReviewed(bound, want);
  return (await bound.identity.isOurs(pull)) ? 'COMMENT' : want.review.event;
}

async function readReviewed(bound: SessionContext, want: Wanted): Promise<WirePull> {
  const pull = await readWirePull(bound, want.ref, want.place);
  assertHead(want.ref, want.review.headSha, pull.head.sha);
  return pull;
}

/**
 * GitHub refuses the whole review for one comment on a wrong line and does not say which. Nothing is written by then,
 * but the answer may come from between us and GitHub, so the trace is looked for once more.
 */
async function createWithout(
  bound: SessionContext,
  want: Wanted,
  event: EnsuredReview['event'],
): Promise<ReviewOutcome> {
  const found = await findOutcome(bound, want, {});
  if (found !== undefined) return found;
  const pull = await readReviewed(bound, want);
  const { comments } = want.review;
  const unplaced = await findUnplaceable(bound, want, pull);
  const all = comments.map((_, index) => index);
  try {
    // Where each line can be found, the refusal may have passed: it is believed when it comes again.
    return await send(bound, want, { event, unplaced });
  } catch (error) {
    const isWorthAgain = isInvalid(error) && unplaced.length < comments.length;
    if (!isWorthAgain) throw await toldIfLocked(bound, want, error);
    return (await findOutcome(bound, want, {})) ?? send(bound, want, { event, unplaced: all });
  }
}

async function findUnplaceable(
  bound: SessionContext,
  want: Wanted,
  pull: WirePull,
): Promise<number[]> {
  const range = { baseSha: pull.base.sha, headSha: pull.head.sha };
  const diff = await readAnew(bound, want.ref, range).then(
    (changes) => changes.diff,
    (error: unknown) => {
      // Branches without a common commit have no diff that GitHub shows lines of.
      if (isNotFound(error)) return '';
      throw error;
    },
  );
  const placeable = readPlaceable(diff);
  return want.review.comments.flatMap((comment, index) => (placeable.has(comment) ? [] : [index]));
}

async function send(
  bound: SessionContext,
  want: Wanted,
  how: { event: EnsuredReview['event']; unplaced: number[] },
): Promise<ReviewOutcome> {
  const { review, ref, place } = want;
  const scope = threadKey(ref);
  const sign = (key: string): string =>
    renderMarker({ ...review.marker, key }, bound.markerSecret, scope);
  const moved = how.unplaced.flatMap((index) => review.comments[index] ?? []);
  const { data } = await bound.calls.send(
    CREATE_REVIEW,
    {
      ...place,
      pull_number: ref.number,
      commit_id: review.headSha,
      event: how.event,
      body: assembleMarked(bound, {
        body: review.body + renderUnplaced(moved),
        marker: review.marker,
        scope,
      }),
      comments: review.comments
        .filter((_, index) => !how.unplaced.includes(index))
        .map(({ key, path, line, side, startLine, startSide = side, body }) => ({
          path,
          line,
          side,
          ...(startLine !== undefined && { start_line: startLine, start_side: startSide }),
          body: assembleComment(body, sign(key)),
        })),
    },
    'content',
  );
  bound.identity.learn(data);
  return { id: data.id, url: data.html_url, outcome: 'created', unplaced: how.unplaced };
}

function isInvalid(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'github-invalid';
}

/** GitHub says 403 both for a locked conversation and for a missing permission; the pull request tells which. */
async function toldIfLocked(bound: SessionContext, want: Wanted, error: unknown): Promise<unknown> {
  const isForbidden = error instanceof RefusedError && error.code === 'github-forbidden';
  if (!isForbidden || !(await readWirePull(bound, want.ref, want.place)).locked) return error;
  return new RefusedError({
    code: 'github-locked',
    message: `${threadName(want.ref)} is locked.`,
    details: 'Unlock the conversation to let the team review there.',
    cause: error,
  });
}
