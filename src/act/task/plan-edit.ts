/** Writes Quorum's lines into a plan's body; people's text stays as it is. */
import type { EffectData } from '../../domain/event/effect.ts';
import { handsIn, type BodyVersion } from '../../domain/plan/body/body-versions.ts';
import { editPlan, type PlanEdit } from '../../domain/plan/body/edit-plan.ts';
import { maySay } from '../../policy/decide-lease.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { isOfTask, planDigest, taskDigest } from '../../domain/plan/plan-digest.ts';
import { mayWord } from '../../domain/plan/task-state.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { ActPorts, Performed } from '../ports.ts';
import { leaseLost, leasePlace, workAt } from './coder/coding-runtime.ts';

type PlanEditing = Extract<EffectData, { kind: 'plan-edit' }>;

/** @throws RefusedError `lease-lost` where the edit rests on a lease that somebody else holds now */
export async function editPlanBody(
  data: PlanEditing,
  ports: ActPorts,
): Promise<Performed<'plan-edit'>> {
  const { thread, holds } = data;
  const session = workAt(ports, thread);
  if (holds !== undefined) {
    const { lease, leaseAt } = holds;
    const held = await session.leases.read(leasePlace({ thread, task: lease.task, leaseAt }, ''));
    const isOurs = data.edits.every(
      (edit) => edit.kind !== 'status' || maySay(held, lease, edit.status),
    );
    if (!isOurs) throw leaseLost(lease.task);
  }
  const { outcome } = await session.plans.editBody(thread, (body, versions) => {
    const plan = parsePlan(body);
    const [first] = data.edits;
    if (first?.kind === 'rewrite' || first?.kind === 'insert') return replaced(plan, first);
    return mayEdit(plan, data, versions) ? editPlan(plan, data.edits) : undefined;
  });
  return { effectKind: 'plan-edit', result: { outcome }, githubCalls: session.counts };
}

type Replacing = Extract<PlanEdit, { kind: 'rewrite' | 'insert' }>;

/**
 * Replaces only the text that was read, and only while nobody works on it. Tasks that it already contains are not
 * written again.
 */
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

/**
 * Refuses to edit a plan that people broke meanwhile, a task that changed since, or a status that may not follow the
 * present one.
 */
function mayEdit(
  plan: Plan,
  { edits, only, holds, insteadOf }: PlanEditing,
  versions: readonly BodyVersion[],
): boolean {
  if (plan.problems.length > 0) return false;
  const task = plan.tasks.find(({ number }) => number === only?.task);
  const isSame = task !== undefined && isOfTask(only?.digest, taskDigest(task));
  const isTheirs = task !== undefined && task.assignee === only?.assignee;
  if (only !== undefined && !isSame && !isTheirs) return false;
  return edits.every((edit) => {
    if (edit.kind !== 'status') return true;
    const before = plan.tasks.find(({ number }) => number === edit.task)?.status;
    if (before === undefined) return false;
    if (insteadOf !== undefined) return before === insteadOf;
    // Others' edits can overwrite the line of a claim. The holder of the task still writes its status then.
    const isCovered = before === 'pending' && holds?.lease.task === edit.task;
    return mayWord(before, edit.status) || (isCovered && !isByHand(versions, edit.task));
  });
}

function isByHand(versions: readonly BodyVersion[], task: number): boolean {
  return handsIn(versions).get(task)?.by.isBot === false;
}
