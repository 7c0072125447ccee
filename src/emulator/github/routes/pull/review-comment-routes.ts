/** Operations on the comments of reviews: lines of the diff and the replies to them. */
import { z } from 'zod';
import { invalid, notFound } from '../../behave/http-error.ts';
import type { ReviewComment, Thread } from '../../world/world-model.ts';
import { reads, writes } from '../../world/permissions.ts';
import { placeInDiff, type LinePlace } from '../../changes/diff-places.ts';
import { comparePull } from '../../changes/compare-pull.ts';
import { toReviewComment } from '../../render/to-pull.ts';
import {
  created,
  idParam,
  renderListPage,
  NO_CONTENT,
  ok,
  parseBody,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { findReviewComment, nowIso } from '../../world/world.ts';
import { readCommentBody, refuseStranger, selectComments } from '../comment-routes.ts';
import { pullParam } from './pull-routes.ts';
import { emitReviewComment, newReview, newReviewComment, publish } from './review-parts.ts';

const NewComment = z.looseObject({
  body: z.string(),
  commit_id: z.string().optional(),
  path: z.string().optional(),
  line: z.number().int().optional(),
  start_line: z.number().int().optional(),
  side: z.enum(['LEFT', 'RIGHT']).optional(),
  position: z.number().int().optional(),
  subject_type: z.enum(['line', 'file']).optional(),
  in_reply_to: z.number().int().optional(),
});

const WHOLE_FILE: Omit<LinePlace, 'path'> = {
  line: undefined,
  startLine: undefined,
  side: 'RIGHT',
  position: undefined,
  diffHunk: '',
};

async function createReviewComment(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, NewComment);
  readCommentBody(call, 'PullRequestReviewComment');
  if (body.in_reply_to !== undefined) return reply(call, { to: body.in_reply_to, body: body.body });
  const { thread, pull } = pullParam(call);
  const { path } = body;
  if (path === undefined || body.commit_id === undefined)
    throw invalid({
      resource: 'PullRequestReviewComment',
      code: 'missing_field',
      field: path === undefined ? 'path' : 'commit_id',
    });
  const { files } = await comparePull(call.repository, thread);
  const isFile = body.subject_type === 'file';
  const place: LinePlace | undefined = isFile
    ? { ...WHOLE_FILE, path }
    : placeInDiff(files, {
        path,
        line: body.line,
        position: body.position,
        side: body.side ?? 'RIGHT',
        startLine: body.start_line,
      });
  if (place === undefined)
    throw invalid({
      resource: 'PullRequestReviewComment',
      code: 'custom',
      field: 'pull_request_review_thread.line',
      message: 'must be part of the diff',
    });
  const review = newReview(call, { state: 'COMMENTED', body: '', commitId: body.commit_id });
  const comment = newReviewComment(call, {
    body: body.body,
    place,
    reviewId: review.id,
    commitId: body.commit_id,
  });
  comment.subjectType = isFile ? 'file' : 'line';
  pull.reviews.push(review);
  pull.reviewComments.push(comment);
  publish(call, { thread, review, comments: [comment] });
  return created(toReviewComment(call.world, call.repository, { thread, comment }));
}

function reply(call: RepositoryCall, at: { to: number; body: string }): Answer {
  const { thread, pull } = pullParam(call);
  const parent = pull.reviewComments.find((one) => one.id === at.to);
  if (parent === undefined) throw notFound();
  const review = newReview(call, { state: 'COMMENTED', body: '', commitId: parent.commitId });
  const comment: ReviewComment = {
    ...newReviewComment(call, {
      body: at.body,
      place: parent,
      reviewId: review.id,
      commitId: parent.commitId,
    }),
    originalLine: parent.originalLine,
    inReplyToId: parent.inReplyToId ?? parent.id,
  };
  pull.reviews.push(review);
  pull.reviewComments.push(comment);
  publish(call, { thread, review, comments: [comment] });
  return created(toReviewComment(call.world, call.repository, { thread, comment }));
}

function listReviewComments(call: RepositoryCall, threads: readonly Thread[]): Promise<Answer> {
  const all = threads.flatMap((thread) =>
    (thread.pull?.reviewComments ?? []).map((comment) => ({ thread, comment })),
  );
  return renderListPage(call, selectComments(call, all), (one) =>
    toReviewComment(call.world, call.repository, one),
  );
}

function updateReviewComment(call: RepositoryCall): Answer {
  const body = readCommentBody(call, 'PullRequestReviewComment');
  const found = findReviewComment(call.repository, idParam(call, 'comment_id'));
  refuseStranger(call, found.comment);
  const from = found.comment.body;
  found.comment.body = body;
  found.comment.updatedAt = nowIso(call.world);
  emitReviewComment(call, found, { action: 'edited', changes: { body: { from } } });
  return ok(toReviewComment(call.world, call.repository, found));
}

function deleteReviewComment(call: RepositoryCall): Answer {
  const found = findReviewComment(call.repository, idParam(call, 'comment_id'));
  refuseStranger(call, found.comment);
  const { pull } = found.thread;
  if (pull !== undefined)
    pull.reviewComments = pull.reviewComments.filter((one) => one !== found.comment);
  emitReviewComment(call, found, { action: 'deleted' });
  return NO_CONTENT;
}

const PULLS = '/repos/{owner}/{repo}/pulls';

const ONE = `${PULLS}/{pull_number}`;

const READ = reads('pull_requests');

const WRITE = writes('read', 'pull_requests');

export const reviewCommentRoutes: Route[] = [
  {
    method: 'GET',
    path: `${ONE}/comments`,
    need: READ,
    run: (call) => listReviewComments(call, [pullParam(call).thread]),
  },
  {
    method: 'POST',
    path: `${ONE}/comments`,
    need: WRITE,
    isContent: true,
    run: createReviewComment,
  },
  {
    method: 'POST',
    path: `${ONE}/comments/{comment_id}/replies`,
    need: WRITE,
    isContent: true,
    run: (call) =>
      reply(call, {
        to: idParam(call, 'comment_id'),
        body: readCommentBody(call, 'PullRequestReviewComment'),
      }),
  },
  {
    method: 'GET',
    path: `${PULLS}/comments`,
    need: READ,
    run: (call) => listReviewComments(call, [...call.repository.threads.values()]),
  },
  {
    method: 'GET',
    path: `${PULLS}/comments/{comment_id}`,
    need: READ,
    run: (call) =>
      ok(
        toReviewComment(
          call.world,
          call.repository,
          findReviewComment(call.repository, idParam(call, 'comment_id')),
        ),
      ),
  },
  {
    method: 'PATCH',
    path: `${PULLS}/comments/{comment_id}`,
    need: WRITE,
    run: updateReviewComment,
  },
  {
    method: 'DELETE',
    path: `${PULLS}/comments/{comment_id}`,
    need: WRITE,
    run: deleteReviewComment,
  },
];
