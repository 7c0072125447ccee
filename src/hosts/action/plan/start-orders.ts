/** Starts the tasks that a plan may begin now, once the record says so. What GitHub refuses is taken out of the record. */
import type { KeptPlan } from '../../../domain/actions/kept/kept-plans.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { TaskOrder } from '../../../domain/task/task.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { writeKeptPlan } from '../branch/kept-plans-branch.ts';
import { startTask } from './start-workflow.ts';

interface Starting {
  context: WorkflowContext;
  place: StatePlace;
  secret: string;
  /** File name; undefined where the repository has none. */
  workflow: string | undefined;
  thread: ThreadRef;
}

export interface Started {
  /** One for each task. */
  lines: string[];
  /** Those of them that a person has to read. */
  failed: string[];
}

export async function startOrders(
  orders: readonly TaskOrder[],
  kept: KeptPlan,
  { context, place, secret, workflow, thread }: Starting,
): Promise<Started> {
  const told: Started = { lines: [], failed: [] };
  if (workflow === undefined) return told;
  const refused: string[] = [];
  for (const { ref } of orders) {
    const wanted = { workflow, plan: thread.number, task: ref.task };
    const start = await startTask(context, wanted);
    if (start.kind === 'started') {
      told.lines.push(`Task ${ref.task} was started.`);
      continue;
    }
    if (!start.isOpen) refused.push(String(ref.task));
    // A start that GitHub may have carried out is counted for ten minutes.
    const when = start.isOpen ? 'in ten minutes' : 'once that is done';
    const line = `Task ${ref.task} was not started: ${start.why}. Comment \`/pm approve\` again ${when}.`;
    told.lines.push(line);
    told.failed.push(line);
  }
  if (refused.length === 0) return told;
  const { signature: _, ...record } = kept;
  const started = Object.fromEntries(
    Object.entries(kept.started).filter(([task]) => !refused.includes(task)),
  );
  // Where another job has changed the record since, the start is counted for its ten minutes.
  await writeKeptPlan(place, { kept: { ...record, started }, secret, instead: kept });
  return told;
}
