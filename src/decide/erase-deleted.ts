/** What people deleted on GitHub is erased here too. */
import type { ErasureTarget } from '../domain/tenant/erasure-target.ts';
import { derivedId } from '../domain/run/ids.ts';
import type { ThreadRef } from '../domain/run/thread-ref.ts';
import { createStep, emitEffect, type Decision } from './run/decision.ts';
import type { ThreadContext } from './run/thread-context.ts';

/** One comment of a thread, or all of the thread. */
export function eraseDeleted(
  { state, event, now }: ThreadContext,
  { repositoryId, number }: ThreadRef,
  commentId?: number,
): Decision {
  const step = createStep(event.key, { id: `erase:${derivedId(event.id, now)}`, step: 0 }, now);
  const where = { repositoryId, number };
  const target: ErasureTarget =
    commentId === undefined
      ? { kind: 'thread', ...where }
      : { kind: 'comment', ...where, commentId };
  emitEffect(step, { kind: 'erase', target });
  return { state, effects: step.effects, events: [] };
}
