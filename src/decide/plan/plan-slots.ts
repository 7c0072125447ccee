/** What a plan could begin, and the places for it that its repository gives (TG-4, fair). */
import type { Event } from '../../domain/event/event.ts';
import type { PlanState, ReadyTasks } from '../../domain/plan/plan-view.ts';
import { createStep, ignored, emitEvent, type Decision, type Step } from '../run/decision.ts';
import type { ThreadContext } from '../run/thread-context.ts';
import { begin, busyOf, COOL_MS, findReady, sessionLimits, type PlanSight } from './advance.ts';
import { lookAgain } from './look-again.ts';

/** What a look shows. */
export function noteReady(state: PlanState, sight: PlanSight, now: number): void {
  const { tasks } = sight.plan;
  const { config } = sight.view;
  const orders = findReady(state, sight, now);
  state.ready = {
    said: 0,
    needs: 0,
    ...state.ready,
    orders,
    at: new Date(now).toISOString(),
    left: tasks.filter(({ status }) => status !== 'completed').length,
    total: tasks.length,
    most: config.access.maxConcurrentThreads,
    ...(state.approval && { session: { by: state.approval.by.id, limits: sessionLimits(config) } }),
  };
  if (orders.length === 0) delete state.ready.waits;
}

/** It could not be read, or nothing of it may begin. */
export function noteNothingReady({ ready }: PlanState): void {
  if (ready !== undefined) ready.orders = [];
}

/** Tells the repository what the plan could have at work; nothing where that is and was nothing. */
export function requestSlots(step: Step, state: PlanState): void {
  const { ready, thread, looking } = state;
  if (ready === undefined || looking !== undefined) return;
  const busy = busyOf(state).length;
  const needs = busy + ready.orders.length;
  if (needs === 0 && ready.needs === 0) return;
  ready.said += 1;
  ready.needs = needs;
  const { said, left, total, most, session } = ready;
  emitEvent(
    step,
    {
      kind: 'places-wanted',
      run: state.id,
      wanted: { thread, said, busy, needs, left, total, most, ...(session && { session }) },
    },
    { key: `repository:${thread.repositoryId}`, suffix: `places-${said}` },
  );
}

type Given = Extract<Event['data'], { kind: 'places-given' }>;

/** Begins the tasks that have a slot, and shows why the others wait. */
export function onSlots(
  { state, event, now }: ThreadContext,
  plan: PlanState,
  given: Given,
): Decision {
  const { ready } = plan;
  if (ready?.said !== given.said || plan.looking !== undefined)
    return ignored(state, 'the plan will ask again: it has changed since, or is being read');
  const free = Math.min(freeOf(plan, given), ready.orders.length);
  const waits = slotShortageReason(ready, free, given);
  if (free === 0 && waits?.why === ready.waits?.why)
    return ignored(state, 'nothing else may begin');
  const step = createStep(event.key, plan, now);
  // Events are hints: what has waited is read again before anything rests on it.
  const isFresh = now - Date.parse(ready.at) < COOL_MS;
  if (isFresh) beginFirst(step, plan, { ready, free, waits });
  if (!isFresh || (waits ?? ready.waits) !== undefined) lookAgain(step, plan);
  return { state, effects: step.effects, events: step.events };
}

function beginFirst(
  step: Step,
  plan: PlanState,
  { ready, free, waits }: { ready: ReadyTasks; free: number; waits: ReadyTasks['waits'] },
): void {
  for (const order of ready.orders.slice(0, free)) begin(step, plan, order);
  const { waits: _, ...rest } = ready;
  plan.ready = { ...rest, orders: ready.orders.slice(free), ...(waits && { waits }) };
}

function freeOf(plan: PlanState, { places, wait }: Given): number {
  return wait === undefined ? Math.max(0, places - busyOf(plan).length) : 0;
}

function slotShortageReason(
  { most, orders }: ReadyTasks,
  free: number,
  { wait }: Given,
): ReadyTasks['waits'] {
  if (free === orders.length) return undefined;
  if (wait !== undefined) return wait;
  const all = most === 1 ? 'one task is' : `${most} tasks are`;
  return { why: `for a place: ${all} worked on at once here (\`access.maxConcurrentThreads\`)` };
}
