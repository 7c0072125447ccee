/** Tells people what a plan says, with one comment and its labels. */
import { DEFAULT_LABELS, LABEL_LOOKS } from '../../domain/repository/labels.ts';
import { isApproved } from '../../domain/plan/approval.ts';
import { claimable } from '../../policy/claimable.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../run/decision.ts';
import type { PlanSight } from './advance.ts';
import { isDone } from './complete.ts';
import { noteShowing } from './note-shown.ts';
import { planCheck } from './plan-check.ts';
import { renderPlanComment } from './render-plan-comment.ts';

export function announcePlan(step: Step, state: PlanState, sight: PlanSight): void {
  const { thread } = state;
  const { plan, view } = sight;
  const lane = { lane: `plan:${threadKey(thread)}` };
  const effectId = emitEffect(
    step,
    {
      kind: 'comment',
      thread,
      marker: { kind: 'plan', run: 'plan', key: 'plan' },
      body: renderPlanComment(sight, state),
    },
    { ...lane, slot: `${state.id}/comment` },
  );
  noteShowing(state, sight, effectId);
  setLabels(step, state, sight);
  const isBad = plan.problems.length > 0;
  // One name serves all plans of a repository: a sound one says nothing but the end of its own failure.
  if (view.repository.headSha !== '' && (isBad || state.hasFailed === true))
    emitEffect(step, planCheck(thread, view, plan.problems), { ...lane, isUnheard: true });
  if (isBad) state.hasFailed = true;
  else delete state.hasFailed;
}

/** One of the labels shows the plan's state; a plan that is not approved has none of them. */
function setLabels(step: Step, state: PlanState, { plan, view, digest }: PlanSight): void {
  const { issue, config } = view;
  const name = (label: PlanLabel): string => config.labels[label] ?? DEFAULT_LABELS[label];
  const isBlocked = plan.problems.length > 0 || isStuck(plan);
  const labels: [PlanLabel, boolean][] = [
    ['plan:blocked', isBlocked],
    ['plan:active', !isBlocked && isApproved(state.approval, digest) && !isDone(plan)],
    ['plan:complete', state.isComplete === true],
  ];
  const add = labels.filter(([label, is]) => is && !issue.labels.includes(name(label)));
  const remove = labels.filter(([label, is]) => !is && issue.labels.includes(name(label)));
  if (add.length + remove.length === 0) return;
  emitEffect(
    step,
    {
      kind: 'labels',
      thread: state.thread,
      add: add.map(([label]) => ({ name: name(label), ...LABEL_LOOKS[label] })),
      remove: remove.map(([label]) => name(label)),
      has: issue.labels,
    },
    { lane: `plan:${threadKey(state.thread)}`, isUnheard: true },
  );
}

type PlanLabel = 'plan:blocked' | 'plan:active' | 'plan:complete';

/** Nothing goes on, and nothing can begin: a person has to look. */
export function isStuck(plan: Plan): boolean {
  const isMoving = plan.tasks.some(
    ({ status }) => status === 'claimed' || status === 'in_progress',
  );
  const isBlocked = plan.tasks.some(({ status }) => status === 'blocked');
  return isBlocked && !isMoving && claimable(plan).length === 0;
}
