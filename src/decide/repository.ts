/** A repository: what holds for all its threads, and the count behind the value meter. */
import type { RunSummary } from '../domain/council.ts';
import type { Event } from '../domain/event.ts';
import type { RepositoryState } from '../domain/repository.ts';
import type { Trigger } from '../domain/trigger.ts';
import { readState, type Decision, type Moment } from './decision.ts';
import { takeWork } from './places.ts';
import { takeRest } from './rest.ts';

const KEPT = 50;
/** Findings are named by ten characters: some kilobytes, and years of on-demand runs. */
const MAX_WATCHED = 2_000;
const EMPTY: RepositoryState = {
  v: 1,
  isGone: false,
  runs: 0,
  unchangedRuns: 0,
  changedRuns: 0,
  costUsd: 0,
  last: [],
};

export function decideRepository(before: unknown, event: Event, { now }: Moment): Decision {
  const state = readState<RepositoryState>(before, EMPTY);
  const { data } = event;
  if (data.kind === 'run-ended')
    return { state: count(state, data.summary), effects: [], events: [] };
  if (data.kind === 'paused') {
    const { paused: _, ...rest } = state;
    const { pause } = data;
    return {
      state: pause === undefined ? rest : { ...rest, paused: pause },
      effects: [],
      events: [],
    };
  }
  if (data.kind === 'souls-seen')
    return { state: { ...state, souls: data.souls }, effects: [], events: [] };
  if (data.kind === 'watched') {
    const watched = [...new Set([...data.names, ...(state.watched ?? [])])].slice(0, MAX_WATCHED);
    return { state: { ...state, watched }, effects: [], events: [] };
  }
  const work = takeWork({ state, event, now }, data);
  if (work !== undefined) return work;
  if (data.kind !== 'trigger' || data.trigger.kind !== 'repository')
    return takeRest({ state, event, now }, data);
  return { state: move(state, data.trigger), effects: [], events: [] };
}

/**
 * GitHub tells of a transfer only where it leads to, if the App is installed there:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#repository
 */
function move(
  state: RepositoryState,
  { action, repository }: Extract<Trigger, { kind: 'repository' }>,
): RepositoryState {
  if (action === 'deleted') return { ...state, isGone: true };
  if (action !== 'renamed' && action !== 'transferred') return state;
  const { installationId, owner, repo } = repository;
  return { ...state, isGone: false, at: { installationId, owner, repo } };
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
