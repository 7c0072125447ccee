/** What a plan could begin, and the places for it that its repository gives (TG-4, fair). */
import type { Event } from '../../domain/event.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { createStep, ignored, say, type Decision, type Step } from '../decision.ts';
import type { Occasion } from '../scene.ts';
import { begin, busyOf, COOL_MS, findReady, type PlanSight } from './advance.ts';
import { lookAgain } from './look-again.ts';

/** What a look shows. */
export function noteReady(state: PlanState, sight: PlanSight, now: number): void {
  const { tasks } = sight.plan;
  const orders = findReady(state, sight, now);
  state.ready = {
    said: 0,
    needs: 0,
    ...state.ready,
    orders,
    at: new Date(now).toISOString(),
    left: tasks.filter(({ status }) => status !== 'completed').length,
    total: tasks.length,
    most: sight.view.config.access.maxConcurrentThreads,
  };
  if (orders.length === 0) delete state.ready.isShort;
}

/** It could not be read, or nothing of it may begin. */
export function noteNothingReady({ ready }: PlanState): void {
  if (ready !== undefined) ready.orders = [];
}

/** Tells the repository what the plan could have at work; nothing where that is and was nothing. */
export function askForPlaces(step: Step, state: PlanState): void {
  const { ready, thread, looking } = state;
  if (ready === undefined || looking !== undefined) return;
  const busy = busyOf(state).length;
  const needs = busy + ready.orders.length;
  if (needs === 0 && ready.needs === 0) return;
  ready.said += 1;
  ready.needs = needs;
  const { said, left, total, most } = ready;
  say(
    step,
    {
      kind: 'places-wanted',
      run: state.id,
      wanted: { thread, said, busy, needs, left, total, most },
    },
    { key: `repository:${thread.repositoryId}`, suffix: `places-${said}` },
  );
}

/** Begins what has a place by now; what has none is shown to wait. */
export function takePlaces(
  { state, event, now }: Occasion,
  plan: PlanState,
  { said, places }: Pick<Extract<Event['data'], { kind: 'places-given' }>, 'said' | 'places'>,
): Decision {
  const { ready, looking } = plan;
  if (ready?.said !== said || looking !== undefined)
    return ignored(state, 'the plan asks anew: it has said more since, or is being read');
  const going = ready.orders.slice(0, Math.max(0, places - busyOf(plan).length));
  const isShort = going.length < ready.orders.length;
  const wasShort = ready.isShort === true;
  if (going.length === 0 && isShort === wasShort) return ignored(state, 'there is no other place');
  const step = createStep(event.key, plan, now);
  // Events are hints: what has waited is read again before anything rests on it.
  const isFresh = now - Date.parse(ready.at) < COOL_MS;
  if (isFresh) {
    for (const order of going) begin(step, plan, order);
    ready.orders = ready.orders.slice(going.length);
    if (isShort) ready.isShort = true;
    else delete ready.isShort;
  }
  if (isShort || wasShort || !isFresh) lookAgain(step, plan);
  return { state, effects: step.effects, events: step.events };
}
