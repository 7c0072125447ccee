/** The issues or pull requests of a repository, as GraphQL filters and sorts them. */
import { findLabel } from '../../threads.ts';
import type { Repository, Thread } from '../../world/world-model.ts';
import { findAccount, type World } from '../../world/world.ts';
import type { Paging } from '../answer-parts.ts';

export interface ThreadsAsk extends Paging {
  states?: readonly string[] | null;
  labels?: readonly string[] | null;
  baseRefName?: string | null;
  headRefName?: string | null;
  orderBy?: { field: string; direction: 'ASC' | 'DESC' } | null;
  filterBy?: {
    assignee?: string | null;
    createdBy?: string | null;
    mentioned?: string | null;
    labels?: readonly string[] | null;
    states?: readonly string[] | null;
    since?: string | null;
  } | null;
}

const KEYS: Readonly<Record<string, (thread: Thread) => number>> = {
  CREATED_AT: ({ createdAt }) => Date.parse(createdAt),
  UPDATED_AT: ({ updatedAt }) => Date.parse(updatedAt),
  COMMENTS: ({ comments }) => comments.length,
};

export function toThreadState({ state, pull }: Thread): string {
  return pull?.merged === true ? 'MERGED' : state.toUpperCase();
}

/** Oldest first, unless `orderBy` says otherwise, as on GitHub. */
export function listThreads(
  { world, repository }: { world: World; repository: Repository },
  kind: 'issues' | 'pulls',
  ask: ThreadsAsk,
): Thread[] {
  const key = KEYS[ask.orderBy?.field ?? 'CREATED_AT'] ?? (({ number }: Thread) => number);
  const sign = ask.orderBy?.direction === 'DESC' ? -1 : 1;
  return [...repository.threads.values()]
    .filter((thread) => (thread.pull !== undefined) === (kind === 'pulls'))
    .filter((thread) => isWanted(repository, thread, ask) && isOfPeople(world, thread, ask))
    .toSorted((a, b) => sign * (key(a) - key(b) || a.number - b.number));
}

function isWanted(repository: Repository, thread: Thread, ask: ThreadsAsk): boolean {
  const { states = ask.filterBy?.states, labels = ask.filterBy?.labels } = ask;
  const since = Date.parse(ask.filterBy?.since ?? thread.updatedAt);
  return (
    (states?.includes(toThreadState(thread)) ?? true) &&
    isOfBranches(thread, ask) &&
    Date.parse(thread.updatedAt) >= since &&
    hasOneOf(repository, thread, labels)
  );
}

function isOfBranches({ pull }: Thread, { baseRefName, headRefName }: ThreadsAsk): boolean {
  const [base, head] = [baseRefName ?? pull?.baseRef, headRefName ?? pull?.headRef];
  return base === pull?.baseRef && head === pull?.headRef;
}

function hasOneOf(
  repository: Repository,
  { labelIds }: Thread,
  names: readonly string[] | null | undefined,
): boolean {
  return names?.some((name) => labelIds.includes(findLabel(repository, name)?.id ?? 0)) ?? true;
}

function isOfPeople(world: World, thread: Thread, { filterBy }: ThreadsAsk): boolean {
  const { assignee, createdBy, mentioned } = filterBy ?? {};
  const text = [thread.body ?? '', ...thread.comments.map(({ body }) => body)].join('\n');
  const isMentioned = text.includes(`@${mentioned ?? ''}`);
  const isAssigned =
    assignee === '*' ? thread.assigneeIds.length > 0 : isBy(world, assignee, thread.assigneeIds);
  return isAssigned && isBy(world, createdBy, [thread.userId]) && (isMentioned || !mentioned);
}

function isBy(world: World, login: string | null | undefined, ids: readonly number[]): boolean {
  return login === null || login === undefined || ids.includes(findAccount(world, login)?.id ?? 0);
}
