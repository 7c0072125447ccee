/** A plan is complete: what SCENARIOS.md says is held against the code once, and what is missing becomes a plan (TG-9). */
import type { Config } from '../../domain/config.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { Step } from '../decision.ts';
import type { Occasion } from '../scene.ts';
import { startPlanning } from './start.ts';

/** On the word of whoever approved it, where the settings want it; of a plan that grew so itself nothing grows. */
export function followUp(
  { state, event, now }: Occasion,
  plan: PlanState,
  { plans }: Config,
): Pick<Step, 'effects' | 'events'> {
  const { approval, isComplete, isFollowUp, thread } = plan;
  const isWanted = plans.qualityLoop && isComplete === true && isFollowUp !== true;
  if (!isWanted || approval === undefined) return { effects: [], events: [] };
  const actor = { ...approval.by, isBot: false };
  const cause = `${plan.id}/follow-up`;
  const asked = { cause, key: event.key, now, thread, actor, wish: '' };
  return startPlanning(state, { ...asked, followsUp: true });
}
