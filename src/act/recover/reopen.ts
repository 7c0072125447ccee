/** A repository that an installation lists, while the store says that nothing may be done in it. */
import { EVENT_VERSION, type NewEvent } from '../../domain/event/event.ts';
import {
  toInstallationState,
  type InstallationState,
} from '../../domain/tenant/installation-state.ts';
import { toRepositoryState } from '../../domain/repository/repository-state.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';

/**
 * Tells the streams that the repository is there: it was restored or transferred back, or a webhook was lost. Returns
 * whether that was new. Until these events are reduced, effects there are refused.
 *
 * @param listedAt - a time before it was listed, ISO 8601. A repository that was deleted after that stays closed.
 */
export async function reopen(
  ref: RepositoryRef,
  listedAt: string,
  { store }: Pick<ActPorts, 'store'>,
): Promise<boolean> {
  const stored = await store.load(`installation:${ref.installationId}`);
  const installation = toInstallationState(stored?.state);
  const events = [
    ...((await isElsewhere(ref, store)) ? [toPresent(ref, listedAt)] : []),
    ...(isTakenOut(ref, installation) ? [toInstallation('added', ref, listedAt)] : []),
    ...(installation?.isSuspended === true ? [toInstallation('unsuspended', ref, listedAt)] : []),
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

function isTakenOut(
  { repositoryId }: RepositoryRef,
  state: InstallationState | undefined,
): boolean {
  return state?.isRemoved === true || state?.removedRepositories.includes(repositoryId) === true;
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

function toInstallation(
  action: 'added' | 'unsuspended',
  repository: RepositoryRef,
  at: string,
): NewEvent {
  const { installationId, repositoryId } = repository;
  const repositories = [repository];
  return {
    id: `${action}:${installationId}/${repositoryId}:${at}`,
    key: `installation:${installationId}`,
    version: EVENT_VERSION,
    at,
    data: {
      kind: 'trigger',
      trigger: { kind: 'installation', action, installationId, repositories },
    },
  };
}
