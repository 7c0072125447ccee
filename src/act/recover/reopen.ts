/** A repository that an installation lists, while the store says that nothing may be done in it. */
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import { toInstallationState } from '../../domain/tenant/installation-state.ts';
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';

/**
 * Tells the streams that it is there: it was restored or transferred back, or a webhook was lost. Returns whether that was
 * news; until it is reduced, effects there are refused.
 *
 * @param listedAt - before it was listed, ISO 8601: what was deleted after that stays closed
 */
export async function reopen(
  ref: RepositoryRef,
  listedAt: string,
  { store }: Pick<ActPorts, 'store'>,
): Promise<boolean> {
  const events = [
    ...((await isElsewhere(ref, store)) ? [toPresent(ref, listedAt)] : []),
    ...((await isTakenOut(ref, store)) ? [toAdded(ref, listedAt)] : []),
  ];
  if (events.length > 0) await store.append(events);
  return events.length > 0;
}

async function isElsewhere(ref: RepositoryRef, store: ActPorts['store']): Promise<boolean> {
  const state = toRepositoryState((await store.load(`repository:${ref.repositoryId}`))?.state);
  if (state === undefined) return false;
  const { isGone, at } = state;
  return isGone || (at !== undefined && at.installationId !== ref.installationId);
}

async function isTakenOut(ref: RepositoryRef, store: ActPorts['store']): Promise<boolean> {
  const stored = await store.load(`installation:${ref.installationId}`);
  const state = toInstallationState(stored?.state);
  return state?.removedRepositories.includes(ref.repositoryId) === true;
}

function toPresent(repository: RepositoryRef, at: string): NewEvent {
  const { installationId, repositoryId } = repository;
  return {
    id: `present:${installationId}/${repositoryId}:${at}`,
    key: `repository:${repositoryId}`,
    version: EVENT_VERSION,
    at,
    data: { kind: 'trigger', trigger: { kind: 'repository', action: 'present', repository } },
  };
}

function toAdded(repository: RepositoryRef, at: string): NewEvent {
  const { installationId, repositoryId } = repository;
  const repositories = [repository];
  return {
    id: `added:${installationId}/${repositoryId}:${at}`,
    key: `installation:${installationId}`,
    version: EVENT_VERSION,
    at,
    data: {
      kind: 'trigger',
      trigger: { kind: 'installation', action: 'added', installationId, repositories },
    },
  };
}
