/** A plan is read whenever it may have changed, and people are told once, in one comment, what it says or what is wrong. */
import type { Failure } from '../../domain/errors.ts';
import { derivedId } from '../../domain/ids.ts';
import { DEFAULT_LABELS, LABEL_LOOKS, type Label } from '../../domain/labels.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import type { PlanProblem } from '../../domain/plan/plan.ts';
import type { PlanState, PlanView } from '../../domain/plan/plan-view.ts';
import { threadKey, type RepositoryRef, type ThreadRef } from '../../domain/thread.ts';
import { createStep, want, type Decision, type Step, ignored } from '../decision.ts';
import type { ThreadState, Occasion } from '../scene.ts';
import { renderPlanComment } from './render-plan-comment.ts';

/** Pinned name (spec 13). */
export const PLAN_CHECK = 'quorum / plan';

/** Reads the issue anew; what an earlier look still brings is left alone. */
export function readPlanAgain({ state, event, now }: Occasion, thread: ThreadRef): Decision {
  const plan: PlanState = state.plan ?? { id: derivedId(`plan ${event.id}`, now), step: 0, thread };
  state.plan = plan;
  const step = createStep(event.key, plan, now);
  plan.looking = want(step, { kind: 'look-plan', thread });
  return { state, effects: step.effects, events: [] };
}

/** What came of the look. */
export function takePlanView(
  { state, event, now }: Occasion,
  plan: PlanState,
  { effectId, view }: { effectId: string; view: PlanView },
): Decision {
  if (plan.looking !== effectId) return ignored(state, 'the plan is read again already');
  delete plan.looking;
  const reason = whyNoPlan(view);
  const step = createStep(event.key, plan, now);
  if (reason === undefined) tell(step, plan, view);
  return reason === undefined
    ? { state, effects: step.effects, events: step.events }
    : ignored(state, reason);
}

export function takePlanFailure(state: ThreadState, plan: PlanState, failure: Failure): Decision {
  delete plan.looking;
  return ignored(state, `the plan could not be read: ${failure.code}`);
}

function whyNoPlan({ repository, issue, config }: PlanView): string | undefined {
  const name = (label: Label): string => config.labels[label] ?? DEFAULT_LABELS[label];
  const checks: [boolean, string][] = [
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [issue.isPull, 'a pull request is no plan'],
    [issue.state === 'closed', 'the plan is closed'],
    [issue.isLocked, 'the conversation is locked'],
    [!issue.labels.includes(name('plan')), 'it is no plan any more'],
    [issue.labels.includes(name('quorum:skip')), 'a label keeps the team out'],
    [issue.labels.includes(name('plan:complete')), 'the plan is complete'],
    [issue.labels.includes(name('plan:superseded')), 'another plan took over'],
  ];
  return checks.find(([applies]) => applies)?.[1];
}

function tell(step: Step, state: PlanState, view: PlanView): void {
  const { thread } = state;
  const plan = parsePlan(view.issue.body);
  const lane = { lane: `plan:${threadKey(thread)}` };
  const repository = `${thread.owner}/${thread.repo}`;
  want(
    step,
    {
      kind: 'comment',
      thread,
      marker: { kind: 'plan', run: state.id, key: 'plan' },
      body: renderPlanComment(plan, repository),
    },
    { ...lane, slot: `${state.id}/comment` },
  );
  setBlocked(step, view, { thread, isBlocked: plan.problems.length > 0 });
  const isBad = plan.problems.length > 0;
  // One name serves all plans of a repository: a sound one says nothing but the end of its own failure.
  if (view.repository.headSha !== '' && (isBad || state.hasFailed === true))
    want(step, planCheck(thread, view, plan.problems), lane);
  if (isBad) state.hasFailed = true;
  else delete state.hasFailed;
}

function setBlocked(
  step: Step,
  { issue, config }: PlanView,
  { thread, isBlocked }: { thread: ThreadRef; isBlocked: boolean },
): void {
  const name = config.labels['plan:blocked'] ?? DEFAULT_LABELS['plan:blocked'];
  if (issue.labels.includes(name) === isBlocked) return;
  const look = { name, ...LABEL_LOOKS['plan:blocked'] };
  want(
    step,
    { kind: 'labels', thread, add: isBlocked ? [look] : [], remove: isBlocked ? [] : [name] },
    { lane: `plan:${threadKey(thread)}` },
  );
}

function planCheck(thread: ThreadRef, view: PlanView, problems: readonly PlanProblem[]) {
  const { installationId, repositoryId, owner, repo } = thread;
  const repository: RepositoryRef = { installationId, repositoryId, owner, repo };
  const count = problems.length;
  const things = count === 1 ? '1 thing to mend' : `${count} things to mend`;
  return {
    kind: 'check' as const,
    repository,
    name: PLAN_CHECK,
    headSha: view.repository.headSha,
    conclusion: count > 0 ? ('failure' as const) : ('success' as const),
    title: `#${thread.number}: ${count > 0 ? things : 'nothing wrong any more'}`,
    summary: problems.map(({ line, message }) => `- line ${line}: ${message}`).join('\n'),
  };
}
