/** Filters and sorts issues and pull requests by the query of a list operation. */
import * as threads from '../threads.ts';
import { invalid } from '../behave/http-error.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import type { RepositoryCall } from '../router.ts';
import { account, findAccount } from '../world/world.ts';

/** Filters and sorts as `/issues` and `/pulls` ask for it. */
export function selectThreads(call: RepositoryCall, candidates: Iterable<Thread>): Thread[] {
  const { query } = call;
  const state = query.get('state') ?? 'open';
  if (!['open', 'closed', 'all'].includes(state))
    throw invalid({ resource: 'Issue', code: 'invalid', field: 'state', value: state });
  const labels = (query.get('labels') ?? '').split(',').filter((name) => name !== '');
  const since = query.get('since');
  const chosen = [...candidates].filter(
    (thread) =>
      (state === 'all' || thread.state === state) &&
      labels.every((name) => hasLabel(call.repository, thread, name)) &&
      (since === null || Date.parse(thread.updatedAt) >= Date.parse(since)) &&
      matchesPeople(call, thread),
  );
  return sorted(call, chosen);
}

function hasLabel(repository: Repository, thread: Thread, name: string): boolean {
  const label = threads.findLabel(repository, name.trim());
  return label !== undefined && thread.labelIds.includes(label.id);
}

function matchesPeople(call: RepositoryCall, thread: Thread): boolean {
  const creator = call.query.get('creator');
  const assignee = call.query.get('assignee');
  if (creator !== null && account(call.world, thread.userId).login !== creator) return false;
  if (assignee === null || assignee === '*')
    return assignee === null || thread.assigneeIds.length > 0;
  if (assignee === 'none') return thread.assigneeIds.length === 0;
  return thread.assigneeIds.includes(findAccount(call.world, assignee)?.id ?? 0);
}

function sorted(call: RepositoryCall, list: Thread[]): Thread[] {
  const keys: Record<string, (thread: Thread) => number> = {
    created: (thread) => Date.parse(thread.createdAt),
    updated: (thread) => Date.parse(thread.updatedAt),
    comments: (thread) => thread.comments.length,
  };
  const key = keys[call.query.get('sort') ?? 'created'] ?? keys['created'];
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  return list.toSorted((a, b) => sign * ((key?.(a) ?? 0) - (key?.(b) ?? 0) || a.number - b.number));
}
