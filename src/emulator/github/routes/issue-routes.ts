/** Operations on issues: list, read, create, update, lock, assignees, events and timeline. */
import { z } from 'zod';
import * as threads from '../threads.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import { HttpError, invalid, notFound } from '../behave/http-error.ts';
import type { Thread } from '../world/world-model.ts';
import { reads, writes } from '../world/permissions.ts';
import { toUser } from '../render/accounts.ts';
import { toComment, toIssue, toIssueEvent } from '../render/to-thread.ts';
import {
  created,
  renderListPage,
  NO_CONTENT,
  ok,
  param,
  parseBody,
  sender,
  threadParam,
  viaApp,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import { account, findAccount, nextId, nowIso, roleOf } from '../world/world.ts';
import { selectThreads } from './select-threads.ts';

export function deedOf(call: RepositoryCall): threads.Deed {
  return { world: call.world, repository: call.repository, by: sender(call), appId: viaApp(call) };
}

const LabelNames = z.array(z.union([z.string(), z.looseObject({ name: z.string() })]));

const NewIssue = z.looseObject({
  title: z.union([z.string(), z.number()]).transform(String),
  body: z.string().nullish(),
  labels: LabelNames.optional(),
  assignees: z.array(z.string()).optional(),
});

const IssueChange = z.looseObject({
  title: z.string().nullish(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'reopened', 'duplicate']).nullish(),
  labels: LabelNames.optional(),
  assignees: z.array(z.string()).optional(),
});

export function labelNames(labels: z.infer<typeof LabelNames> | undefined): string[] {
  return (labels ?? []).map((label) => (typeof label === 'string' ? label : label.name));
}

/** Whether the caller may set labels and assignees; GitHub drops them silently from people who may not. */
function mayTriage(call: RepositoryCall): boolean {
  if (call.actor.kind !== 'user') return true;
  return hasPermission(roleOf(call.world, call.repository, call.actor.user.id), 'triage');
}

function assignable(call: RepositoryCall, login: string): number {
  const user = findAccount(call.world, login);
  const canBe = user !== undefined && roleOf(call.world, call.repository, user.id) !== 'none';
  if (canBe) return user.id;
  throw invalid({ resource: 'Issue', code: 'invalid', field: 'assignees', value: login });
}

/** Pull requests, which have a number of the same series, go on without issues. */
function createIssue(call: RepositoryCall): Answer {
  if (call.repository.hasNoIssues === true)
    throw new HttpError(410, 'Issues has been disabled in this repository.');
  const body = parseBody(call, NewIssue);
  const triage = mayTriage(call);
  const thread = threads.createThread(deedOf(call), {
    title: body.title,
    body: body.body ?? null,
    labels: triage ? labelNames(body.labels) : [],
    assigneeIds: triage ? (body.assignees ?? []).map((login) => assignable(call, login)) : [],
    pull: undefined,
  });
  return created(toIssue(call.world, call.repository, thread));
}

function updateIssue(call: RepositoryCall): Answer {
  const body = parseBody(call, IssueChange);
  const thread = threadParam(call);
  const deed = deedOf(call);
  const isAuthor = thread.userId === deed.by.id;
  if (!mayTriage(call) && !isAuthor)
    throw new HttpError(403, 'Must have push access to repository');
  editText(deed, thread, { title: body.title ?? undefined, body: body.body });
  if (body.labels !== undefined) threads.setLabels(deed, thread, labelNames(body.labels));
  if (body.assignees !== undefined) setAssignees(call, thread, body.assignees);
  if (body.state !== undefined)
    threads.setState(deed, thread, {
      state: body.state,
      ...(body.state_reason === undefined ? {} : { reason: body.state_reason }),
    });
  return ok(toIssue(call.world, call.repository, thread));
}

/** Changes title and body, and says what they were, as GitHub's `edited` events do. */
export function editText(
  deed: threads.Deed,
  thread: Thread,
  to: { title: string | undefined; body: string | null | undefined },
): void {
  const resource = thread.pull === undefined ? 'Issue' : 'PullRequest';
  const changes: Record<string, { from: string }> = {};
  if (to.title !== undefined && to.title !== thread.title) {
    threads.checkTitle(resource, to.title);
    changes['title'] = { from: thread.title };
    threads.appendEvent(deed, thread, {
      event: 'renamed',
      rename: { from: thread.title, to: to.title },
    });
    thread.title = to.title;
  }
  if (to.body !== undefined && to.body !== thread.body) {
    threads.checkBody(resource, to.body);
    changes['body'] = { from: thread.body ?? '' };
    keepVersion(deed, thread, to.body ?? '');
    thread.body = to.body;
  }
  if (Object.keys(changes).length === 0) return;
  threads.touch(deed, thread);
  threads.emitThread(deed, thread, { action: 'edited', more: { changes } });
}

/** The first edit writes down what was there before, too. */
function keepVersion({ world, by }: threads.Deed, thread: Thread, text: string): void {
  const { userId, createdAt: at, body } = thread;
  thread.edits ??= [{ id: nextId(world), text: body ?? '', userId, at }];
  thread.edits.push({ id: nextId(world), text, userId: by.id, at: nowIso(world) });
}

function setAssignees(call: RepositoryCall, thread: Thread, logins: readonly string[]): void {
  const ids = logins.map((login) => assignable(call, login));
  for (const id of thread.assigneeIds)
    if (!ids.includes(id)) threads.unassign(deedOf(call), thread, id);
  for (const id of ids) threads.assignUser(deedOf(call), thread, id);
}

const Assignees = z.looseObject({
  assignees: z.union([z.string(), z.array(z.string())]).optional(),
});

function changeAssignees(change: typeof threads.assignUser): (call: RepositoryCall) => Answer {
  return (call) => {
    const { assignees = [] } = parseBody(call, Assignees);
    const thread = threadParam(call);
    for (const login of [assignees].flat()) {
      const user = findAccount(call.world, login);
      // GitHub ignores people who cannot be assigned here.
      if (user !== undefined && roleOf(call.world, call.repository, user.id) !== 'none')
        change(deedOf(call), thread, user.id);
    }
    const status = change === threads.assignUser ? 201 : 200;
    return { status, body: toIssue(call.world, call.repository, thread) };
  };
}

const Lock = z.looseObject({
  lock_reason: z.enum(['off-topic', 'too heated', 'resolved', 'spam']).optional(),
});

function lockIssue(call: RepositoryCall): Answer {
  const reason = parseBody(call, Lock).lock_reason;
  const thread = threadParam(call);
  thread.locked = true;
  thread.lockReason = reason;
  const deed = deedOf(call);
  threads.appendEvent(deed, thread, {
    event: 'locked',
    ...(reason === undefined ? {} : { lockReason: reason }),
  });
  threads.emitThread(deed, thread, { action: 'locked' });
  return NO_CONTENT;
}

function unlockIssue(call: RepositoryCall): Answer {
  const thread = threadParam(call);
  thread.locked = false;
  thread.lockReason = undefined;
  threads.appendEvent(deedOf(call), thread, { event: 'unlocked' });
  threads.emitThread(deedOf(call), thread, { action: 'unlocked' });
  return NO_CONTENT;
}

/** Events and comments of a thread in the order they happened. */
function timeline(call: RepositoryCall): Promise<Answer> {
  const { world, repository } = call;
  const thread = threadParam(call);
  const entries = [
    ...thread.timeline.map((event) => ({
      id: event.id,
      wire: toIssueEvent(world, repository, event),
    })),
    ...thread.comments.map((comment) => ({
      id: comment.id,
      wire: {
        event: 'commented',
        actor: toUser(world, account(world, comment.userId)),
        ...toComment(world, repository, { thread, comment }),
      },
    })),
  ].toSorted((a, b) => a.id - b.id);
  return renderListPage(call, entries, (entry) => entry.wire);
}

const ISSUES = '/repos/{owner}/{repo}/issues';

const ONE = `${ISSUES}/{issue_number}`;

const EITHER = ['issues', 'pull_requests'] as const;

export const issueRoutes: Route[] = [
  {
    method: 'GET',
    path: ISSUES,
    need: reads(...EITHER),
    run: (call) =>
      renderListPage(call, selectThreads(call, call.repository.threads.values()), (thread) =>
        toIssue(call.world, call.repository, thread),
      ),
  },
  {
    method: 'POST',
    path: ISSUES,
    need: writes('read', 'issues'),
    isContent: true,
    run: createIssue,
  },
  {
    method: 'GET',
    path: ONE,
    need: reads(...EITHER),
    run: (call) => ok(toIssue(call.world, call.repository, threadParam(call))),
  },
  { method: 'PATCH', path: ONE, need: writes('read', ...EITHER), run: updateIssue },
  { method: 'PUT', path: `${ONE}/lock`, need: writes('triage', ...EITHER), run: lockIssue },
  { method: 'DELETE', path: `${ONE}/lock`, need: writes('triage', ...EITHER), run: unlockIssue },
  {
    method: 'POST',
    path: `${ONE}/assignees`,
    need: writes('triage', ...EITHER),
    run: changeAssignees(threads.assignUser),
  },
  {
    method: 'DELETE',
    path: `${ONE}/assignees`,
    need: writes('triage', ...EITHER),
    run: changeAssignees(threads.unassign),
  },
  {
    method: 'GET',
    path: `${ONE}/events`,
    need: reads(...EITHER),
    run: (call) =>
      renderListPage(call, threadParam(call).timeline, (event) =>
        toIssueEvent(call.world, call.repository, event),
      ),
  },
  { method: 'GET', path: `${ONE}/timeline`, need: reads(...EITHER), run: timeline },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/assignees/{assignee}',
    need: reads('metadata'),
    run: (call) => {
      const user = findAccount(call.world, param(call, 'assignee'));
      const role = user === undefined ? 'none' : roleOf(call.world, call.repository, user.id);
      if (!hasPermission(role, 'triage')) throw notFound();
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/assignees',
    need: reads('metadata'),
    run: (call) =>
      renderListPage(
        call,
        [...call.world.state.accounts.values()].filter(
          (user) =>
            user.type === 'User' &&
            hasPermission(roleOf(call.world, call.repository, user.id), 'triage'),
        ),
        (user) => toUser(call.world, user),
      ),
  },
];
