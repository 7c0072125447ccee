/** A task that does not begin says so on its plan. Few people read the summary of a job, and nobody where a job started it. */
import type { Perform } from '../../../act/perform.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

interface Refusal {
  plan: ThreadRef;
  task: number;
  why: string;
  /** It would be the same in every run of the workflow: one comment is enough. */
  isLasting?: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  perform: Perform;
}

/** One comment for each run of the workflow, also where its job runs again; for a reason that lasts one in all. */
export async function tellRefusal(
  { workflowRun, attempt }: Pick<WorkflowContext, 'workflowRun' | 'attempt'>,
  { plan: thread, task, why, isLasting = false, now, perform }: Refusal,
): Promise<void> {
  // The same in each attempt: the moment is no part of what the run is known by.
  const about = isLasting ? why : workflowRun;
  const run = derivedId(`task ${threadKey(thread)} ${task} refused ${about}`, 0);
  const marker = { kind: 'notice' as const, run, key: `task-${task}` };
  const body = `Task ${task} was not started. ${why}`;
  const data = { kind: 'comment' as const, thread, marker, body };
  const at = new Date(now).toISOString();
  const effect = { id: `${run}/say`, key: threadKey(thread), run, at, data };
  await perform(effect, { isFirst: attempt === 1 && !isLasting });
}
