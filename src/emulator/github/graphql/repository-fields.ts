/** What GraphQL tells of a repository beside its threads: its commits, its files, who works on it. */
import type { Account, Repository } from '../world/world-model.ts';
import { canSee, covers, holds } from '../world/permissions.ts';
import { account, fullName, nodeId, roleOf } from '../world/world.ts';
import { mergeWays, toBranch } from './merging.ts';
import { createShelf, toGitObject, type PullsOf } from './git-objects.ts';
import { edges, toActor, type Paging, type Place, type Scene } from './answer-parts.ts';
import { toOwner } from './to-owner.ts';

/** What GraphQL says to an App that was not granted what it asks for. */
export function forbidden(): Error {
  return new Error('Resource not accessible by integration');
}

export function toRepositoryFields(
  scene: Scene,
  repository: Repository,
  pullsOf?: PullsOf,
): object {
  const shelf = createShelf(repository, pullsOf);
  const read = (name: string): Promise<object | null> => {
    refuseUnlessReader(scene, repository);
    return toGitObject(shelf, name);
  };
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(scene.world, repository),
    owner: () => toOwner(scene, account(scene.world, repository.ownerId)),
    isPrivate: repository.private,
    isArchived: repository.archived,
    ...mergeWays(repository),
    defaultBranchRef: async () => {
      const target = await read(`refs/heads/${repository.defaultBranch}`);
      // A branch without a commit is none.
      if (target === null) return null;
      return { id: nodeId('REF', repository.id), name: repository.defaultBranch, target };
    },
    ref: ({ qualifiedName }: { qualifiedName: string }) => {
      refuseUnlessReader(scene, repository);
      return toBranch({ ...scene, repository }, qualifiedName.replace(/^refs\/heads\//, ''));
    },
    object: ({ expression, oid }: { expression?: string; oid?: string }) =>
      read(expression ?? oid ?? ''),
    collaborators: (asked: Paging & { login?: string }) =>
      toCollaborators(scene, repository, asked),
  };
}

function refuseUnlessReader({ actor }: Scene, repository: Repository): void {
  if (actor.kind !== 'installation' || !repository.private) return;
  const need = { permissions: ['contents'], level: 'read' } as const;
  if (!covers(actor, repository) || !holds(actor, need)) throw forbidden();
}

/** Those who were let in by name or by the organisation; that everybody may read a public repository makes no collaborator. */
function toCollaborators(
  { world, actor }: Scene,
  repository: Repository,
  { login, ...paging }: Paging & { login?: string },
): object {
  if (actor.kind === 'installation' && !covers(actor, repository)) throw forbidden();
  const owner = account(world, repository.ownerId);
  const ids = new Set([owner.id, ...owner.members.keys(), ...repository.collaborators.keys()]);
  const people = [...ids]
    .map((id) => account(world, id))
    .filter((one) => one.type === 'User' && (login === undefined || isNamed(one, login)));
  return edges(
    people.map((one) => ({
      node: toActor(one),
      permission: roleOf(world, repository, one.id).toUpperCase(),
    })),
    paging,
  );
}

function isNamed(one: Account, login: string): boolean {
  return one.login.toLowerCase() === login.toLowerCase();
}

/** Null when the fork is gone, or nobody may know of it. */
export function toHeadRepository(place: Place): object | null {
  const id = place.thread.pull?.headRepositoryId;
  const head = id === undefined ? undefined : place.world.state.repositories.get(id);
  if (head === undefined || !canSee(place.world, place.actor, head)) return null;
  return toRepositoryFields(place, head);
}
