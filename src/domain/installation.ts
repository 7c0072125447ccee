/** Whether we may work in an installation's repositories at all. */

export interface InstallationState {
  v: number;
  isSuspended: boolean;
  isRemoved: boolean;
  /** Numeric ids of repositories that were taken out. */
  removedRepositories: number[];
}

/** Why nothing may be done in a repository of this installation, or undefined. */
export function whyClosed(state: unknown, repositoryId: number): string | undefined {
  if (!isInstallationState(state)) return undefined;
  if (state.isRemoved) return 'the App was uninstalled';
  if (state.isSuspended) return 'the installation is suspended';
  if (state.removedRepositories.includes(repositoryId))
    return 'the repository was taken out of the installation';
  return undefined;
}

function isInstallationState(value: unknown): value is InstallationState {
  return typeof value === 'object' && value !== null && 'isRemoved' in value;
}
