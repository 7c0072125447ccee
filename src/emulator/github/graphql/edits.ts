/** The texts that a thread had, newest first, as GraphQL alone tells them. */
import type { Thread } from '../world/world-model.ts';
import { account, nodeId } from '../world/world.ts';
import { connection, toActorNode, type Paging, type Place } from './answer-parts.ts';

/** When the text was edited last, and its versions. */
export function editFields(place: Place): object {
  const { thread } = place;
  return {
    lastEditedAt: thread.edits?.at(-1)?.at ?? null,
    userContentEdits: (paging: Paging) => toEdits(place, thread, paging),
  };
}

function toEdits(place: Place, thread: Thread, paging: Paging): object {
  const nodes = (thread.edits ?? []).toReversed().map((edit) => ({
    id: nodeId('UCE', edit.id),
    createdAt: edit.at,
    editedAt: edit.at,
    updatedAt: edit.at,
    deletedAt: null,
    editor: toActorNode(account(place.world, edit.userId)),
    diff: edit.text,
  }));
  return connection(nodes, paging);
}
