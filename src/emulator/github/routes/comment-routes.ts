/** Operations on the comments of issues and pull requests. */
import { z } from 'zod';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { HttpError, invalid } from '../behave/http-error.ts';
import type { Comment, Thread } from '../world/world-model.ts';
import { reads, writes } from '../world/permissions.ts';
import { toComment, toIssue } from '../render/to-thread.ts';
import {
  created,
  idParam,
  renderListPage,
  NO_CONTENT,
  ok,
  parseBody,
  sender,
  threadParam,
  viaApp,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import { checkBody, touch } from '../threads.ts';
import { findComment, nextId, nowIso, roleOf } from '../world/world.ts';
import { deedOf } from './issue-routes.ts';

const Body = z.looseObject({ body: z.string() });

/** @throws HttpError 422 for an empty or too long body, in GitHub's words. */
export function readCommentBody(call: RepositoryCall, resource = 'IssueComment'): string {
  const { body } = parseBody(call, Body);
  if (body.trim() === '')
    throw invalid({
      resource,
      code: 'unprocessable',
      field: 'data',
      message: 'Body cannot be blank',
    });
  checkBody(resource, body);
  return body;
}

/** A locked thread takes comments only from people with write access and from Apps that hold it. */
function refuseLocked(call: RepositoryCall, thread: Thread): void {
  if (!thread.locked) return;
  const isPerson = call.actor.kind === 'user';
  if (isPerson && hasPermission(roleOf(call.world, call.repository, sender(call).id), 'write'))
    return;
  throw new HttpError(403, 'Unable to create comment because issue is locked.');
}

export function newComment(call: RepositoryCall, body: string): Comment {
  const at = nowIso(call.world);
  return {
    id: nextId(call.world),
    body,
    userId: sender(call).id,
    appId: viaApp(call),
    createdAt: at,
    updatedAt: at,
    reactions: [],
    minimizedReason: undefined,
  };
}

function emitComment(
  call: RepositoryCall,
  at: { thread: Thread; comment: Comment },
  of: { action: 'created' | 'edited' | 'deleted'; changes?: Record<string, unknown> },
): void {
  const { world, repository } = call;
  world.emit({
    event: 'issue_comment',
    action: of.action,
    repository,
    sender: sender(call),
    payload: {
      issue: toIssue(world, repository, at.thread),
      comment: toComment(world, repository, at),
      ...(of.changes === undefined ? {} : { changes: of.changes }),
    },
  });
}

function createComment(call: RepositoryCall): Answer {
  const body = readCommentBody(call);
  const thread = threadParam(call);
  refuseLocked(call, thread);
  const comment = newComment(call, body);
  thread.comments.push(comment);
  touch(deedOf(call), thread);
  emitComment(call, { thread, comment }, { action: 'created' });
  return created(toComment(call.world, call.repository, { thread, comment }));
}

/** Authors change their own comments; write access changes any. */
export function refuseStranger(call: RepositoryCall, comment: Comment): void {
  const user = sender(call);
  if (comment.userId === user.id) return;
  if (
    call.actor.kind === 'user' &&
    hasPermission(roleOf(call.world, call.repository, user.id), 'write')
  )
    return;
  // An App edits and deletes anyone's comment where it may write issues.
  if (call.actor.kind === 'installation') return;
  throw new HttpError(403, 'Must have push access to repository');
}

function updateComment(call: RepositoryCall): Answer {
  const body = readCommentBody(call);
  const found = findComment(call.repository, idParam(call, 'comment_id'));
  refuseStranger(call, found.comment);
  const from = found.comment.body;
  found.comment.body = body;
  found.comment.updatedAt = nowIso(call.world);
  if (from !== body) found.comment.editedById = sender(call).id;
  touch(deedOf(call), found.thread);
  if (from !== body) emitComment(call, found, { action: 'edited', changes: { body: { from } } });
  return ok(toComment(call.world, call.repository, found));
}

function deleteComment(call: RepositoryCall): Answer {
  const found = findComment(call.repository, idParam(call, 'comment_id'));
  refuseStranger(call, found.comment);
  found.thread.comments = found.thread.comments.filter((one) => one !== found.comment);
  touch(deedOf(call), found.thread);
  emitComment(call, found, { action: 'deleted' });
  return NO_CONTENT;
}

/** `since`, and for the whole repository `sort` and `direction`. */
export function selectComments<T extends { comment: Comment }>(
  call: RepositoryCall,
  list: T[],
): T[] {
  const since = call.query.get('since');
  const key = call.query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = call.query.get('direction') === 'desc' ? -1 : 1;
  return list
    .filter(({ comment }) => since === null || Date.parse(comment.updatedAt) >= Date.parse(since))
    .toSorted(
      (a, b) =>
        sign * (a.comment[key].localeCompare(b.comment[key]) || a.comment.id - b.comment.id),
    );
}

const ISSUES = '/repos/{owner}/{repo}/issues';
const EITHER = ['issues', 'pull_requests'] as const;

export const commentRoutes: Route[] = [
  {
    method: 'GET',
    path: `${ISSUES}/{issue_number}/comments`,
    need: reads(...EITHER),
    run: (call) => {
      const thread = threadParam(call);
      const list = selectComments(
        call,
        thread.comments.map((comment) => ({ thread, comment })),
      );
      return renderListPage(call, list, (one) => toComment(call.world, call.repository, one));
    },
  },
  {
    method: 'POST',
    path: `${ISSUES}/{issue_number}/comments`,
    need: writes('read', ...EITHER),
    isContent: true,
    run: createComment,
  },
  {
    method: 'GET',
    path: `${ISSUES}/comments`,
    need: reads(...EITHER),
    run: (call) => {
      const all = [...call.repository.threads.values()].flatMap((thread) =>
        thread.comments.map((comment) => ({ thread, comment })),
      );
      return renderListPage(call, selectComments(call, all), (one) =>
        toComment(call.world, call.repository, one),
      );
    },
  },
  {
    method: 'GET',
    path: `${ISSUES}/comments/{comment_id}`,
    need: reads(...EITHER),
    run: (call) =>
      ok(
        toComment(
          call.world,
          call.repository,
          findComment(call.repository, idParam(call, 'comment_id')),
        ),
      ),
  },
  {
    method: 'PATCH',
    path: `${ISSUES}/comments/{comment_id}`,
    need: writes('read', ...EITHER),
    run: updateComment,
  },
  {
    method: 'DELETE',
    path: `${ISSUES}/comments/{comment_id}`,
    need: writes('read', ...EITHER),
    run: deleteComment,
  },
];
