/** Work that GitHub shows and this store does not know is taken up by its task, once its plan is approved (DUR-08). */
import { isApproved } from '../../domain/plan/approval.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { taskKey, type TaskNews } from '../../domain/task/task.ts';
import { emitEvent, type Step } from '../run/decision.ts';
import { orderOf, type PlanSight } from './advance.ts';

export function onFound(step: Step, state: PlanState, { plan, view, digest }: PlanSight): void {
  const { approval } = state;
  if (approval === undefined || !isApproved(approval, digest)) return;
  for (const found of view.found ?? []) {
    const task = plan.tasks.find(({ number }) => number === found.task);
    if (task === undefined || state.tasks?.[String(found.task)] !== undefined) continue;
    const order = orderOf(state, { task, approval, persona: found.persona, config: view.config });
    const news: TaskNews = {
      task: found.task,
      state: 'in_review',
      persona: found.persona,
      attempt: 1,
      pull: found.pull,
      at: new Date(step.now).toISOString(),
    };
    state.step += 1;
    state.tasks = { ...state.tasks, [String(found.task)]: news };
    state.begun = { ...state.begun, [String(found.task)]: order.digest };
    emitEvent(
      step,
      { kind: 'task-found', run: state.id, order, found },
      { key: taskKey(order.ref), suffix: `found-${state.step}` },
    );
  }
}
