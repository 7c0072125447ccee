/** Operations on reviews of pull requests and on their comments. */
import { z } from 'zod';
import { HttpError, notFound } from '../../behave/http-error.ts';
import type { Pull, Review, ReviewState, Thread } from '../../world/world-model.ts';
import { reads, writes } from '../../world/permissions.ts';
import { placeInDiff } from '../../changes/diff-places.ts';
import { comparePull } from '../../changes/compare-pull.ts';
import { toReview, toReviewComment } from '../../render/to-pull.ts';
import {
  idParam,
  renderListPage,
  ok,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { checkBody } from '../../threads.ts';
import { nowIso } from '../../world/world.ts';
import { pullParam } from './pull-routes.ts';
import { emitReview, newReview, newReviewComment, publish } from './review-parts.ts';

const EVENTS: Record<string, ReviewState> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

const Place = z.looseObject({
  path: z.string(),
  body: z.string(),
  line: z.number().int().optional(),
  start_line: z.number().int().nullish(),
  start_side: z.enum(['LEFT', 'RIGHT']).nullish(),
  side: z.enum(['LEFT', 'RIGHT']).optional(),
  position: z.number().int().optional(),
});

const NewReview = z.looseObject({
  body: z.string().nullish(),
  event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']).optional(),
  commit_id: z.string().optional(),
  comments: z.array(Place).optional(),
});

/** GitHub wants words with a review that is not a plain approval or a bundle of comments. */
function refuseEmpty(state: ReviewState, body: string, comments: number): void {
  if (state === 'CHANGES_REQUESTED' && body === '')
    throw new HttpError(422, 'Unprocessable Entity', {
      errors: ['Body cannot be blank for a request-changes review'],
    });
  if (state === 'COMMENTED' && body === '' && comments === 0)
    throw new HttpError(422, 'Unprocessable Entity', { errors: ['Body cannot be blank'] });
}

function refuseOwn(call: RepositoryCall, thread: Thread, state: ReviewState): void {
  if (thread.userId !== sender(call).id) return;
  if (state === 'APPROVED')
    throw new HttpError(422, 'Unprocessable Entity', {
      errors: ['Can not approve your own pull request'],
    });
  if (state === 'CHANGES_REQUESTED')
    throw new HttpError(422, 'Unprocessable Entity', {
      errors: ['Can not request changes on your own pull request'],
    });
}

async function createReview(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewReview);
  const { thread, pull } = pullParam(call);
  const state = body.event === undefined ? 'PENDING' : (EVENTS[body.event] ?? 'COMMENTED');
  const text = body.body ?? '';
  checkBody('PullRequestReview', text);
  const wanted = body.comments ?? [];
  if (state !== 'PENDING') refuseEmpty(state, text, wanted.length);
  refuseOwn(call, thread, state);
  const commitId = body.commit_id ?? pull.headSha;
  const { files } =
    wanted.length === 0 ? { files: [] } : await comparePull(call.repository, thread);
  // Every place is checked before anything is kept: a review is written whole or not at all.
  const places = wanted.map((one) => {
    const place = placeInDiff(files, {
      path: one.path,
      line: one.line,
      position: one.position,
      side: one.side ?? 'RIGHT',
      startLine: one.start_line ?? undefined,
      startSide: one.start_side ?? undefined,
    });
    if (place !== undefined) return place;
    throw new HttpError(422, 'Unprocessable Entity', { errors: ['Line could not be resolved'] });
  });
  const review = newReview(call, { state, body: text, commitId });
  pull.reviews.push(review);
  const comments = wanted.flatMap((one, index) => {
    const place = places[index];
    if (place === undefined) return [];
    return [newReviewComment(call, { body: one.body, place, reviewId: review.id, commitId })];
  });
  pull.reviewComments.push(...comments);
  if (state !== 'PENDING') publish(call, { thread, review, comments });
  return ok(toReview(call.world, call.repository, { thread, review }));
}

function reviewParam(call: RepositoryCall): { thread: Thread; pull: Pull; review: Review } {
  const { thread, pull } = pullParam(call);
  const id = idParam(call, 'review_id');
  const review = pull.reviews.find((one) => one.id === id);
  if (review === undefined) throw notFound();
  return { thread, pull, review };
}

const Submission = z.looseObject({
  body: z.string().nullish(),
  event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
});

function submitReview(call: RepositoryCall): Answer {
  const body = parseBody(call, Submission);
  const { thread, pull, review } = reviewParam(call);
  if (review.state !== 'PENDING')
    throw new HttpError(422, 'Could not submit a review that is not pending.');
  const state = EVENTS[body.event] ?? 'COMMENTED';
  refuseOwn(call, thread, state);
  const comments = pull.reviewComments.filter((one) => one.reviewId === review.id);
  refuseEmpty(state, body.body ?? review.body, comments.length);
  review.state = state;
  review.body = body.body ?? review.body;
  review.submittedAt = nowIso(call.world);
  publish(call, { thread, review, comments });
  return ok(toReview(call.world, call.repository, { thread, review }));
}

const Message = z.looseObject({ message: z.string() });

function dismissReview(call: RepositoryCall): Answer {
  parseBody(call, Message);
  const { thread, review } = reviewParam(call);
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED')
    throw new HttpError(422, 'Can not dismiss a commented pull request review');
  review.state = 'DISMISSED';
  emitReview(call, { thread, review }, 'dismissed');
  return ok(toReview(call.world, call.repository, { thread, review }));
}

const ReviewBody = z.looseObject({ body: z.string() });

function updateReview(call: RepositoryCall): Answer {
  const { body } = parseBody(call, ReviewBody);
  checkBody('PullRequestReview', body);
  const { thread, review } = reviewParam(call);
  review.body = body;
  emitReview(call, { thread, review }, 'edited');
  return ok(toReview(call.world, call.repository, { thread, review }));
}

const PULLS = '/repos/{owner}/{repo}/pulls';

const ONE = `${PULLS}/{pull_number}`;

const READ = reads('pull_requests');

const WRITE = writes('read', 'pull_requests');

export const reviewRoutes: Route[] = [
  {
    method: 'GET',
    path: `${ONE}/reviews`,
    need: READ,
    run: (call) => {
      const { thread, pull } = pullParam(call);
      const seen = pull.reviews.filter(
        (one) => one.state !== 'PENDING' || one.userId === sender(call).id,
      );
      return renderListPage(call, seen, (review) =>
        toReview(call.world, call.repository, { thread, review }),
      );
    },
  },
  { method: 'POST', path: `${ONE}/reviews`, need: WRITE, isContent: true, run: createReview },
  {
    method: 'GET',
    path: `${ONE}/reviews/{review_id}`,
    need: READ,
    run: (call) => ok(toReview(call.world, call.repository, reviewParam(call))),
  },
  { method: 'PUT', path: `${ONE}/reviews/{review_id}`, need: WRITE, run: updateReview },
  {
    method: 'POST',
    path: `${ONE}/reviews/{review_id}/events`,
    need: WRITE,
    isContent: true,
    run: submitReview,
  },
  {
    method: 'PUT',
    path: `${ONE}/reviews/{review_id}/dismissals`,
    need: writes('write', 'pull_requests'),
    run: dismissReview,
  },
  {
    method: 'GET',
    path: `${ONE}/reviews/{review_id}/comments`,
    need: READ,
    run: (call) => {
      const { thread, pull, review } = reviewParam(call);
      const own = pull.reviewComments.filter((one) => one.reviewId === review.id);
      return renderListPage(call, own, (comment) =>
        toReviewComment(call.world, call.repository, { thread, comment }),
      );
    },
  },
];
