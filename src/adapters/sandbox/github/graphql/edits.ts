/** The texts that a thread had, newest first, as GraphQL alone tells them. */
import type { Thread } from '../model.ts';
import { account, nodeId } from '../world.ts';
import { connection, toActor, type Paging, type Place } from './parts.ts';

export function toEdits(place: Place, thread: Thread, paging: Paging): object {
  const nodes = (thread.edits ?? []).toReversed().map((edit) => ({
    id: nodeId('UCE', edit.id),
    createdAt: edit.at,
    editedAt: edit.at,
    updatedAt: edit.at,
    deletedAt: null,
    editor: toActor(account(place.world, edit.userId)),
    diff: edit.text,
  }));
  return connection(nodes, paging);
}
