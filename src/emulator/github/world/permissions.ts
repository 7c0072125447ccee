/** What a caller may do: App permissions per route, user roles, and what is invisible altogether. */
import { hasPermission, type Permission } from '../../../domain/run/thread-ref.ts';
import { forbiddenForApp, HttpError, notFound } from '../behave/http-error.ts';
import type { AccessLevel, Repository } from './world-model.ts';
import { levelRank, type Actor } from './tokens.ts';
import { installationCovers, roleOf, type World } from './world.ts';

/** What a route asks of its caller. */
export type Need =
  | { kind: 'anyone' }
  | { kind: 'app' }
  | { kind: 'installation' }
  | { kind: 'user' }
  | {
      kind: 'repository';
      /** App permissions of which one suffices. */
      permissions: readonly string[];
      level: AccessLevel;
      /** The role that a person needs. */
      role: Permission;
      /** In a public repository too. */
      isAlways?: true;
    };

export const ANYONE: Need = { kind: 'anyone' };
export const APP: Need = { kind: 'app' };

export function reads(...permissions: string[]): Need {
  return { kind: 'repository', permissions, level: 'read', role: 'read' };
}

/** What is no public resource even in a public repository. */
export function alwaysReads(...permissions: string[]): Need {
  return { kind: 'repository', permissions, level: 'read', role: 'read', isAlways: true };
}

export function writes(role: Permission, ...permissions: string[]): Need {
  return { kind: 'repository', permissions, level: 'write', role };
}

/** @throws HttpError 401, 403 or 404 exactly where GitHub refuses. */
export function authorize(
  world: World,
  actor: Actor,
  at: { need: Need; repository?: Repository },
): void {
  const { need, repository } = at;
  switch (need.kind) {
    case 'anyone':
      return;
    case 'app':
      if (actor.kind !== 'app') throw new HttpError(401, 'A JSON web token could not be decoded');
      return;
    case 'installation':
      if (actor.kind !== 'installation') throw forbiddenForApp();
      return;
    case 'user':
      authorizeUser(actor);
      return;
    case 'repository':
      if (repository === undefined) throw notFound();
      authorizeRepository(world, actor, { need, repository });
  }
}

function authorizeUser(actor: Actor): void {
  if (actor.kind === 'anonymous') throw new HttpError(401, 'Requires authentication');
  if (actor.kind !== 'user') throw forbiddenForApp();
}

interface RepositoryAccess {
  need: Extract<Need, { kind: 'repository' }>;
  repository: Repository;
}

function authorizeRepository(world: World, actor: Actor, access: RepositoryAccess): void {
  const { need, repository } = access;
  if (!canSee(world, actor, repository)) throw notFound();
  switch (actor.kind) {
    case 'anonymous':
      if (need.level !== 'read' || need.isAlways === true)
        throw new HttpError(401, 'Requires authentication');
      break;
    case 'app':
      throw forbiddenForApp();
    case 'installation':
      authorizeInstallation(actor, access);
      break;
    case 'user':
      authorizeRole(roleOf(world, repository, actor.user.id), need.role);
  }
  if (repository.archived && need.level !== 'read')
    throw new HttpError(403, 'Repository was archived so is read-only.');
}

/** A public resource is readable with any token, as on GitHub. */
function authorizeInstallation(
  actor: Extract<Actor, { kind: 'installation' }>,
  { need, repository }: RepositoryAccess,
): void {
  if (need.level === 'read' && need.isAlways !== true && !repository.private) return;
  if (!covers(actor, repository) || !holds(actor, need)) throw forbiddenForApp();
}

function authorizeRole(held: Permission, needed: Permission): void {
  if (hasPermission(held, needed)) return;
  throw needed === 'admin'
    ? new HttpError(403, 'Must have admin rights to Repository.')
    : new HttpError(403, 'Must have push access to repository');
}

/** Whether an installation's token was granted one of the permissions at the level. */
export function holds(
  actor: Extract<Actor, { kind: 'installation' }>,
  need: { permissions: readonly string[]; level: AccessLevel },
): boolean {
  const held: Record<string, string | undefined> = { metadata: 'read', ...actor.permissions };
  return need.permissions.some((name) => levelRank(held[name] ?? '') >= levelRank(need.level));
}

export function covers(
  actor: Extract<Actor, { kind: 'installation' }>,
  repository: Repository,
): boolean {
  if (!installationCovers(actor.installation, repository)) return false;
  return actor.repositoryIds?.has(repository.id) ?? true;
}

/** Whether the caller may know that the repository exists. */
export function canSee(world: World, actor: Actor, repository: Repository): boolean {
  if (!repository.private) return true;
  switch (actor.kind) {
    case 'anonymous':
    case 'app':
      return false;
    case 'installation':
      return covers(actor, repository);
    case 'user':
      return roleOf(world, repository, actor.user.id) !== 'none';
  }
}
