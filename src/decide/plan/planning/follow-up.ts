/** A plan is complete: what SCENARIOS.md says is held against the code once, and what is missing becomes a plan (TG-9). */
import type { PlanState, PlanView } from '../../../domain/plan/plan-view.ts';
import { createStep, type Step } from '../../run/decision.ts';
import { hintRest } from '../../run/idle.ts';
import type { ThreadContext } from '../../run/thread-context.ts';
import { startPlanning } from './start-planning.ts';

/** What a complete plan brings: the quality loop, or the question whether a workspace is done. */
export function followUp(
  context: ThreadContext,
  plan: PlanState,
  view: PlanView,
): Pick<Step, 'effects' | 'events'> {
  const { event, now } = context;
  if (plan.isComplete !== true) return { effects: [], events: [] };
  const loop = beginLoop(context, plan, view);
  if (!view.config.plans.workspace) return loop ?? { effects: [], events: [] };
  const step = createStep(event.key, plan, now);
  hintRest(step, plan.thread, loop === undefined ? 'plan' : 'loop-begun');
  return { effects: loop?.effects ?? [], events: [...(loop?.events ?? []), ...step.events] };
}

/**
 * Runs under the approval of the person who approved the plan, if the settings enable it. A follow-up plan gets no
 * follow-up of its own, and neither does a project that was declared done.
 */
function beginLoop(
  { state, event, now }: ThreadContext,
  { id, approval, isFollowUp, thread }: PlanState,
  { config: { plans }, isAsleep }: PlanView,
): Step | undefined {
  const isWanted = plans.qualityLoop && isFollowUp !== true && isAsleep !== true;
  if (!isWanted || approval === undefined) return undefined;
  const actor = { ...approval.by, isBot: false };
  const cause = `${id}/follow-up`;
  const asked = { cause, key: event.key, now, thread, actor, wish: '' };
  return startPlanning(state, { ...asked, followsUp: true });
}
