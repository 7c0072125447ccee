/** What GraphQL tells of a repository beside its threads: its commits, its files, who works on it. */
import { findLabel } from '../threads.ts';
import { toRepository } from '../render/repositories.ts';
import type { Account, Label, Repository } from '../world/world-model.ts';
import { canSee, covers, holds } from '../world/permissions.ts';
import { account, fullName, nodeId, roleOf } from '../world/world.ts';
import { mergeWays, toBranch, toRulesets } from './merging.ts';
import { toCheckSuites } from './check-runs.ts';
import { createShelf, toGitObject, type PullsOf } from './git-objects.ts';
import {
  connection,
  forbidden,
  toActorNode,
  type Paging,
  type Place,
  type ResolverContext,
} from './answer-parts.ts';
import { toOwner } from './to-owner.ts';

export function toRepositoryFields(
  context: ResolverContext,
  repository: Repository,
  pullsOf?: PullsOf,
): object {
  const checksOf = (sha: string) => toCheckSuites({ ...context, repository }, sha);
  const shelf = createShelf(repository, { pullsOf, checksOf });
  const read = (name: string): Promise<object | null> => {
    refuseUnlessReader(context, repository);
    return toGitObject(shelf, name);
  };
  const branchOf = async (name: string): Promise<object | null> => {
    refuseUnlessReader(context, repository);
    const branch = await toBranch({ ...context, repository }, name);
    return branch && { ...branch, target: await toGitObject(shelf, branch.target.oid) };
  };
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: fullName(context.world, repository),
    owner: () => toOwner(context, account(context.world, repository.ownerId)),
    ...plainFields(context, repository),
    isPrivate: repository.private,
    isArchived: repository.archived,
    ...mergeWays(repository),
    // A branch without a commit does not exist.
    defaultBranchRef: () => branchOf(repository.defaultBranch),
    ref: ({ qualifiedName }: { qualifiedName: string }) =>
      branchOf(qualifiedName.replace(/^refs\/heads\//, '')),
    rulesets: (paging: Paging) => connection(toRulesets(repository), paging),
    object: ({ expression, oid }: { expression?: string; oid?: string }) =>
      read(expression ?? oid ?? ''),
    label: ({ name }: { name: string }) => {
      const label = findLabel(repository, name);
      return label === undefined ? null : toLabelNode(label);
    },
    labels: (asked: LabelsAsk) => listLabels(repository, asked),
    assignableUsers: (paging: Paging) => connection(assignable(context, repository), paging),
    milestones: (paging: Paging) => connection(milestonesOf(repository), paging),
    // The emulator has no projects.
    projects: (paging: Paging) => connection([], paging),
    projectsV2: (paging: Paging) => connection([], paging),
    collaborators: (asked: Paging & { login?: string }) =>
      toCollaborators(context, repository, asked),
  };
}

/** With as much of their issues as a list shows. */
function milestonesOf({ milestones = [], threads }: Repository): object[] {
  return milestones.map(({ title, issues }) => ({
    title,
    issues: (paging: Paging) =>
      connection(
        issues.flatMap((number) => {
          const thread = threads.get(number);
          if (thread === undefined) return [];
          return [{ number, title: thread.title, state: thread.state.toUpperCase() }];
        }),
        paging,
      ),
  }));
}

/** What REST says of it as well. */
function plainFields(context: ResolverContext, repository: Repository): object {
  const { world, actor } = context;
  const user = actor.kind === 'user' ? actor.user : undefined;
  const role = user === undefined ? 'none' : roleOf(world, repository, user.id);
  const parent = world.state.repositories.get(repository.forkOf ?? 0);
  const wire = toRepository(world, repository);
  return {
    description: repository.description,
    url: wire['html_url'],
    sshUrl: wire['ssh_url'],
    homepageUrl: null,
    visibility: repository.private ? 'PRIVATE' : 'PUBLIC',
    createdAt: repository.createdAt,
    updatedAt: repository.updatedAt,
    pushedAt: repository.pushedAt,
    isFork: repository.forkOf !== undefined,
    isInOrganization: account(world, repository.ownerId).type === 'Organization',
    isTemplate: false,
    isDisabled: false,
    isBlankIssuesEnabled: true,
    forkCount: 0,
    stargazerCount: 0,
    hasIssuesEnabled: wire['has_issues'],
    hasProjectsEnabled: wire['has_projects'],
    hasWikiEnabled: wire['has_wiki'],
    hasDiscussionsEnabled: wire['has_discussions'],
    autoMergeAllowed: false,
    deleteBranchOnMerge: false,
    viewerPermission: role === 'none' ? null : role.toUpperCase(),
    viewerCanAdminister: role === 'admin',
    issueTemplates: [],
    pullRequestTemplates: [],
    parent:
      parent === undefined || !canSee(world, actor, parent)
        ? null
        : () => toRepositoryFields(context, parent),
  };
}

export function toLabelNode(label: Label): object {
  const { id, name, color, description, isDefault } = label;
  return { __typename: 'Label', id: nodeId('LA', id), name, color, description, isDefault };
}

interface LabelsAsk extends Paging {
  query?: string | null;
  orderBy?: { field: string; direction: 'ASC' | 'DESC' } | null;
}

function listLabels({ labels }: Repository, { query, orderBy, ...paging }: LabelsAsk): object {
  const words = (query ?? '').toLowerCase();
  const found = labels.filter(({ name, description }) =>
    `${name} ${description ?? ''}`.toLowerCase().includes(words),
  );
  const byName = found.toSorted((a, b) => a.name.localeCompare(b.name));
  const sorted = orderBy?.field === 'NAME' ? byName : found;
  const inOrder = orderBy?.direction === 'DESC' ? sorted.toReversed() : sorted;
  return connection(inOrder.map(toLabelNode), paging);
}

/** Everybody with a role of their own. */
function assignable({ world }: ResolverContext, repository: Repository): object[] {
  const owner = account(world, repository.ownerId);
  const ids = new Set([owner.id, ...owner.members.keys(), ...repository.collaborators.keys()]);
  return [...ids]
    .map((id) => account(world, id))
    .filter(({ type }) => type === 'User')
    .map(toActorNode);
}

function refuseUnlessReader({ actor }: ResolverContext, repository: Repository): void {
  if (actor.kind !== 'installation' || !repository.private) return;
  const need = { permissions: ['contents'], level: 'read' } as const;
  if (!covers(actor, repository) || !holds(actor, need)) throw forbidden();
}

/** Those who were let in by name or by the organisation; that everybody may read a public repository makes no collaborator. */
function toCollaborators(
  { world, actor }: ResolverContext,
  repository: Repository,
  { login, ...paging }: Paging & { login?: string },
): object {
  if (actor.kind === 'installation' && !covers(actor, repository)) throw forbidden();
  const owner = account(world, repository.ownerId);
  const ids = new Set([owner.id, ...owner.members.keys(), ...repository.collaborators.keys()]);
  const people = [...ids]
    .map((id) => account(world, id))
    .filter((one) => one.type === 'User' && (login === undefined || isNamed(one, login)));
  return connection(people.map(toActorNode), paging, ({ databaseId }) => ({
    permission: roleOf(world, repository, databaseId).toUpperCase(),
  }));
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
