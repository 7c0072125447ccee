/** Planning begins: somebody with write access asks for a plan by a command, a label, or a "yes, but" reply (CB-2). */
import { derivedId } from '../../../domain/run/ids.ts';
import type { Planning } from '../../../domain/plan/planning.ts';
import type { CommentRef } from '../../../domain/run/talk.ts';
import { toRepositoryRef, type Actor, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { createStep, ignored, emitEffect, type Decision, type Step } from '../../run/decision.ts';
import { writeLane, type ThreadContext, type ThreadState } from '../../run/thread-context.ts';

export interface PlanningContext {
  state: ThreadState;
  planning: Planning;
  step: Step;
}

export interface Asked {
  /** What asked: the same cause is the same planning. */
  cause: string;
  key: string;
  now: number;
  thread: ThreadRef;
  actor: Actor;
  wish: string;
  askedIn?: CommentRef;
  label?: string;
  revises?: Planning['revises'];
  followsUp?: true;
}

/** Whether the PM is at it; while it waits for answers it is not. */
export function isPlanning({ planning }: ThreadState): boolean {
  return planning !== undefined && planning.phase.kind !== 'waiting';
}

/** Reads what the plan will rest on. Planning that waited for answers starts over. */
export function startPlanning(state: ThreadState, asked: Asked): Step {
  const { cause, key, now, thread, actor, wish, askedIn, label, revises, followsUp } = asked;
  const planning: Planning = {
    id: derivedId(`planning ${cause}`, now),
    step: 0,
    thread,
    actor,
    wish,
    ...(askedIn === undefined ? {} : { askedIn }),
    ...(label === undefined ? {} : { label }),
    ...(revises === undefined ? {} : { revises }),
    ...(followsUp === undefined ? {} : { followsUp }),
    phase: { kind: 'waiting' },
    rounds: 0,
    startedAt: new Date(now).toISOString(),
  };
  state.planning = planning;
  const step = createStep(key, planning, now);
  const context = { state, planning, step };
  if (label !== undefined)
    emitEffect(step, { kind: 'react', thread, add: 'eyes' }, { lane: writeLane(thread) });
  const { proposed } = state;
  if (revises !== undefined || proposed === undefined) look(context);
  else check(context, proposed.number);
  return step;
}

/** One plan grows from a thread at a time: the last one may be open still. */
function check({ planning, step }: PlanningContext, number: number): void {
  const thread = { ...toRepositoryRef(planning.thread), number };
  const effectId = emitEffect(step, { kind: 'look-plan', thread });
  planning.phase = { kind: 'checking', effectId };
}

export function look({ planning, step }: PlanningContext): void {
  const { thread, actor, wish } = planning;
  const effectId = emitEffect(step, {
    kind: 'look',
    thread,
    actor: { id: actor.id, login: actor.login },
    ...(wish === '' ? {} : { about: wish }),
    isForPlan: true,
  });
  planning.phase = { kind: 'looking', effectId };
}

type Labelled = Extract<Trigger, { kind: 'labeled' | 'requested' | 'opened' }>;

/** The label `plan-me`. Reading the thread also looks up the person who set the label. */
export function planByLabel(
  { state, event, now }: ThreadContext,
  { thread, actor }: Pick<Labelled, 'thread' | 'actor'>,
  label: string,
): Decision {
  if (isPlanning(state)) return ignored(state, 'a plan is being made already');
  if (actor.isBot) return ignored(state, 'automated accounts ask for no plan');
  if (state.plan !== undefined) return ignored(state, 'this is a plan');
  const asked = { cause: event.id, key: event.key, now, thread, actor, wish: '', label };
  const { effects, events } = startPlanning(state, asked);
  return { state, effects, events };
}

/** Somebody spoke below our questions: it may be the answer. */
export function onPlanningAnswer(
  { state, event, now }: ThreadContext,
  planning: Planning,
): Decision {
  const step = createStep(event.key, planning, now);
  look({ state, planning, step });
  return { state, effects: step.effects, events: step.events };
}
