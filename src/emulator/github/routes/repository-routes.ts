/** Operations on repositories, accounts and collaborators, and the few about the server itself. */
import { z } from 'zod';
import { hasPermission, PERMISSIONS, type Permission } from '../../../domain/run/thread-ref.ts';
import { HttpError, notFound } from '../behave/http-error.ts';
import type { Account, Repository } from '../world/world-model.ts';
import { ANYONE, canSee, reads, writes } from '../world/permissions.ts';
import {
  toFullOrganization,
  toFullUser,
  toUser,
  toUserById,
  type Wire,
} from '../render/accounts.ts';
import { toFullRepository, toMinimalRepository } from '../render/repositories.ts';
import {
  idParam,
  renderListPage,
  NO_CONTENT,
  ok,
  param,
  parseBody,
  type Answer,
  type Call,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import { account, findAccount, nowIso, roleOf, type World } from '../world/world.ts';

/** GitHub's lossy old permission: maintain shows as write, triage as read. */
function toLegacy(role: Permission): string {
  if (role === 'maintain') return 'write';
  return role === 'triage' ? 'read' : role;
}

function toRoleFlags(role: Permission): Record<string, boolean> {
  return {
    admin: role === 'admin',
    maintain: hasPermission(role, 'maintain'),
    push: hasPermission(role, 'write'),
    triage: hasPermission(role, 'triage'),
    pull: hasPermission(role, 'read'),
  };
}

function toCollaborator(world: World, user: Account, role: Permission): Wire {
  return { ...toUser(world, user), permissions: toRoleFlags(role), role_name: role };
}

/** An App's bot user holds what its installation was granted. */
function effectiveRole(call: RepositoryCall, user: Account): Permission {
  if (user.type !== 'Bot') return roleOf(call.world, call.repository, user.id);
  return call.repository.private ? 'none' : 'read';
}

function userParam(call: Call): Account {
  const user = findAccount(call.world, param(call, 'username'));
  if (user === undefined) throw notFound();
  return user;
}

function permissionOf(call: RepositoryCall): Answer {
  const user = userParam(call);
  const role = effectiveRole(call, user);
  return ok({
    permission: toLegacy(role),
    role_name: role,
    user: toCollaborator(call.world, user, role),
  });
}

const ACCEPTED: Record<string, Permission> = { pull: 'read', push: 'write' };
const RoleChange = z.looseObject({ permission: z.string().optional() });

function addCollaborator(call: RepositoryCall): Answer {
  const asked = parseBody(call, RoleChange).permission ?? 'push';
  const role = ACCEPTED[asked] ?? PERMISSIONS.find((one) => one === asked);
  if (role === undefined) throw new HttpError(422, 'Invalid permission');
  call.repository.collaborators.set(userParam(call).id, role);
  return NO_CONTENT;
}

function fullRepository(call: RepositoryCall): Answer {
  const { actor, world, repository } = call;
  const wire = toFullRepository(world, repository);
  if (actor.kind !== 'user') return ok(wire);
  return ok({ ...wire, permissions: toRoleFlags(roleOf(world, repository, actor.user.id)) });
}

const RepositoryChange = z.looseObject({
  description: z.string().nullish(),
  default_branch: z.string().optional(),
  archived: z.boolean().optional(),
  has_issues: z.boolean().optional(),
  private: z.boolean().optional(),
});

function updateRepository(call: RepositoryCall): Answer {
  const body = parseBody(call, RepositoryChange);
  const { repository } = call;
  if (body.description !== undefined) repository.description = body.description;
  repository.defaultBranch = body.default_branch ?? repository.defaultBranch;
  repository.archived = body.archived ?? repository.archived;
  if (body.has_issues === false) repository.hasNoIssues = true;
  if (body.has_issues === true) delete repository.hasNoIssues;
  repository.private = body.private ?? repository.private;
  repository.updatedAt = nowIso(call.world);
  return ok(toFullRepository(call.world, repository));
}

function ownedBy(call: Call, owner: Account): Repository[] {
  return [...call.world.state.repositories.values()].filter(
    (one) => one.ownerId === owner.id && canSee(call.world, call.actor, one),
  );
}

function ownRepositories(call: Call): Promise<Answer> {
  const { actor, world } = call;
  if (actor.kind !== 'user') throw notFound();
  const seen = [...world.state.repositories.values()].filter(
    (one) => one.ownerId === actor.user.id || one.collaborators.has(actor.user.id),
  );
  return renderListPage(call, seen, (one) => toFullRepository(world, one));
}

function organizationParam(call: Call): Account {
  const organization = findAccount(call.world, param(call, 'org'));
  if (organization?.type !== 'Organization') throw notFound();
  return organization;
}

const REPO = '/repos/{owner}/{repo}';

export const repositoryRoutes: Route[] = [
  { method: 'GET', path: REPO, need: reads('metadata'), run: fullRepository },
  { method: 'PATCH', path: REPO, need: writes('admin', 'administration'), run: updateRepository },
  {
    method: 'GET',
    path: '/repositories/{repository_id}',
    need: ANYONE,
    run: (call) => {
      const found = call.world.state.repositories.get(idParam(call, 'repository_id'));
      if (found === undefined || !canSee(call.world, call.actor, found)) throw notFound();
      return ok(toFullRepository(call.world, found));
    },
  },
  {
    method: 'GET',
    path: `${REPO}/collaborators`,
    need: reads('metadata'),
    run: (call) =>
      renderListPage(
        call,
        [...call.world.state.accounts.values()].filter(
          (user) => user.type === 'User' && isCollaborator(call, user) && mayAsked(call, user),
        ),
        (user) => toCollaborator(call.world, user, roleOf(call.world, call.repository, user.id)),
      ),
  },
  {
    method: 'GET',
    path: `${REPO}/collaborators/{username}`,
    need: reads('metadata'),
    run: (call) => {
      if (!isCollaborator(call, userParam(call))) throw notFound();
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: `${REPO}/collaborators/{username}/permission`,
    need: reads('metadata'),
    run: permissionOf,
  },
  {
    method: 'PUT',
    path: `${REPO}/collaborators/{username}`,
    need: writes('admin', 'administration'),
    run: addCollaborator,
  },
  {
    method: 'DELETE',
    path: `${REPO}/collaborators/{username}`,
    need: writes('admin', 'administration'),
    run: (call) => {
      call.repository.collaborators.delete(userParam(call).id);
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: '/user',
    need: { kind: 'user' },
    run: (call) => {
      const { actor, world } = call;
      if (actor.kind !== 'user') throw notFound();
      return ok({
        ...toFullUser(world, actor.user),
        private_gists: 0,
        total_private_repos: 0,
        owned_private_repos: 0,
        disk_usage: 0,
        collaborators: 0,
        two_factor_authentication: true,
      });
    },
  },
  { method: 'GET', path: '/user/repos', need: { kind: 'user' }, run: ownRepositories },
  {
    method: 'GET',
    path: '/users/{username}',
    need: ANYONE,
    run: (call) => ok(toFullUser(call.world, userParam(call))),
  },
  {
    method: 'GET',
    path: '/user/{account_id}',
    need: ANYONE,
    run: (call) => {
      const id = idParam(call, 'account_id');
      if (!call.world.state.accounts.has(id)) throw notFound();
      return ok(toFullUser(call.world, account(call.world, id)));
    },
  },
  {
    method: 'GET',
    path: '/users/{username}/repos',
    need: ANYONE,
    run: (call) =>
      renderListPage(call, ownedBy(call, userParam(call)), (one) =>
        toMinimalRepository(call.world, one),
      ),
  },
  {
    method: 'GET',
    path: '/orgs/{org}',
    need: ANYONE,
    run: (call) => ok(toFullOrganization(call.world, organizationParam(call))),
  },
  {
    method: 'GET',
    path: '/orgs/{org}/repos',
    need: ANYONE,
    run: (call) =>
      renderListPage(call, ownedBy(call, organizationParam(call)), (one) =>
        toMinimalRepository(call.world, one),
      ),
  },
  {
    method: 'GET',
    path: '/orgs/{org}/members',
    need: ANYONE,
    run: (call) =>
      renderListPage(call, [...organizationParam(call).members.keys()], (id) =>
        toUserById(call.world, id),
      ),
  },
];

/** Whether somebody holds what the list is asked for; everybody where it is not said. */
function mayAsked({ query, world, repository }: RepositoryCall, user: Account): boolean {
  const asked = query.get('permission');
  return asked === null || toRoleFlags(roleOf(world, repository, user.id))[asked] === true;
}

function isCollaborator(call: RepositoryCall, user: Account): boolean {
  const { repository, world } = call;
  const isMember = account(world, repository.ownerId).members.has(user.id);
  return repository.ownerId === user.id || isMember || repository.collaborators.has(user.id);
}
