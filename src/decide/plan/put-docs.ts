/** Tasks for missing documents are put in before anybody says yes: they are part of what is approved (TG-3b). */
import { docsTasks } from '../../domain/plan/docs-tasks.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../run/decision.ts';
import type { PlanSight } from './advance.ts';

/** Somebody edits at the same moment: it is tried again, and not for ever. */
const MAX_TRIES = 3;

/** Whether the plan's text is about to become another one: then nothing else is done with this one. */
export function putDocsTasks(
  step: Step,
  state: PlanState,
  { plan, view, digest }: PlanSight,
): boolean {
  const { docs } = view;
  const tries = state.docsTries ?? 0;
  const isBegun = state.approval !== undefined || state.tasks !== undefined;
  if (docs === undefined || isBegun || tries >= MAX_TRIES) return false;
  const tasks = docsTasks(plan.tasks, docs);
  // Once the tasks are there, a person who removes them does so on purpose.
  state.docsTries = tasks.length === 0 ? MAX_TRIES : tries + 1;
  if (tasks.length === 0) return false;
  // The label approved the text without them.
  delete state.labelledBy;
  const { thread } = state;
  emitEffect(
    step,
    { kind: 'plan-edit', thread, edits: [{ kind: 'insert', from: digest, tasks }] },
    { lane: `plan:${threadKey(thread)}`, isUnheard: true },
  );
  return true;
}
