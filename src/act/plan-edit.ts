/** Writes lines of ours into a plan's body; people's text stays as it is. */
import type { EffectData } from '../domain/effect.ts';
import { editPlan, type PlanEdit } from '../domain/plan/edit-plan.ts';
import { parsePlan } from '../domain/plan/parse-plan.ts';
import { planDigest, taskDigest } from '../domain/plan/plan-digest.ts';
import { mayWord } from '../domain/plan/task-state.ts';
import type { Plan } from '../domain/plan/plan.ts';
import type { ActPorts, Performed } from './ports.ts';
import { workAt } from './workshop.ts';

type PlanEditing = Extract<EffectData, { kind: 'plan-edit' }>;

export async function editPlanBody(
  data: PlanEditing,
  ports: ActPorts,
): Promise<Performed<'plan-edit'>> {
  const session = workAt(ports, data.thread);
  const { outcome } = await session.plans.editBody(data.thread, (body) => {
    const plan = parsePlan(body);
    const [first] = data.edits;
    if (first?.kind === 'rewrite' || first?.kind === 'insert') return replaced(plan, first);
    return mayEdit(plan, data) ? editPlan(plan, data.edits) : undefined;
  });
  return { effectKind: 'plan-edit', result: { outcome }, githubCalls: session.counts };
}

type Replacing = Extract<PlanEdit, { kind: 'rewrite' | 'insert' }>;

/** Only of the text that was read, while nobody works on it; what stands there already is left as it is. */
function replaced(plan: Plan, edit: Replacing): string | undefined {
  const isBusy = plan.tasks.some(({ status }) => status === 'claimed' || status === 'in_progress');
  if (plan.problems.length > 0 || isBusy) return undefined;
  if (planDigest(plan) === edit.from) {
    const next = editPlan(plan, [edit]);
    return parsePlan(next).problems.length > 0 ? undefined : next;
  }
  const known = new Set(plan.tasks.map(taskDigest));
  const tasks = edit.kind === 'rewrite' ? edit.plan.tasks : edit.tasks;
  const isThere = tasks.every((task) => known.has(taskDigest(task)));
  return isThere ? plan.source : undefined;
}

/** A plan that people broke meanwhile, a task that says something else by now, and a step that is none are left alone. */
function mayEdit(plan: Plan, { edits, only }: PlanEditing): boolean {
  if (plan.problems.length > 0) return false;
  const task = plan.tasks.find(({ number }) => number === only?.task);
  const isSame = task !== undefined && taskDigest(task) === only?.digest;
  const isTheirs = task !== undefined && task.assignee === only?.assignee;
  if (only !== undefined && !isSame && !isTheirs) return false;
  return edits.every((edit) => {
    if (edit.kind !== 'status') return true;
    const before = plan.tasks.find(({ number }) => number === edit.task)?.status;
    if (before === undefined) return false;
    // The line of a claim can be lost under others' edits; whoever holds the task still says where it stands.
    const isOwn = only !== undefined && edit.task === only.task && edit.status !== 'pending';
    return mayWord(before, edit.status) || (isOwn && before === 'pending');
  });
}
