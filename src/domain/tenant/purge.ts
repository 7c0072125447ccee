/** When the data of a deleted place is erased: after a grace period in which it may be restored. */
import { toInstallationState, type InstallationState } from './installation-state.ts';
import { toRepositoryState } from '../repository/repository-state.ts';

/** A place in which nothing may be done any more. */
export type ClosedPlace = {
  /** Its stream. */
  key: string;
  /** ISO 8601; absent where an older version did not write it down. */
  closedAt: string | undefined;
} & (
  | { kind: 'installation'; installationId: number }
  | { kind: 'repository'; repositoryId: number; removedFrom?: number }
);

/** What an installation's state says is gone. A suspended installation may return at any time. */
export function closedInInstallation(
  key: string,
  installationId: number,
  value: unknown,
): ClosedPlace[] {
  const state = toInstallationState(value);
  if (state === undefined) return [];
  if (state.isRemoved)
    return [{ kind: 'installation', key, installationId, closedAt: state.removedAt }];
  return state.removedRepositories.map((repositoryId) => ({
    kind: 'repository',
    key,
    repositoryId,
    removedFrom: installationId,
    closedAt: removedAt(state, repositoryId),
  }));
}

function removedAt(state: InstallationState, repositoryId: number): string | undefined {
  return state.repositoriesRemovedAt?.[repositoryId];
}

/** A repository that was deleted on GitHub. */
export function closedRepository(key: string, repositoryId: number, value: unknown): ClosedPlace[] {
  const state = toRepositoryState(value);
  return state?.isGone === true
    ? [{ kind: 'repository', key, repositoryId, closedAt: state.goneAt }]
    : [];
}

/** Whether its grace period is over. */
export function isPastGrace(
  closedAt: string | undefined,
  { now, graceMs }: { now: number; graceMs: number },
): boolean {
  return now - Date.parse(closedAt ?? '1970-01-01') >= graceMs;
}
