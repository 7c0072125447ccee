/** Closes a thread with its reason; one that is closed already is left as it is. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { EDIT_ISSUE, GET_ISSUE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';
import { isPull } from '../read/to-domain.ts';

export type CloseReason = 'not_planned' | 'completed' | 'duplicate';

export async function ensureClosed(
  bound: SessionContext,
  ref: ThreadRef,
  reason: CloseReason,
): Promise<'closed' | 'was-closed'> {
  return bound.places.at(ref, bound.calls, async (place) => {
    const thread = { ...place, issue_number: ref.number };
    const { data } = await bound.calls.get(GET_ISSUE, thread);
    if (data.state === 'closed') return 'was-closed';
    await close(bound, thread, isPull(data) ? undefined : reason);
    return 'closed';
  });
}

/** A pull request takes no reason; an older server does not know `duplicate`. */
export async function close(
  bound: SessionContext,
  thread: Place & { issue_number: number },
  reason: CloseReason | undefined,
): Promise<void> {
  const params = {
    ...thread,
    state: 'closed',
    ...(reason !== undefined && { state_reason: reason }),
  };
  try {
    await bound.calls.send(EDIT_ISSUE, params);
  } catch (error) {
    const isUnknown =
      error instanceof RefusedError && error.code === 'github-invalid' && reason === 'duplicate';
    if (!isUnknown) throw error;
    bound.log.info(
      { number: thread.issue_number },
      'this server does not know the reason duplicate: closing as not planned',
    );
    await close(bound, thread, 'not_planned');
  }
}
