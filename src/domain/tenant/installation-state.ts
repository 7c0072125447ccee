/** Whether we may work in an installation's repositories at all. */

export interface InstallationState {
  v: number;
  isSuspended: boolean;
  isRemoved: boolean;
  /** Numeric ids of repositories that were taken out. */
  removedRepositories: number[];
  /** When it was removed, ISO 8601; absent while it is there, and in what older versions wrote. */
  removedAt?: string;
  /** When each of {@link removedRepositories} was taken out, ISO 8601, by its id; absent in what older versions wrote. */
  repositoriesRemovedAt?: Record<string, string>;
  /** Login of the account that it is on, once that was renamed. */
  account?: string;
}

/** Why nothing may be done in a repository of this installation, or undefined. */
export function closedReason(state: unknown, repositoryId: number): string | undefined {
  const known = toInstallationState(state);
  if (known === undefined) return undefined;
  if (known.isRemoved) return 'the App was uninstalled';
  if (known.isSuspended) return 'the installation is suspended';
  if (known.removedRepositories.includes(repositoryId))
    return 'the repository was taken out of the installation';
  return undefined;
}

/** A stored value as this state; undefined when nothing is kept. */
export function toInstallationState(value: unknown): InstallationState | undefined {
  return isInstallationState(value) ? value : undefined;
}

function isInstallationState(value: unknown): value is InstallationState {
  return typeof value === 'object' && value !== null && 'isRemoved' in value;
}
