/** What a task's reducer works on, and the words it tells its plan. */
import type { Event } from '../../domain/event/event.ts';
import type { TaskEffect } from '../../domain/task/task-effects.ts';
import {
  attemptName,
  roundsOf,
  taskKey,
  type TaskNews,
  type TaskRun,
  type TaskStream,
} from '../../domain/task/task.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import { createStep, emitEvent, emitEffect, type Step } from '../run/decision.ts';
import { transitionOf, type Transition } from './transitions.ts';

export interface TaskContext {
  stream: TaskStream;
  run: TaskRun;
  step: Step;
  /** What is being reduced: only what the table names for it may be entered. */
  on: Transition;
}

export function createContext(
  stream: TaskStream,
  run: TaskRun,
  { event, now }: { event: Event; now: number },
): TaskContext {
  return { stream, run, step: createStep(event.key, run, now), on: transitionOf(run, event.data) };
}

/**
 * Changes of a plan's text run one after the other: GitHub compares nothing on a write, so two of our writes could
 * overwrite each other. A claim never overtakes the release before it either.
 */
export function planLane({ order }: TaskRun): { lane: string } {
  return { lane: `plan:${threadKey(order.ref.plan)}` };
}

/** What is written for a task elsewhere is written in its order. */
export function taskLane({ order }: TaskRun): { lane: string } {
  return { lane: taskKey(order.ref) };
}

/** GitHub compares heads and no bases, so two of our merges into one repository never overlap. */
export function mergeLane({ order }: TaskRun): { lane: string } {
  return { lane: `merge:${order.ref.plan.repositoryId}` };
}

/** What the effects of one attempt have in common. Called while a lease is held. */
export function workOf(
  run: TaskRun,
): Omit<
  Extract<TaskEffect, { kind: 'code' }>,
  'kind' | 'from' | 'attempt' | 'persona' | 'prompt' | 'diff' | 'resume' | 'remade'
> {
  const { order, lease, branch } = run;
  if (lease === undefined) throw new Error(`task run ${run.id} works without a lease`);
  const { plan, task } = order.ref;
  return {
    thread: plan,
    task,
    digest: order.digest,
    branch,
    lease,
    leaseAt: order.lease,
    name: attemptName(run.id, roundsOf(run)),
  };
}

/** Reports the task's state to the plan. */
export function notifyPlan(
  { run, step }: TaskContext,
  state: TaskState,
  more: Pick<TaskNews, 'reason' | 'mergeSha' | 'waitsUntil' | 'asks' | 'isElsewhere' | 'log'> = {},
): void {
  const { ref, persona, digest, lease: leaseAt } = run.order;
  run.step += 1;
  const news: TaskNews = {
    task: ref.task,
    state,
    persona,
    attempt: run.attempt,
    ...more,
    ...(run.pull === undefined ? {} : { pull: run.pull }),
    ...(run.lease === undefined ? {} : { holds: { lease: run.lease, leaseAt, digest } }),
    at: new Date(step.now).toISOString(),
  };
  emitEvent(
    step,
    { kind: 'task-told', run: run.id, news },
    { key: threadKey(ref.plan), suffix: `told-${run.step}` },
  );
}

/** The task's lines in the plan's body, for as long as its text is the one that was approved. */
export function toPlanEdit(
  { order, lease }: TaskRun,
  status: 'in_progress' | 'pending' | 'blocked' | 'completed',
  reason: string,
): Extract<TaskEffect, { kind: 'plan-edit' }> {
  const { ref, digest, persona } = order;
  const { plan, task } = ref;
  return {
    kind: 'plan-edit',
    thread: plan,
    edits: [
      { kind: 'status', task, status, reason },
      ...(status === 'pending' ? [{ kind: 'assignee' as const, task, assignee: '' }] : []),
    ],
    // What is given back because its text was changed is given back all the same.
    only: { task, digest, ...(status === 'pending' ? { assignee: persona } : {}) },
    ...(lease === undefined ? {} : { holds: { lease, leaseAt: order.lease } }),
  };
}

/** Writes the task's lines while its work goes on: nothing waits for them. */
export function editPlanLines(
  { run, step }: TaskContext,
  status: 'in_progress' | 'pending' | 'completed',
  reason: string,
): void {
  emitEffect(step, toPlanEdit(run, status, reason), { ...planLane(run), isUnheard: true });
}
