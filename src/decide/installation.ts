/** An installation: whether we may work there at all. Every effect asks this before it acts. */
import type { Effect } from '../domain/event/effect.ts';
import { EVENT_VERSION, type Event, type NewEvent } from '../domain/event/event.ts';
import type { InstallationState } from '../domain/tenant/installation-state.ts';
import { derivedId } from '../domain/run/ids.ts';
import type { RepositoryRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import {
  createStep,
  readState,
  emitEffect,
  type Decision,
  type DecisionContext,
} from './run/decision.ts';

const EMPTY: InstallationState = {
  v: 1,
  isSuspended: false,
  isRemoved: false,
  removedRepositories: [],
};

export function decideInstallation(
  before: unknown,
  event: Event,
  { now }: DecisionContext,
): Decision {
  const state = readState<InstallationState>(before, EMPTY);
  const { data } = event;
  if (data.kind === 'done' && data.effectKind === 'suite-preferences')
    return advanceRun(state, { event, left: data.result.left, now });
  if (data.kind !== 'trigger' || data.trigger.kind !== 'installation')
    return { state, effects: [], events: [], ignored: 'not about an installation' };
  const { action, repositories, account, installationId } = data.trigger;
  if (account !== undefined) return { state: { ...state, account }, effects: [], events: [] };
  place(state, data.trigger, event.at);
  const effects =
    action === 'added' ? wantPreferences(event, { installationId, repositories, now }) : [];
  const reported = action === 'added' ? repositories : [];
  return { state, effects, events: reported.map((each) => toPresent(event, each)) };
}

/** A repository that was deleted or elsewhere is there again. */
function toPresent(event: Event, repository: RepositoryRef): NewEvent {
  return {
    id: `${event.id}/repository-${repository.repositoryId}`,
    key: `repository:${repository.repositoryId}`,
    version: EVENT_VERSION,
    at: event.at,
    data: { kind: 'trigger', trigger: { kind: 'repository', action: 'present', repository } },
  };
}

function place(
  state: InstallationState,
  { action, repositories }: Extract<Trigger, { kind: 'installation' }>,
  at: string,
): void {
  const ids = repositories.map((each) => each.repositoryId);
  if (action === 'suspended' || action === 'unsuspended')
    state.isSuspended = action === 'suspended';
  else if (ids.length === 0) setRemoved(state, action === 'removed' ? at : undefined);
  else {
    if (action === 'added') setRemoved(state, undefined);
    setRemovedRepositories(state, ids, action === 'removed' ? at : undefined);
  }
}

/** `at`: absent when it is there again. What is kept of it is erased some time later, see `domain/tenant/purge.ts`. */
function setRemoved(state: InstallationState, at: string | undefined): void {
  state.isRemoved = at !== undefined;
  if (at === undefined) delete state.removedAt;
  else state.removedAt ??= at;
}

function setRemovedRepositories(
  state: InstallationState,
  ids: readonly number[],
  at: string | undefined,
): void {
  const times = { ...state.repositoriesRemovedAt };
  const others = state.removedRepositories.filter((id) => !ids.includes(id));
  state.removedRepositories = at === undefined ? others : [...others, ...ids];
  for (const id of ids)
    if (at === undefined) delete times[id];
    else times[id] ??= at;
  if (Object.keys(times).length === 0) delete state.repositoriesRemovedAt;
  else state.repositoriesRemovedAt = times;
}

/** One effect sets only so many repositories. */
function advanceRun(
  state: InstallationState,
  { event, left, now }: { event: Event; left: RepositoryRef[]; now: number },
): Decision {
  const [first] = left;
  if (first === undefined) return { state, effects: [], events: [] };
  const { installationId } = first;
  const effects = wantPreferences(event, { installationId, repositories: left, now });
  return { state, effects, events: [] };
}

interface Preferences {
  installationId: number;
  repositories: RepositoryRef[];
  now: number;
}

/** What an owner allows, or a person adds, is set once. A later look would undo what a person has set since. */
function wantPreferences(
  event: Event,
  { installationId, repositories, now }: Preferences,
): Effect[] {
  const run = { id: `installation:${derivedId(event.id, now)}`, step: 0 };
  const step = createStep(event.key, run, now);
  const order = { lane: `suite-preferences:${installationId}` };
  emitEffect(step, { kind: 'suite-preferences', installationId, repositories }, order);
  return step.effects;
}
