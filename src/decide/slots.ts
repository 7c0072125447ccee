/** The repository gives places to its plans, and sessions of the Coder to their tasks; they hear it as an event. */
import type { Event, EventData } from '../domain/event/event.ts';
import { derivedId } from '../domain/run/ids.ts';
import { allocateSlots } from '../domain/plan/plans-at-work.ts';
import { recentSessions, sessionRefusalReason } from '../domain/plan/sessions.ts';
import type { RepositoryState } from '../domain/repository/repository-state.ts';
import { taskKey } from '../domain/task/task.ts';
import { threadKey } from '../domain/run/thread-ref.ts';
import { createStep, ignored, emitEvent, type Decision } from './run/decision.ts';

interface RepositoryContext {
  state: RepositoryState;
  event: Event;
  now: number;
}

/** What plans and their tasks ask for; undefined for all else. */
export function onSlotEvent(context: RepositoryContext, data: EventData): Decision | undefined {
  if (data.kind === 'places-wanted') return onSlotsRequested(context, data);
  return data.kind === 'session-wanted' ? onSessionRequested(context, data) : undefined;
}

function onSlotsRequested(
  { state, event, now }: RepositoryContext,
  { run: plan, wanted }: Extract<EventData, { kind: 'places-wanted' }>,
): Decision {
  const { sessions = [] } = state;
  const shared = allocateSlots(state.plansAtWork ?? {}, { ...wanted, plan }, { now, sessions });
  if (shared === undefined) return ignored(state, 'the plan has said more since');
  const step = createStep(event.key, { id: derivedId(`places ${event.id}`, now), step: 0 }, now);
  for (const { thread, plan: run, said, places, session } of shared.told) {
    const wait = session && sessionRefusalReason(sessions, session, now);
    emitEvent(
      step,
      { kind: 'places-given', run, said, places, ...(wait && { wait }) },
      { key: threadKey(thread), suffix: `to-${thread.number}` },
    );
  }
  return { state: { ...state, plansAtWork: shared.plans }, effects: [], events: step.events };
}

/** CB-16: counted is what was allowed, whatever became of it. */
function onSessionRequested(
  { state, event, now }: RepositoryContext,
  { run, task, session, ask }: Extract<EventData, { kind: 'session-wanted' }>,
): Decision {
  const { sessions = [] } = state;
  const asked = ask === undefined ? {} : { ask: `${run}/${ask}` };
  const isCounted = 'ask' in asked && sessions.some((each) => each.ask === asked.ask);
  const wait = isCounted ? undefined : sessionRefusalReason(sessions, session, now);
  const step = createStep(event.key, { id: derivedId(`session ${event.id}`, now), step: 0 }, now);
  const told = {
    kind: 'session-told',
    run,
    ...(wait && { wait }),
    ...(ask !== undefined && { ask }),
  } as const;
  emitEvent(step, told, { key: taskKey(task), suffix: 'told' });
  const { events } = step;
  if (wait !== undefined || isCounted) return { state, effects: [], events };
  const one = { by: session.by, ...asked, at: new Date(now).toISOString() };
  const kept = [...recentSessions(sessions, now), one];
  return { state: { ...state, sessions: kept }, effects: [], events };
}
