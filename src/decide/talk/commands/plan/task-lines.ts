/** The two lines of a task that people move by command: its status with the reason, and who has it. */
import type { EffectData } from '../../../../domain/event/effect.ts';
import type { PlanTask } from '../../../../domain/plan/plan.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { threadKey } from '../../../../domain/run/thread-ref.ts';
import type { TaskLines } from '../../../../domain/commands/undo.ts';
import { emitEffect } from '../../../run/decision.ts';
import type { CommandContext } from '../../../run/command-context.ts';
import { readAgain } from './plan-commands.ts';

export function linesOf({ status, statusReason: reason, assignee }: PlanTask): TaskLines {
  return { status, reason, assignee };
}

/** Writes them, and has the plan read again. */
export function editLines(
  context: CommandContext,
  plan: PlanState,
  { task, lines }: { task: number; lines: TaskLines },
): void {
  const { status, reason, assignee } = lines;
  const edits = [
    { kind: 'status' as const, task, status, ...(reason === '' ? {} : { reason }) },
    { kind: 'assignee' as const, task, assignee },
  ];
  const data: EffectData = { kind: 'plan-edit', thread: plan.thread, edits };
  emitEffect(context.step, data, { lane: `plan:${threadKey(plan.thread)}`, isUnheard: true });
  readAgain(context, plan);
}
