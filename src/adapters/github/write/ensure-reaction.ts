/** Quorum's reaction on a thread or comment. A server without reactions is logged once, and nothing else happens. */
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { ReactionChange } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { isNotFound, isMissing } from '../client/github-failure.ts';
import {
  ADD_COMMENT_REACTION,
  ADD_ISSUE_REACTION,
  ADD_REVIEW_COMMENT_REACTION,
  LIST_COMMENT_REACTIONS,
  LIST_ISSUE_REACTIONS,
  LIST_OWN_REVIEW_COMMENT_REACTIONS,
  REMOVE_COMMENT_REACTION,
  REMOVE_ISSUE_REACTION,
  REMOVE_REVIEW_COMMENT_REACTION,
} from '../rest-operations.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';

type Content = ReactionChange['add'];

const ON_THREAD = {
  list: LIST_ISSUE_REACTIONS,
  add: ADD_ISSUE_REACTION,
  remove: REMOVE_ISSUE_REACTION,
};
const ON_COMMENT = {
  list: LIST_COMMENT_REACTIONS,
  add: ADD_COMMENT_REACTION,
  remove: REMOVE_COMMENT_REACTION,
};

const ON_DIFF = {
  list: LIST_OWN_REVIEW_COMMENT_REACTIONS,
  add: ADD_REVIEW_COMMENT_REACTION,
  remove: REMOVE_REVIEW_COMMENT_REACTION,
};

interface Target {
  place: Place;
  ref: ThreadRef;
  commentId: number | undefined;
  isOnDiff: boolean;
}

/** Adding is safe to repeat on GitHub's side: the same reaction twice is one. */
export async function ensureReaction(
  bound: SessionContext,
  ref: ThreadRef,
  change: ReactionChange,
): Promise<void> {
  await bound.places.at(ref, bound.calls, async (place) => {
    const { commentId, isOnDiff = false } = change;
    const target = { place, ref, commentId, isOnDiff };
    try {
      await add(bound, target, change.add);
      if (change.remove !== undefined && change.remove !== change.add)
        await remove(bound, target, change.remove);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      tellMissing(bound, ref);
    }
  });
}

/** 404 means that the server has no such route or that the comment is gone: neither is worth a failure. */
function tellMissing(bound: SessionContext, ref: ThreadRef): void {
  const slot = `${ref.installationId}/reactions`;
  if (bound.recall.missing.get(slot) === true) return;
  bound.recall.missing.set(slot, true);
  bound.log.warn(
    { repositoryId: ref.repositoryId, number: ref.number },
    'reactions are not available here: going on without',
  );
}

async function add(bound: SessionContext, target: Target, content: Content): Promise<void> {
  const { data } = await bound.calls.send(routes(target).add, { ...at(target), content });
  bound.recall.reactions.set(slotOf(target, content), data.id);
}

async function remove(bound: SessionContext, target: Target, content: Content): Promise<void> {
  const slot = slotOf(target, content);
  const id = bound.recall.reactions.get(slot) ?? (await findOwn(bound, target, content));
  bound.recall.reactions.delete(slot);
  await isMissing(() =>
    bound.calls.send(routes(target).remove, { ...at(target), reaction_id: id }),
  );
}

/** A list may lag behind. Adding a reaction that is there changes nothing, and its answer tells which one it is. */
async function findOwn(bound: SessionContext, target: Target, content: Content): Promise<number> {
  const query = { ...at(target), content, per_page: PER_PAGE };
  for await (const page of eachPage(bound.calls, routes(target).list, query)) {
    for (const reaction of page) {
      const isWanted = reaction.content === content;
      if (isWanted && (await bound.identity.isOurs(reaction))) return reaction.id;
    }
  }
  return (await bound.calls.send(routes(target).add, { ...at(target), content })).data.id;
}

function routes(target: Target): typeof ON_THREAD {
  if (target.isOnDiff) return ON_DIFF;
  return target.commentId === undefined ? ON_THREAD : ON_COMMENT;
}

function at(target: Target): Record<string, unknown> {
  const { place, ref, commentId } = target;
  return commentId === undefined
    ? { ...place, issue_number: ref.number }
    : { ...place, comment_id: commentId };
}

function slotOf(target: Target, content: Content): string {
  const { ref, commentId, isOnDiff } = target;
  const on = commentId === undefined ? 'thread' : `${isOnDiff ? 'diff-' : ''}${commentId}`;
  return [ref.installationId, threadKey(ref), on, content].join('/');
}
