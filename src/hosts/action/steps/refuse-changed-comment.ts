/** A comment that was edited or deleted after the event is not answered: the person no longer says what was read. */
import { z } from 'zod';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import { readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const Comment = z.object({ updated_at: z.string() });

/** @throws RefusedError `comment-changed` */
export async function refuseChangedComment(
  context: WorkflowContext,
  { thread, comment }: ClaimTicket,
): Promise<void> {
  if (comment === undefined) return;
  const kind = comment.isOnDiff ? 'pulls' : 'issues';
  const path = `/repos/${thread.owner}/${thread.repo}/${kind}/comments/${comment.id}`;
  const now = await readOnce(context, path, Comment);
  if (now?.updated_at === comment.updatedAt) return;
  throw new RefusedError({
    code: 'comment-changed',
    message: 'Nothing was written. The comment was edited or deleted since it was read.',
  });
}
