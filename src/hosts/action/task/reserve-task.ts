/** Reserves a task for this run of the workflow, in the state on the memory branch. */
import { sessionLimits } from '../../../decide/plan/advance.ts';
import { claimEvent } from '../../../domain/actions/actions-state.ts';
import { keepUnsigned } from '../../../domain/actions/unsigned-base.ts';
import { findEarlier } from '../../../domain/actions/kept/kept-tasks.ts';
import { spentLastDay } from '../../../domain/actions/spending/book-spending.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import { sessionRefusalReason } from '../../../domain/plan/sessions.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { TaskOrder, TaskStream } from '../../../domain/task/task.ts';
import type { Basics } from '../../host-parts.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { updateTaskState } from '../branch/task-state.ts';
import { believeSigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

interface Reserving {
  basics: Basics;
  context: WorkflowContext;
  place: StatePlace;
}

const TASK_CLAIM = 'task ';

export type ReservedTask =
  | {
      claim: string;
      at: string;
      isNew: boolean;
      spentUsd: number;
      /** Undefined: the attempt is the first one. */
      earlier: TaskStream | undefined;
    }
  | { why: string; isDone?: true };

/** Under the same moment as an earlier attempt of this workflow, and within the hour's number of tasks. */
export function reserveTask(
  order: TaskOrder,
  view: PlanView,
  { basics, context, place }: Reserving,
): Promise<ReservedTask> {
  const limits = sessionLimits(view.config);
  const { workflowRun, attempt, repository } = context;
  const { plan, task } = order.ref;
  const claim = `${TASK_CLAIM}${threadKey(plan)} ${task} run ${workflowRun}`;
  const { markerSecret } = believeSigned(basics, [], repository.repositoryId);
  return updateTaskState<ReservedTask>(
    place,
    `quorum: claim task ${task} of #${plan.number}`,
    (state, tasks) => {
      const now = basics.clock.now();
      const begun = Object.entries(state.claims)
        .flatMap(([key, { at, by = 0 }]) =>
          key !== claim && key.startsWith(TASK_CLAIM) ? [{ by, at }] : [],
        )
        .toSorted((a, b) => a.at.localeCompare(b.at));
      const { id: by } = order.approvedBy;
      const wait = sessionRefusalReason(begun, { by, limits }, now);
      // No queue starts it later.
      if (wait !== undefined)
        return {
          state,
          told: { why: `Nothing is worked on: ${wait.why}. Start the task again then.` },
        };
      const wanted = { event: claim, workflowRun, attempt, now, lifeMs: order.lease.lastsMs, by };
      const { verdict, state: next } = claimEvent(state, wanted);
      if (verdict.kind === 'refused')
        return {
          state: next,
          told: { why: 'This run of the workflow has done its task already.', isDone: true },
        };
      const { at } = verdict.claim;
      const { isNew } = verdict;
      const earlier = findEarlier(tasks, order.ref, markerSecret);
      const told = { claim, at, isNew, spentUsd: spentLastDay(state, now), earlier };
      // Nothing is reserved where a rule asks for signatures.
      return { state: keepUnsigned(next, baseOf(view), now), told };
    },
  );
}

/** Empty where people merge: then nobody asked about the base. */
function baseOf({ config, repository }: PlanView): string {
  return config.merge.mode === 'never' ? '' : repository.defaultBranch;
}
