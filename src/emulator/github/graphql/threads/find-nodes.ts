/** Finds an item on a thread that the caller may see by its global id. */
import type { Comment, Review, Thread } from '../../world/world-model.ts';
import { canSee } from '../../world/permissions.ts';
import { readNodeId } from '../../world/world.ts';
import { unresolved, type Place, type ResolverContext } from '../answer-parts.ts';

/** Every thread that the caller may see. */
function* visible(context: ResolverContext): Generator<Place> {
  for (const repository of context.world.state.repositories.values()) {
    if (!canSee(context.world, context.actor, repository)) continue;
    for (const thread of repository.threads.values()) yield { ...context, repository, thread };
  }
}

export interface Found<T> {
  place: Place;
  thing: T;
}

export function findBy<T>(
  context: ResolverContext,
  node: string,
  pick: (thread: Thread, id: number) => T | undefined,
): Found<T> {
  const id = readNodeId(node)?.id;
  if (id !== undefined)
    for (const place of visible(context)) {
      const thing = pick(place.thread, id);
      if (thing !== undefined) return { place, thing };
    }
  throw unresolved(`a node with the global id of '${node}'`);
}

export function findThreadNode(context: ResolverContext, node: string): Place {
  return findBy(context, node, (thread, id) => (thread.id === id ? thread : undefined)).place;
}

/** A comment of a thread or of its diff, or a review. */
export function findCommentNode(context: ResolverContext, node: string): Found<Comment | Review> {
  return findBy(context, node, (thread, id): Comment | Review | undefined =>
    [
      ...thread.comments,
      ...(thread.pull?.reviewComments ?? []),
      ...(thread.pull?.reviews ?? []),
    ].find((one) => one.id === id),
  );
}
