/** A plan becomes an issue of its own, or replaces the one that was there. Then it waits for approval. */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { DEFAULT_LABELS, LABEL_LOOKS } from '../../../domain/repository/labels.ts';
import type { Planning } from '../../../domain/plan/planning.ts';
import type { NewPlan } from '../../../domain/plan/body/render-plan.ts';
import type { EffectResults } from '../../../domain/event/result.ts';
import { threadKey, toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import { createStep, emitEvent, emitEffect } from '../../run/decision.ts';
import { lookAgain } from '../look-again.ts';
import { end, refuse } from './end.ts';
import { renderProposed, renderRewritten } from './render-planning.ts';
import type { PlanningContext } from './start-planning.ts';

/** One issue for each planning, found again by its marker. The label is what makes it a plan. */
export function openPlan(
  { planning, step }: PlanningContext,
  { body, plan }: { body: string; plan: NewPlan },
): Outcome {
  const { thread, id } = planning;
  const repository = toRepositoryRef(thread);
  const name = planning.planLabel ?? DEFAULT_LABELS.plan;
  if (planning.made !== undefined) planning.made.title = plan.title;
  const effectId = emitEffect(
    step,
    {
      kind: 'issue',
      repository,
      marker: { kind: 'proposal', run: id, key: `plan-${id}` },
      title: `[PLAN] ${plan.title}`,
      body,
      labels: [{ name, ...LABEL_LOOKS.plan }],
    },
    { lane: `issues:${repository.repositoryId}` },
  );
  planning.phase = { kind: 'opening', effectId };
  return HANDLED;
}

/** GitHub's events about our own issues are ignored, so the plan's stream gets an event from here. */
export function onOpened(context: PlanningContext, result: EffectResults['issue']): Outcome {
  const { state, planning, step } = context;
  if (result.outcome === 'full') return refuse(context, 'No issue could be opened.');
  const { number } = result;
  const thread = { ...toRepositoryRef(planning.thread), number };
  state.proposed = { number, title: planning.made?.title ?? '' };
  emitEvent(
    step,
    {
      kind: 'proposed',
      run: planning.id,
      thread,
      from: planning.thread.number,
      ...(planning.followsUp === true ? { isFollowUp: true as const } : {}),
    },
    { key: threadKey(thread), suffix: `proposed-${number}` },
  );
  return end(context, { text: renderProposed(planning, number), isDone: true });
}

export function rewritePlan(
  { planning, step }: PlanningContext,
  { digest: from, completed }: NonNullable<Planning['revises']>,
  plan: NewPlan,
): Outcome {
  const { thread } = planning;
  const tasks = plan.tasks.filter(({ number }) => !completed.includes(number));
  const effectId = emitEffect(
    step,
    { kind: 'plan-edit', thread, edits: [{ kind: 'rewrite', from, plan: { ...plan, tasks } }] },
    { lane: `plan:${threadKey(thread)}` },
  );
  planning.phase = { kind: 'rewriting', effectId };
  return HANDLED;
}

export function onRewritten(
  context: PlanningContext,
  outcome: EffectResults['plan-edit']['outcome'],
): Outcome {
  const { state, planning, step } = context;
  if (outcome === 'refused')
    return refuse(context, 'The plan changed in the meantime, or work on it started. Ask again.');
  if (state.plan !== undefined) {
    delete state.plan.rejected;
    const own = createStep(step.key, state.plan, step.now);
    lookAgain(own, state.plan);
    step.effects.push(...own.effects);
  }
  return end(context, { text: renderRewritten(planning), isDone: true });
}
