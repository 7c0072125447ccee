/** A comment as a decision sees it: what its author may do, and whether its marker is ours. */
import { parseMarker } from '../../../domain/github/marker.ts';
import { threadKey, type Permission, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CommentView } from '../../../domain/run/view.ts';
import type { CommentFacts } from '../../../ports/github/github-reader.ts';
import type { ActPorts } from '../../ports.ts';

interface Around {
  thread: ThreadRef;
  permissionOf: (id: number) => Permission;
  ports: Pick<ActPorts, 'markerSecret'>;
}

/** A marker in a comment that is not ours says nothing, whatever its signature. */
export function toCommentView(
  { isOurs, ...facts }: CommentFacts,
  { thread, permissionOf, ports }: Around,
): CommentView {
  const { id, author, body, createdAt, updatedAt } = facts;
  const marker = isOurs ? parseMarker(body, ports.markerSecret, threadKey(thread)) : undefined;
  return {
    id,
    author,
    body,
    createdAt,
    updatedAt,
    permission: permissionOf(author.id),
    ...(marker === undefined ? {} : { marker }),
  };
}
