/** Issues, labels, comments and reactions in GitHub's wire form. */
import {
  REACTIONS,
  type Comment,
  type Label,
  type Reaction,
  type Repository,
  type Thread,
  type TimelineEvent,
} from '../world/world-model.ts';
import { account, nodeId, roleOf, type World } from '../world/world.ts';
import { toApp, toUserById, type Wire } from './accounts.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from './repositories.ts';

export function toLabel(world: World, repository: Repository, label: Label): Wire {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${repositoryApiUrl(world, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: label.isDefault,
  };
}

export function labelsOf(repository: Repository, thread: Thread): Label[] {
  return thread.labelIds.flatMap((id) => repository.labels.find((one) => one.id === id) ?? []);
}

export function toReaction(world: World, reaction: Reaction): Wire {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: toUserById(world, reaction.userId),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}

/** Counts per content, as attached to issues and comments. */
export function toReactionCounts(url: string, reactions: readonly Reaction[]): Wire {
  const counts = Object.fromEntries(
    REACTIONS.map((content) => [
      content,
      reactions.filter((one) => one.content === content).length,
    ]),
  );
  return { url: `${url}/reactions`, total_count: reactions.length, ...counts };
}

/** How the author relates to the repository; a display hint, never an authority. */
export function authorAssociation(world: World, repository: Repository, userId: number): string {
  if (repository.ownerId === userId) return 'OWNER';
  if (account(world, repository.ownerId).members.has(userId)) return 'MEMBER';
  if (repository.collaborators.has(userId)) return 'COLLABORATOR';
  return roleOf(world, repository, userId) === 'admin' ? 'OWNER' : 'NONE';
}

export function viaAppOf(world: World, appId: number | undefined): Wire | null {
  const app = appId === undefined ? undefined : world.state.apps.get(appId);
  return app === undefined ? null : toApp(world, app);
}

export function threadHtmlUrl(world: World, repository: Repository, thread: Thread): string {
  const kind = thread.pull === undefined ? 'issues' : 'pull';
  return `${repositoryHtmlUrl(world, repository)}/${kind}/${thread.number}`;
}

export function toIssue(world: World, repository: Repository, thread: Thread): Wire {
  const repositoryUrl = repositoryApiUrl(world, repository);
  const url = `${repositoryUrl}/issues/${thread.number}`;
  const assignees = thread.assigneeIds.map((id) => toUserById(world, id));
  return {
    url,
    repository_url: repositoryUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: threadHtmlUrl(world, repository, thread),
    id: thread.id,
    node_id: nodeId(thread.pull === undefined ? 'I' : 'PR', thread.id),
    number: thread.number,
    title: thread.title,
    user: toUserById(world, thread.userId),
    labels: labelsOf(repository, thread).map((label) => toLabel(world, repository, label)),
    state: thread.state,
    locked: thread.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: thread.comments.length,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt ?? null,
    author_association: authorAssociation(world, repository, thread.userId),
    active_lock_reason: thread.lockReason ?? null,
    body: thread.body,
    closed_by: thread.closedById === undefined ? null : toUserById(world, thread.closedById),
    reactions: toReactionCounts(url, thread.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: viaAppOf(world, thread.appId),
    state_reason: thread.stateReason,
    ...(thread.pull === undefined ? {} : pullLinks(world, repository, thread)),
  };
}

function pullLinks(world: World, repository: Repository, thread: Thread): Wire {
  const html = threadHtmlUrl(world, repository, thread);
  return {
    draft: thread.pull?.draft ?? false,
    pull_request: {
      url: `${repositoryApiUrl(world, repository)}/pulls/${thread.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: thread.pull?.mergedAt ?? null,
    },
  };
}

export function toComment(
  world: World,
  repository: Repository,
  at: { thread: Thread; comment: Comment },
): Wire {
  const { thread, comment } = at;
  const base = `${repositoryApiUrl(world, repository)}/issues`;
  const url = `${base}/comments/${comment.id}`;
  return {
    url,
    html_url: `${threadHtmlUrl(world, repository, thread)}#issuecomment-${comment.id}`,
    issue_url: `${base}/${thread.number}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: toUserById(world, comment.userId),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: authorAssociation(world, repository, comment.userId),
    body: comment.body,
    reactions: toReactionCounts(url, comment.reactions),
    performed_via_github_app: viaAppOf(world, comment.appId),
  };
}

/** An entry of `/issues/{n}/events`. */
export function toIssueEvent(world: World, repository: Repository, event: TimelineEvent): Wire {
  const url = repositoryApiUrl(world, repository);
  return {
    id: event.id,
    node_id: nodeId('EV', event.id),
    url: `${url}/issues/events/${event.id}`,
    actor: toUserById(world, event.actorId),
    event: event.event,
    commit_id: event.commitId ?? null,
    commit_url: event.commitId === undefined ? null : `${url}/commits/${event.commitId}`,
    created_at: event.createdAt,
    performed_via_github_app: viaAppOf(world, event.appId),
    ...eventDetails(world, event),
  };
}

function eventDetails(world: World, event: TimelineEvent): Wire {
  const details: Wire = {};
  if (event.label !== undefined) details['label'] = event.label;
  if (event.rename !== undefined) details['rename'] = event.rename;
  if (event.lockReason !== undefined) details['lock_reason'] = event.lockReason;
  if (event.assigneeId !== undefined) {
    details['assignee'] = toUserById(world, event.assigneeId);
    details['assigner'] = toUserById(world, event.actorId);
  }
  if (event.reviewerId !== undefined) {
    details['requested_reviewer'] = toUserById(world, event.reviewerId);
    details['review_requester'] = toUserById(world, event.actorId);
  }
  return details;
}
