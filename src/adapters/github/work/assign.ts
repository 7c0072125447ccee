/** Assignees by login: added and removed one by one, everybody else stays. */
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { GET_ISSUE } from '../rest-operations.ts';
import { ADD_ASSIGNEES, CHECK_ASSIGNEE, REMOVE_ASSIGNEES } from './work-operations.ts';

export interface AssigneeChange {
  add: string[];
  remove: string[];
}

export async function applyAssigneeChange(
  bound: SessionContext,
  ref: ThreadRef,
  change: AssigneeChange,
): Promise<void> {
  await bound.places.at(ref, bound.calls, async (place) => {
    const thread = { ...place, issue_number: ref.number };
    const { data } = await bound.calls.get(GET_ISSUE, thread);
    const on = new Set((data.assignees ?? []).map((user) => user.login.toLowerCase()));
    const missing: string[] = [];
    for (const login of unique(change.add)) {
      if (on.has(login.toLowerCase())) continue;
      // Some servers ignore who cannot be assigned, others refuse everybody for one.
      const found = await bound.calls.find(CHECK_ASSIGNEE, { ...place, assignee: login });
      if (found !== undefined) missing.push(login);
    }
    if (missing.length > 0)
      await bound.calls.send(ADD_ASSIGNEES, { ...thread, assignees: missing });
    const gone = unique(change.remove).filter((login) => on.has(login.toLowerCase()));
    if (gone.length > 0) await bound.calls.send(REMOVE_ASSIGNEES, { ...thread, assignees: gone });
  });
}

/** GitHub compares logins without case. */
export function unique(logins: readonly string[]): string[] {
  return [...new Map(logins.map((login) => [login.toLowerCase(), login])).values()];
}
