/** A repository: what holds for all its threads, and the count behind the value meter. */
import type { RunSummary } from '../domain/run/state/run-summary.ts';
import { EVENT_VERSION, type Event, type EventData, type NewEvent } from '../domain/event/event.ts';
import { NEW_REPOSITORY, type RepositoryState } from '../domain/repository/repository-state.ts';
import type { RepositoryRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { ignored, readState, type Decision, type DecisionContext } from './run/decision.ts';
import { onSlotEvent } from './slots.ts';
import { onRest } from './run/idle.ts';
import { onWeekEvent, setWeekTimer, type WeekContext } from './digest/on-week.ts';

const KEPT = 50;
/** Findings are named by ten characters: some kilobytes, and years of on-demand runs. */
const MAX_WATCHED = 2_000;

export function decideRepository(
  before: unknown,
  event: Event,
  { now }: DecisionContext,
): Decision {
  const state = readState<RepositoryState>(before, NEW_REPOSITORY);
  const context = { state, event, now };
  const week = onWeekEvent(context);
  if (week !== undefined) return week;
  const timers = setWeekTimer(context);
  const decision = reduceRepository(context);
  if (timers.length === 0) return decision;
  const { ignored: _, ...rest } = decision;
  return { ...rest, events: [...decision.events, ...timers] };
}

function reduceRepository({ state, event, now }: WeekContext): Decision {
  const { data } = event;
  if (data.kind === 'run-ended')
    return { state: count(state, data.summary), effects: [], events: [] };
  if (data.kind === 'paused') return { state: setPause(state, data), effects: [], events: [] };
  if (data.kind === 'souls-seen')
    return { state: { ...state, souls: data.souls }, effects: [], events: [] };
  if (data.kind === 'watched') {
    const watched = [...new Set([...data.names, ...(state.watched ?? [])])].slice(0, MAX_WATCHED);
    const { headSha: sha } = data;
    const searched = sha === undefined ? {} : { searched: { sha, at: event.at } };
    return { state: { ...state, watched, ...searched }, effects: [], events: [] };
  }
  const work = onSlotEvent({ state, event, now }, data);
  if (work !== undefined) return work;
  if (data.kind !== 'trigger' || data.trigger.kind !== 'repository')
    return onRest({ state, event, now }, data);
  return move(state, event, data.trigger);
}

/**
 * GitHub tells of a transfer only where it leads to, if the App is installed there:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#repository
 */
function move(
  state: RepositoryState,
  event: Event,
  { action, repository }: Extract<Trigger, { kind: 'repository' }>,
): Decision {
  if (action === 'deleted')
    return { state: { ...state, isGone: true, goneAt: event.at }, effects: [], events: [] };
  if (action !== 'renamed' && action !== 'transferred' && action !== 'present')
    return { state, effects: [], events: [] };
  const { goneAt, ...rest } = state;
  if (action === 'present' && goneAt !== undefined && goneAt > event.at)
    return ignored(state, 'it was deleted since');
  const { installationId, owner, repo } = repository;
  const now = { ...rest, isGone: false, at: { installationId, owner, repo } };
  return {
    state: now,
    effects: [],
    events: action === 'transferred' ? [joined(event, repository)] : [],
  };
}

/** The installation that it came to may have lost it before. */
function joined(event: Event, repository: RepositoryRef): NewEvent {
  const { installationId } = repository;
  const repositories = [repository];
  return {
    id: `${event.id}/installation`,
    key: `installation:${installationId}`,
    version: EVENT_VERSION,
    at: event.at,
    data: {
      kind: 'trigger',
      trigger: { kind: 'installation', action: 'added', installationId, repositories },
    },
  };
}

function count(state: RepositoryState, summary: RunSummary): RepositoryState {
  const last = [summary, ...state.last.filter((each) => each.run !== summary.run)].slice(0, KEPT);
  const { meter } = summary;
  if (meter === undefined) return { ...state, last };
  return {
    ...state,
    last,
    runs: state.runs + 1,
    changedRuns: state.changedRuns + (meter.changed ? 1 : 0),
    unchangedRuns: meter.changed ? 0 : state.unchangedRuns + 1,
    costUsd: state.costUsd + meter.costUsd,
  };
}

/** CMD-11: a person ends only the pause that they were shown, not one that began since. */
function setPause(
  { paused, ...rest }: RepositoryState,
  { pause, ends }: Extract<EventData, { kind: 'paused' }>,
): RepositoryState {
  if (pause !== undefined) return { ...rest, paused: pause };
  const isAnother = paused !== undefined && ends !== undefined && paused.at !== ends;
  return isAnother ? { ...rest, paused } : rest;
}
