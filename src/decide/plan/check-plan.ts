/** Reads a plan whenever it may have changed, and shows in one comment what it says or what is wrong. */
import { permitUnless, type Permit } from '../../domain/run/permit/permit.ts';
import type { Failure } from '../../domain/event/errors.ts';
import { derivedId } from '../../domain/run/ids.ts';
import { DEFAULT_LABELS, type Label } from '../../domain/repository/labels.ts';
import type { PlanEdit } from '../../domain/plan/body/edit-plan.ts';
import { isOfTask, taskDigest } from '../../domain/plan/plan-digest.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { isApproved } from '../../domain/plan/approval.ts';
import { claimable } from '../../policy/claimable.ts';
import type { Labeller, PlanState, PlanView } from '../../domain/plan/plan-view.ts';
import { taskKey, type TaskNews } from '../../domain/task/task.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import {
  createStep,
  emitEvent,
  emitEffect,
  type Decision,
  type Step,
  ignored,
} from '../run/decision.ts';
import { wantLook } from '../run/patience.ts';
import type { ThreadContext } from '../run/thread-context.ts';
import { BUSY, busyOf, sightOf, type PlanSight } from './advance.ts';
import { completePlan, isDone } from './complete.ts';
import { onAnswers } from './answers.ts';
import { settleWords } from './approval/expected-words.ts';
import { followUp } from './planning/follow-up.ts';
import { lookAgain } from './look-again.ts';
import { requestSlots, noteNothingReady, noteReady } from './plan-slots.ts';
import { putDocsTasks } from './put-docs.ts';
import { settleApproval } from './approval/settle-approval.ts';
import { onFound } from './on-found.ts';
import { announcePlan, isStuck } from './announce-plan.ts';

/** Reads the issue again; what an earlier look still brings is left alone. `labelledBy`: who made it a plan just now. */
export function readPlanAgain(
  { state, event, now }: ThreadContext,
  thread: ThreadRef,
  labelledBy?: Labeller,
): Decision {
  const plan: PlanState = state.plan ?? { id: derivedId(`plan ${event.id}`, now), step: 0, thread };
  state.plan = plan;
  if (labelledBy !== undefined) plan.labelledBy = labelledBy;
  delete plan.looks;
  const step = createStep(event.key, plan, now);
  lookAgain(step, plan);
  return { state, effects: step.effects, events: [] };
}

/** The wait for what no event tells is over. */
export function onPlanTimer(
  { state, event, now }: ThreadContext,
  plan: PlanState,
  timer: string,
): Decision {
  if (plan.timer !== timer) return ignored(state, 'its turn has passed');
  delete plan.timer;
  plan.looks = (plan.looks ?? 0) + 1;
  const step = createStep(event.key, plan, now);
  lookAgain(step, plan);
  return { state, effects: step.effects, events: step.events };
}

/** A task reports its state: the comment shows it, and tasks that waited for it may begin. */
export function onTaskUpdate(context: ThreadContext, plan: PlanState, news: TaskNews): Decision {
  const before = plan.tasks?.[String(news.task)];
  plan.tasks = { ...plan.tasks, [String(news.task)]: news };
  if (news.isElsewhere === true) plan.othersAt = news.at;
  if (news.holds !== undefined && !BUSY.has(news.state)) plan.endedAt = news.at;
  // It was ordered here, and the comment says so since: nothing else can begin for it.
  const isKnown = news.state === 'claimed' && before?.state === 'claimed';
  return isKnown
    ? ignored(context.state, 'the plan already shows it')
    : readPlanAgain(context, plan.thread);
}

/** What came of the look. */
export function onPlanView(
  { state, event, now }: ThreadContext,
  plan: PlanState,
  { effectId, view }: { effectId: string; view: PlanView },
): Decision {
  if (plan.looking !== effectId) return ignored(state, 'the plan is read again already');
  delete plan.looking;
  noteNoWork(plan, view);
  const permit = mayAdvance(view);
  const step = createStep(event.key, plan, now);
  const wasComplete = plan.isComplete === true;
  noteNothingReady(plan);
  if (permit.kind === 'allowed') advanceRun(step, plan, sightOf(parsePlan(view.issue.body), view));
  else stopTasks(step, plan, { tasks: busyOf(plan), why: permit.reason });
  requestSlots(step, plan);
  if (permit.kind === 'refused' && step.events.length === 0) return ignored(state, permit.reason);
  const more = wasComplete ? undefined : followUp({ state, event, now }, plan, view);
  return {
    state,
    effects: [...step.effects, ...(more?.effects ?? [])],
    events: [...step.events, ...(more?.events ?? [])],
  };
}

function noteNoWork(plan: PlanState, { whyNoCoder, whyUnsigned }: PlanView): void {
  delete plan.noWork;
  const why = whyNoCoder ?? whyUnsigned;
  if (why !== undefined) plan.noWork = why;
}

/** Releases tasks in progress when the plan has errors or its text changed. */
function stopTasks(
  step: Step,
  plan: PlanState,
  { tasks, why }: { tasks: readonly TaskNews[]; why: string },
): void {
  for (const { task } of tasks) {
    plan.step += 1;
    const key = taskKey({ plan: plan.thread, task });
    const word = { kind: 'task-word', run: plan.id, word: 'release', by: NOBODY, why } as const;
    emitEvent(step, word, { key, suffix: `stop-${plan.step}` });
  }
}

/** CB-4: a task that was edited or removed after it began waits for a new approval. */
function stopEdited(step: Step, state: PlanState, { plan }: PlanSight): void {
  const digests = new Map(plan.tasks.map((task) => [task.number, taskDigest(task)]));
  const tasks = busyOf(state).filter(({ task }) => {
    const begun = state.begun?.[String(task)];
    return begun !== undefined && !isOfTask(begun, digests.get(task) ?? '');
  });
  stopTasks(step, state, { tasks, why: 'its text was changed' });
}

/** TG-4: any instance that sees an expired claim, or one whose holder lost its store, releases it. */
function freeUnheld(step: Step, state: PlanState, { plan, view }: PlanSight): void {
  const { thread } = state;
  const lane = { lane: `plan:${threadKey(thread)}`, isUnheard: true as const };
  for (const { task, end } of view.unheld ?? []) {
    const found = plan.tasks.find(({ number }) => number === task);
    if (found === undefined) continue;
    const reason = `${found.assignee} does not hold it any more`;
    // What its last holder said is what it is, however much of that the text has lost.
    const { status, reason: why } = end ?? { status: 'pending', reason };
    const edits: PlanEdit[] = [
      { kind: 'status', task, status, reason: why },
      ...(status === 'pending' ? [{ kind: 'assignee' as const, task, assignee: '' }] : []),
    ];
    const only = { task, digest: taskDigest(found) };
    emitEffect(step, { kind: 'plan-edit', thread, edits, only, insteadOf: found.status }, lane);
  }
}

/** The plan itself, not somebody in particular. */
const NOBODY = { id: 0, login: 'the plan' };

/** About four hours of looking, at growing intervals. */
const MAX_FAILED_LOOKS = 20;

/** What could not be read is looked at again; where the App may not work, until it may. */
export function onPlanFailure(
  { state, event, now }: ThreadContext,
  plan: PlanState,
  failure: Failure,
): Decision {
  delete plan.looking;
  const looks = (plan.looks ?? 0) + 1;
  plan.looks = looks;
  noteNothingReady(plan);
  const step = createStep(event.key, plan, now);
  // What begins nothing keeps no place from others.
  requestSlots(step, plan);
  const isLast = looks > MAX_FAILED_LOOKS && failure.code !== 'place-closed';
  if (!isLast) plan.timer = wantLook(step, looks);
  if (step.events.length === 0)
    return ignored(state, `the plan could not be read: ${failure.code}`);
  return { state, effects: step.effects, events: step.events };
}

function mayAdvance({ repository, issue, config }: PlanView): Permit {
  const name = (label: Label): string => config.labels[label] ?? DEFAULT_LABELS[label];
  return permitUnless([
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [issue.isPull, 'a pull request is no plan'],
    [issue.state === 'closed', 'the plan is closed'],
    [issue.isLocked, 'the conversation is locked'],
    [!issue.labels.includes(name('plan')), 'it is no plan any more'],
    [issue.labels.includes(name('quorum:skip')), 'a label keeps the team out'],
    [issue.labels.includes(name('plan:complete')), 'the plan is complete'],
    [issue.labels.includes(name('plan:superseded')), 'another plan took over'],
  ]);
}

/**
 * Shows the plan's state (in one comment for each thread, also after a lost store), begins what may begin, and ends
 * what is done.
 */
function advanceRun(step: Step, state: PlanState, seen: PlanSight): void {
  if (seen.plan.problems.length > 0) {
    stopTasks(step, state, { tasks: busyOf(state), why: 'the plan has errors' });
    announcePlan(step, state, seen);
    return;
  }
  if (putDocsTasks(step, state, seen)) return lookAgain(step, state);
  if (seen.view.hasOthers === true) state.othersAt = new Date(step.now).toISOString();
  const sight = settleWords(step, state, seen);
  settleApproval(state, sight, step.now);
  onAnswers(step, state, sight);
  noteWaiting(state, sight);
  stopEdited(step, state, sight);
  freeUnheld(step, state, sight);
  onFound(step, state, sight);
  noteReady(state, sight, step.now);
  if (isStuck(sight.plan)) state.isStuck = true;
  else delete state.isStuck;
  if (isDone(sight.plan)) completePlan(step, state, sight);
  else waitFor(step, state, sight);
  announcePlan(step, state, sight);
}

function noteWaiting(state: PlanState, { digest }: PlanSight): void {
  if (isApproved(state.approval, digest)) delete state.isWaiting;
  else state.isWaiting = true;
}

/** Thumbs, other instances and what cools down make no event. */
function waitFor(step: Step, state: PlanState, { plan, view }: PlanSight): void {
  const isFreed = (view.unheld ?? []).length > 0;
  const isMoving = claimable(plan).length > 0 || busyOf(state).length > 0;
  const mustLook = state.isWaiting === true || isFreed || isMoving;
  if (!mustLook) return;
  const longestMs = Math.min(...momentsToCome(state, step.now)) - step.now;
  state.timer = wantLook(step, state.looks ?? 0, { longestMs });
}

/** The moments when something that waits may go on. */
function momentsToCome({ ready, tasks }: PlanState, now: number): number[] {
  return [ready?.waits?.until, ...Object.values(tasks ?? {}).map(({ waitsUntil }) => waitsUntil)]
    .map((moment) => Date.parse(moment ?? ''))
    .filter((moment) => moment > now);
}
