/** What happens to issues and pull requests: opening, closing, labels and their timeline, with the webhooks of each. */
import { invalid } from './behave/http-error.ts';
import type {
  Account,
  Label,
  Pull,
  Repository,
  Thread,
  TimelineEvent,
} from './world/world-model.ts';
import { toPull } from './render/to-pull.ts';
import { toIssue, toLabel } from './render/to-thread.ts';
import { nextId, nowIso, threadOf, type World } from './world/world.ts';
import { toUserById } from './render/accounts.ts';

/** GitHub's cap on bodies of issues, pull requests, reviews and comments. */
const MAX_BODY = 65_536;
const MAX_TITLE = 256;

/** Who does it, where, and through which App. */
export interface Deed {
  world: World;
  repository: Repository;
  by: Account;
  appId: number | undefined;
}

export function checkBody(resource: string, body: string | null | undefined): void {
  if (body === undefined || body === null || body.length <= MAX_BODY) return;
  throw invalid({
    resource,
    code: 'custom',
    field: 'body',
    message: `body is too long (maximum is ${MAX_BODY} characters)`,
  });
}

export function checkTitle(resource: string, title: string): void {
  if (title.trim() === '') throw invalid({ resource, code: 'missing_field', field: 'title' });
  if (title.length <= MAX_TITLE) return;
  throw invalid({
    resource,
    code: 'custom',
    field: 'title',
    message: `title is too long (maximum is ${MAX_TITLE} characters)`,
  });
}

export interface NewThread {
  title: string;
  body: string | null;
  labels: readonly string[];
  assigneeIds: readonly number[];
  pull: Pull | undefined;
}

/** Issues and pull requests take their numbers from one series. */
export function createThread(deed: Deed, init: NewThread): Thread {
  const { world, repository, by } = deed;
  const resource = init.pull === undefined ? 'Issue' : 'PullRequest';
  checkTitle(resource, init.title);
  checkBody(resource, init.body);
  repository.lastNumber += 1;
  const at = nowIso(world);
  const thread: Thread = {
    id: nextId(world),
    number: repository.lastNumber,
    title: init.title,
    body: init.body,
    state: 'open',
    stateReason: null,
    locked: false,
    lockReason: undefined,
    userId: by.id,
    appId: deed.appId,
    labelIds: [],
    assigneeIds: [],
    createdAt: at,
    updatedAt: at,
    closedAt: undefined,
    closedById: undefined,
    comments: [],
    reactions: [],
    timeline: [],
    pull: init.pull,
  };
  repository.threads.set(thread.number, thread);
  const labels = init.labels.map((name) => ensureLabel(deed, name));
  thread.labelIds = labels.map((label) => label.id);
  for (const label of labels) appendEvent(deed, thread, { event: 'labeled', label: brief(label) });
  emitThread(deed, thread, { action: 'opened' });
  for (const label of labels) emitLabel(deed, thread, { action: 'labeled', label });
  for (const id of init.assigneeIds) assignUser(deed, thread, id);
  return thread;
}

export function touch(deed: Deed, thread: Thread): void {
  thread.updatedAt = nowIso(deed.world);
}

export function appendEvent(
  deed: Deed,
  thread: Thread,
  event: Omit<TimelineEvent, 'id' | 'actorId' | 'appId' | 'createdAt'>,
): TimelineEvent {
  const entry: TimelineEvent = {
    id: nextId(deed.world),
    actorId: deed.by.id,
    appId: deed.appId,
    createdAt: nowIso(deed.world),
    ...event,
  };
  thread.timeline.push(entry);
  return entry;
}

/** Sends `issues.*` or `pull_request.*`, whichever the thread is. */
export function emitThread(
  deed: Deed,
  thread: Thread,
  of: { action: string; more?: Record<string, unknown> },
): void {
  const { world, repository } = deed;
  const isPull = thread.pull !== undefined;
  world.emit({
    event: isPull ? 'pull_request' : 'issues',
    action: of.action,
    repository,
    sender: deed.by,
    payload: {
      ...(isPull
        ? { number: thread.number, pull_request: toPull(world, repository, thread) }
        : { issue: toIssue(world, repository, thread) }),
      ...of.more,
    },
  });
}

export function setState(
  deed: Deed,
  thread: Thread,
  to: { state: 'open' | 'closed'; reason?: Thread['stateReason']; commitId?: string },
): void {
  if (thread.state === to.state) return;
  const isClosing = to.state === 'closed';
  thread.state = to.state;
  thread.closedAt = isClosing ? nowIso(deed.world) : undefined;
  thread.closedById = isClosing ? deed.by.id : undefined;
  if (thread.pull === undefined)
    thread.stateReason = isClosing ? (to.reason ?? 'completed') : 'reopened';
  touch(deed, thread);
  appendEvent(deed, thread, {
    event: isClosing ? 'closed' : 'reopened',
    ...(to.commitId === undefined ? {} : { commitId: to.commitId }),
  });
  emitThread(deed, thread, { action: isClosing ? 'closed' : 'reopened' });
}

function brief(label: Label): { name: string; color: string } {
  return { name: label.name, color: label.color };
}

export function findLabel(repository: Repository, name: string): Label | undefined {
  return repository.labels.find((one) => one.name.toLowerCase() === name.toLowerCase());
}

/** GitHub creates a label that an issue is given and the repository lacks. */
function ensureLabel(deed: Deed, name: string): Label {
  return (
    findLabel(deed.repository, name) ??
    createLabel(deed, { name, color: 'ededed', description: null })
  );
}

export function createLabel(
  deed: Deed,
  init: { name: string; color: string; description: string | null },
): Label {
  const { world, repository } = deed;
  const label: Label = { id: nextId(world), isDefault: false, ...init };
  repository.labels.push(label);
  emitLabelChange(deed, { action: 'created', label });
  return label;
}

export function emitLabelChange(
  deed: Deed,
  of: { action: 'created' | 'edited' | 'deleted'; label: Label; changes?: Record<string, unknown> },
): void {
  const { world, repository, by } = deed;
  world.emit({
    event: 'label',
    action: of.action,
    repository,
    sender: by,
    payload: {
      label: toLabel(world, repository, of.label),
      ...(of.changes === undefined ? {} : { changes: of.changes }),
    },
  });
}

function emitLabel(
  deed: Deed,
  thread: Thread,
  of: { action: 'labeled' | 'unlabeled'; label: Label },
): void {
  emitThread(deed, thread, {
    action: of.action,
    more: { label: toLabel(deed.world, deed.repository, of.label) },
  });
}

/** Adds labels that the thread lacks; each is an event of its own. */
export function addLabels(deed: Deed, thread: Thread, names: readonly string[]): void {
  for (const name of names) {
    const label = ensureLabel(deed, name);
    if (thread.labelIds.includes(label.id)) continue;
    thread.labelIds.push(label.id);
    touch(deed, thread);
    appendEvent(deed, thread, { event: 'labeled', label: brief(label) });
    emitLabel(deed, thread, { action: 'labeled', label });
  }
}

export function removeLabels(deed: Deed, thread: Thread, ids: readonly number[]): void {
  for (const id of ids) {
    const label = deed.repository.labels.find((one) => one.id === id);
    if (label === undefined || !thread.labelIds.includes(id)) continue;
    thread.labelIds = thread.labelIds.filter((one) => one !== id);
    touch(deed, thread);
    appendEvent(deed, thread, { event: 'unlabeled', label: brief(label) });
    emitLabel(deed, thread, { action: 'unlabeled', label });
  }
}

export function setLabels(deed: Deed, thread: Thread, names: readonly string[]): void {
  const wanted = names.map((name) => ensureLabel(deed, name).id);
  removeLabels(
    deed,
    thread,
    thread.labelIds.filter((id) => !wanted.includes(id)),
  );
  addLabels(deed, thread, names);
}

export function assignUser(deed: Deed, thread: Thread, userId: number): void {
  if (thread.assigneeIds.includes(userId)) return;
  thread.assigneeIds.push(userId);
  touch(deed, thread);
  appendEvent(deed, thread, { event: 'assigned', assigneeId: userId });
  emitThread(deed, thread, {
    action: 'assigned',
    more: { assignee: toUserById(deed.world, userId) },
  });
}

export function unassign(deed: Deed, thread: Thread, userId: number): void {
  if (!thread.assigneeIds.includes(userId)) return;
  thread.assigneeIds = thread.assigneeIds.filter((one) => one !== userId);
  touch(deed, thread);
  appendEvent(deed, thread, { event: 'unassigned', assigneeId: userId });
  emitThread(deed, thread, {
    action: 'unassigned',
    more: { assignee: toUserById(deed.world, userId) },
  });
}

const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b/gi;

/** Closes the issues that a text names with GitHub's keywords, as a merge into the default branch does. */
export function closeByKeywords(deed: Deed, text: string, commitId: string): void {
  for (const match of text.matchAll(CLOSING)) {
    const number = Number(match[1]);
    if (!deed.repository.threads.has(number)) continue;
    const thread = threadOf(deed.repository, number);
    if (thread.pull === undefined)
      setState(deed, thread, { state: 'closed', reason: 'completed', commitId });
  }
}
