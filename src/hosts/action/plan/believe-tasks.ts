/** A look at a plan, as a job may believe it: tasks that nothing proves to be completed are blocked. */
import type { Perform } from '../../../act/perform.ts';
import { findUnproven, findWhoSaid, holdTasks } from '../../../domain/actions/believed-tasks.ts';
import { recordsOfPlan, type KeptTasks } from '../../../domain/actions/kept/kept-tasks.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import type { PlanTask } from '../../../domain/plan/plan.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import { hasPermission, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubWork } from '../../../ports/github/work.ts';

interface Believing {
  github: GitHubWork;
  thread: ThreadRef;
  tasks: KeptTasks;
  /** Signs the records of tasks. */
  secret: string;
}

/** Every look of a job, so that no later one begins what the first one did not. */
export function believeLooks(perform: Perform, believing: Believing): Perform {
  return async (effect, attempt) => {
    const performed = await perform(effect, attempt);
    if (performed.effectKind !== 'look-plan') return performed;
    return { ...performed, result: await believeTasks(performed.result, believing) };
  };
}

export async function believeTasks(view: PlanView, believing: Believing): Promise<PlanView> {
  const { issue } = view;
  const { tasks, thread, secret } = believing;
  const streams = recordsOfPlan(tasks, thread, secret).map(({ stream }) => stream);
  const unproven = findUnproven(parsePlan(issue.body), streams);
  if (unproven.length === 0) return view;
  const said = await saidByWriters(unproven, view, believing);
  const held = unproven.map(({ number }) => number).filter((number) => !said.has(number));
  return { ...view, issue: { ...issue, body: holdTasks(issue.body, new Set(held)) } };
}

/** Tasks that somebody completed by hand who has the write role now. */
async function saidByWriters(
  unproven: readonly PlanTask[],
  { issue }: PlanView,
  { github, thread }: Believing,
): Promise<Set<number>> {
  const { plans, read } = github.at(thread);
  const versions = issue.lastEditedAt === null ? [] : await plans.history(thread);
  const said = new Set<number>();
  for (const [task, { id, login }] of findWhoSaid(unproven, issue, versions))
    if (hasPermission(await read.permission(thread, { id, login }), 'write')) said.add(task);
  return said;
}
