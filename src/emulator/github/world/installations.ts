/** Changes to where an App is installed, with the webhooks that GitHub sends for each. */
import type { App, AppPermissions, Installation, Repository } from './world-model.ts';
import { account, fullName, nextId, nodeId, nowIso, type World } from './world.ts';

export interface InstallRequest {
  app: App;
  accountId: number;
  /** `undefined` means all repositories, later ones included. */
  repositories: readonly Repository[] | undefined;
}

function brief(world: World, repositories: readonly Repository[]): Record<string, unknown>[] {
  return repositories.map((one) => ({
    id: one.id,
    node_id: nodeId('R', one.id),
    name: one.name,
    full_name: fullName(world, one),
    private: one.private,
  }));
}

function repositoriesOf(world: World, installation: Installation): Repository[] {
  return [...world.state.repositories.values()].filter(
    (one) =>
      one.ownerId === installation.accountId && (installation.repositoryIds?.has(one.id) ?? true),
  );
}

function emitInstallation(
  world: World,
  installation: Installation,
  of: { action: string; event?: string; payload?: Record<string, unknown> },
): void {
  world.emit({
    event: of.event ?? 'installation',
    action: of.action,
    installation,
    sender: account(world, installation.accountId),
    payload: of.payload ?? {},
  });
}

export function install(world: World, request: InstallRequest): Installation {
  const at = nowIso(world);
  const installation: Installation = {
    id: nextId(world),
    appId: request.app.id,
    accountId: request.accountId,
    repositoryIds:
      request.repositories === undefined
        ? undefined
        : new Set(request.repositories.map((one) => one.id)),
    permissions: { ...request.app.permissions },
    events: [...request.app.events],
    createdAt: at,
    updatedAt: at,
    suspendedAt: undefined,
  };
  world.state.installations.set(installation.id, installation);
  emitInstallation(world, installation, {
    action: 'created',
    payload: { repositories: brief(world, repositoriesOf(world, installation)), requester: null },
  });
  return installation;
}

export function removeInstallation(world: World, installation: Installation): void {
  emitInstallation(world, installation, {
    action: 'deleted',
    payload: { repositories: brief(world, repositoriesOf(world, installation)) },
  });
  world.state.installations.delete(installation.id);
}

export function setSuspended(
  world: World,
  installation: Installation,
  to: { suspended: boolean },
): void {
  installation.suspendedAt = to.suspended ? nowIso(world) : undefined;
  installation.updatedAt = nowIso(world);
  emitInstallation(world, installation, { action: to.suspended ? 'suspend' : 'unsuspend' });
}

/** The owner accepts other permissions or events than before. */
export function changeGrant(
  world: World,
  installation: Installation,
  grant: { permissions?: AppPermissions; events?: string[] },
): void {
  installation.permissions = grant.permissions ?? installation.permissions;
  installation.events = grant.events ?? installation.events;
  installation.updatedAt = nowIso(world);
  emitInstallation(world, installation, { action: 'new_permissions_accepted' });
}

/** Adds repositories to, or removes them from, an installation on selected repositories. */
export function changeRepositories(
  world: World,
  installation: Installation,
  change: { added?: readonly Repository[]; removed?: readonly Repository[] },
): void {
  const ids =
    installation.repositoryIds ?? new Set(repositoriesOf(world, installation).map((one) => one.id));
  installation.repositoryIds = ids;
  for (const one of change.added ?? []) ids.add(one.id);
  for (const one of change.removed ?? []) ids.delete(one.id);
  const action = (change.added ?? []).length > 0 ? 'added' : 'removed';
  emitInstallation(world, installation, {
    event: 'installation_repositories',
    action,
    payload: {
      repository_selection: 'selected',
      repositories_added: brief(world, change.added ?? []),
      repositories_removed: brief(world, change.removed ?? []),
      requester: null,
    },
  });
}
