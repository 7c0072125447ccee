/** An installation: whether we may work there at all. Every effect asks this before it acts. */
import type { Event } from '../domain/event.ts';
import type { InstallationState } from '../domain/installation.ts';
import { readState, type Decision } from './decision.ts';

const EMPTY: InstallationState = {
  v: 1,
  isSuspended: false,
  isRemoved: false,
  removedRepositories: [],
};

export function decideInstallation(before: unknown, event: Event): Decision {
  const state = readState<InstallationState>(before, EMPTY);
  const { data } = event;
  if (data.kind !== 'trigger' || data.trigger.kind !== 'installation')
    return { state, effects: [], events: [], ignored: 'not about an installation' };
  const { action, repositories, account } = data.trigger;
  if (account !== undefined) return { state: { ...state, account }, effects: [], events: [] };
  const ids = repositories.map((each) => each.repositoryId);
  if (action === 'suspended' || action === 'unsuspended')
    state.isSuspended = action === 'suspended';
  else if (ids.length === 0) state.isRemoved = action === 'removed';
  else {
    const others = state.removedRepositories.filter((id) => !ids.includes(id));
    state.removedRepositories = action === 'removed' ? [...others, ...ids] : others;
    if (action === 'added') state.isRemoved = false;
  }
  return { state, effects: [], events: [] };
}
