/** Which tasks of a plan may be begun. */
import type { Plan, PlanTask } from '../domain/plan/plan.ts';

/** Pending tasks whose dependencies are all completed, in the order of the plan; none in a plan with problems. */
export function claimable({ tasks, problems }: Plan): PlanTask[] {
  if (problems.length > 0) return [];
  const done = new Set(
    tasks.filter(({ status }) => status === 'completed').map(({ number }) => number),
  );
  return tasks.filter(
    ({ status, dependencies }) =>
      status === 'pending' && dependencies.every((other) => done.has(other)),
  );
}
