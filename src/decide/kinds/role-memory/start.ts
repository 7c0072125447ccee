/** Begins to look for what belongs into the files of roles, once work is over. */
import type { RoleSource } from '../../../domain/memory/role/role-run.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { timeOfId } from '../../../domain/run/ids.ts';
import { OURSELVES, type Actor, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { startRun } from '../../discussion/start-run.ts';
import type { Decision } from '../../run/decision.ts';
import type { RunKind, ThreadContext } from '../../run/thread-context.ts';

interface OverWork {
  thread: ThreadRef;
  actor: Actor;
  source: RoleSource;
}

export function startRoleMemory(
  { state, event, now }: ThreadContext,
  { thread, actor, source }: OverWork,
  runKind: RunKind<'role_memory'>,
): Decision {
  return startRun(state, {
    event: { ...event, id: `${event.id}/roles` },
    trigger: { kind: 'requested', by: 'reconcile', thread, actor, label: '' },
    kind: 'role_memory',
    runKind,
    source,
    label: '',
    now,
  });
}

/** The pull request of a task was merged. */
export function onMerged(
  threadContext: ThreadContext,
  { run, task, thread }: Extract<EventData, { kind: 'merged' }>,
  runKind: RunKind<'role_memory'>,
): Decision {
  const begun = timeOfId(run);
  const source = {
    task,
    ...(begun !== undefined && { begunAt: new Date(begun).toISOString() }),
  };
  return startRoleMemory(threadContext, { thread, actor: OURSELVES, source }, runKind);
}
