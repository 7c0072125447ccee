/** Finds issues and pull requests by the words and qualifiers that GitHub's search knows. */
import { canSee } from './world/permissions.ts';
import type { Repository, Thread } from './world/world-model.ts';
import type { Actor } from './world/tokens.ts';
import { account, findAccount, findRepository, type World } from './world/world.ts';
import { findLabel } from './threads.ts';

export interface Hit {
  repository: Repository;
  thread: Thread;
}

type Qualifier = (value: string, hit: Hit, world: World) => boolean;

const QUALIFIERS: Record<string, Qualifier> = {
  repo: (value, hit, world) => findRepository(world, value) === hit.repository,
  org: (value, hit, world) => sameLogin(world, hit.repository.ownerId, value),
  user: (value, hit, world) => sameLogin(world, hit.repository.ownerId, value),
  author: (value, hit, world) => sameLogin(world, hit.thread.userId, value),
  label: (value, hit) => {
    const label = findLabel(hit.repository, value);
    return label !== undefined && hit.thread.labelIds.includes(label.id);
  },
  state: (value, hit) => hit.thread.state === value,
  type: (value, hit) => isKind(value, hit),
  is: (value, hit) => isKind(value, hit),
  assignee: (value, { thread }, world) =>
    thread.assigneeIds.includes(findAccount(world, value)?.id ?? 0),
  base: (value, { thread }) => thread.pull?.baseRef === value,
  head: (value, { thread }) => thread.pull?.headRef === value,
  draft: (value, { thread }) => String(thread.pull?.draft ?? false) === value,
  in: () => true,
  sort: () => true,
};

function sameLogin(world: World, id: number, login: string): boolean {
  return account(world, id).login.toLowerCase() === login.toLowerCase();
}

function isKind(value: string, { thread }: Hit): boolean {
  if (value === 'pr') return thread.pull !== undefined;
  if (value === 'issue') return thread.pull === undefined;
  return value === 'merged' ? (thread.pull?.merged ?? false) : thread.state === value;
}

/** What the caller may see of what fits, newest first. */
export function findThreads(world: World, actor: Actor, text: string): Hit[] {
  const terms = [...text.matchAll(/(?:(-?)(\w+):)?(?:"([^"]*)"|(\S+))/g)];
  return [...world.state.repositories.values()]
    .filter((repository) => canSee(world, actor, repository))
    .flatMap((repository) =>
      [...repository.threads.values()].map((thread) => ({ repository, thread })),
    )
    .filter((hit) => terms.every((term) => matchesTerm(world, term, hit)))
    .toReversed();
}

function matchesTerm(world: World, term: RegExpExecArray, hit: Hit): boolean {
  const [, minus, name, quoted, plain] = term;
  const value = quoted ?? plain ?? '';
  const qualifier = name === undefined ? undefined : QUALIFIERS[name];
  if (qualifier !== undefined) return qualifier(value, hit, world) === (minus !== '-');
  return `${hit.thread.title}\n${hit.thread.body ?? ''}`
    .toLowerCase()
    .includes(value.toLowerCase());
}
