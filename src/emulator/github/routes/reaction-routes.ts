/** Operations on reactions, the same for issues, comments and review comments. */
import { z } from 'zod';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { HttpError, notFound } from '../behave/http-error.ts';
import { REACTIONS, type Reaction } from '../world/world-model.ts';
import { reads, writes } from '../world/permissions.ts';
import { toReaction } from '../render/to-thread.ts';
import {
  idParam,
  renderListPage,
  NO_CONTENT,
  parseBody,
  sender,
  threadParam,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import { findComment, findReviewComment, nextId, nowIso, roleOf } from '../world/world.ts';

const NewReaction = z.looseObject({ content: z.enum(REACTIONS) });

type Holder = (call: RepositoryCall) => { reactions: Reaction[] };

/** A second reaction of the same kind by the same account is the first one again, with 200. */
function react(call: RepositoryCall, holder: { reactions: Reaction[] }): Answer {
  const { content } = parseBody(call, NewReaction);
  const userId = sender(call).id;
  const found = holder.reactions.find((one) => one.userId === userId && one.content === content);
  if (found !== undefined) return { status: 200, body: toReaction(call.world, found) };
  const reaction = { id: nextId(call.world), userId, content, createdAt: nowIso(call.world) };
  holder.reactions.push(reaction);
  return { status: 201, body: toReaction(call.world, reaction) };
}

function unreact(call: RepositoryCall, holder: { reactions: Reaction[] }): Answer {
  const id = idParam(call, 'reaction_id');
  const reaction = holder.reactions.find((one) => one.id === id);
  if (reaction === undefined) throw notFound();
  const user = sender(call);
  const isOwn = reaction.userId === user.id;
  if (!isOwn && !hasPermission(roleOf(call.world, call.repository, user.id), 'write'))
    throw new HttpError(403, 'You do not have permission to delete this reaction');
  holder.reactions = holder.reactions.filter((one) => one !== reaction);
  return NO_CONTENT;
}

function routesFor(path: string, holder: Holder, permissions: readonly string[]): Route[] {
  return [
    {
      method: 'GET',
      path,
      need: reads(...permissions),
      run: (call) => {
        const content = call.query.get('content');
        const list = holder(call).reactions.filter(
          (one) => content === null || one.content === content,
        );
        return renderListPage(call, list, (one) => toReaction(call.world, one));
      },
    },
    {
      method: 'POST',
      path,
      need: writes('read', ...permissions),
      run: (call) => react(call, holder(call)),
    },
    {
      method: 'DELETE',
      path: `${path}/{reaction_id}`,
      need: writes('read', ...permissions),
      run: (call) => unreact(call, holder(call)),
    },
  ];
}

const REPO = '/repos/{owner}/{repo}';
const EITHER = ['issues', 'pull_requests'] as const;

export const reactionRoutes: Route[] = [
  ...routesFor(`${REPO}/issues/{issue_number}/reactions`, (call) => threadParam(call), EITHER),
  ...routesFor(
    `${REPO}/issues/comments/{comment_id}/reactions`,
    (call) => findComment(call.repository, idParam(call, 'comment_id')).comment,
    EITHER,
  ),
  ...routesFor(
    `${REPO}/pulls/comments/{comment_id}/reactions`,
    (call) => findReviewComment(call.repository, idParam(call, 'comment_id')).comment,
    ['pull_requests'],
  ),
];
