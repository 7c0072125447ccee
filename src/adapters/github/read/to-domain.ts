/** GitHub's JSON in our words. */
import { PERMISSIONS, type Actor, type Permission } from '../../../domain/run/thread-ref.ts';
import type { IssueView, PastIssue } from '../../../domain/run/view.ts';
import type { WireIssue, WireUser } from '../rest-operations.ts';

/** How much of an old issue's body is kept. */
export const PAST_BODY_CHARS = 2000;

/** The account that GitHub shows in place of one that was deleted. */
const GHOST: Actor = { id: 10_137, login: 'ghost', isBot: false };

export function toActor(user: WireUser | null | undefined): Actor {
  if (user === null || user === undefined) return GHOST;
  return { id: user.id, login: user.login, isBot: user.type === 'Bot' };
}

export function isPull(issue: WireIssue): boolean {
  return issue.pull_request !== undefined && issue.pull_request !== null;
}

export function toIssueView(data: WireIssue, authorPermission: Permission): IssueView['issue'] {
  return {
    number: data.number,
    title: data.title,
    body: data.body,
    state: data.state === 'closed' ? 'closed' : 'open',
    isLocked: data.locked,
    isPull: isPull(data),
    author: toActor(data.user),
    authorPermission,
    labels: data.labels,
    assignees: (data.assignees ?? []).map((user) => user.login),
    url: data.html_url,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
  };
}

export function toPastIssue(data: WireIssue): PastIssue {
  return {
    number: data.number,
    title: data.title,
    state: data.state === 'closed' ? 'closed' : 'open',
    ...(data.state_reason && { stateReason: data.state_reason }),
    labels: data.labels,
    body: data.body.slice(0, PAST_BODY_CHARS).toWellFormed(),
    isPull: isPull(data),
    ...(data.closed_at && { closedAt: data.closed_at }),
  };
}

/** `role_name` tells maintain and triage apart; a custom role falls back to the built-in one it counts as. */
export function toPermission(answer: {
  permission: string;
  role_name?: string | undefined;
}): Permission {
  return builtIn(answer.role_name) ?? builtIn(answer.permission) ?? 'none';
}

function builtIn(name: string | undefined): Permission | undefined {
  return PERMISSIONS.find((permission) => permission === name);
}
