/** Pull requests, reviews and review comments in GitHub's wire form. */
import type { Pull, Repository, Review, ReviewComment, Thread } from '../world/world-model.ts';
import { account, fullName, nodeId, type World } from '../world/world.ts';
import { toTeams, toUser, toUserById, type Wire } from './accounts.ts';
import { repositoryApiUrl, toRepository } from './repositories.ts';
import {
  authorAssociation,
  labelsOf,
  threadHtmlUrl,
  toLabel,
  toReactionCounts,
} from './to-thread.ts';

/** What git has to be asked for: present on `GET /pulls/{n}`, absent in lists. */
export interface PullFacts {
  mergeable: boolean | null;
  isBehind: boolean;
  /** Whether a required check has not succeeded, or only a queue may merge. */
  isBlocked: boolean;
  additions: number;
  deletions: number;
  changedFiles: number;
  commits: number;
}

/** The form of lists and webhooks. */
export function toPull(world: World, repository: Repository, thread: Thread): Wire {
  const pull = thread.pull;
  if (pull === undefined) throw new Error(`thread ${thread.number} is no pull request`);
  const assignees = thread.assigneeIds.map((id) => toUserById(world, id));
  const head = world.state.repositories.get(pull.headRepositoryId);
  return {
    ...pullUrls(world, repository, thread),
    id: pull.id,
    node_id: nodeId('PR', thread.id),
    number: thread.number,
    state: thread.state,
    locked: thread.locked,
    title: thread.title,
    user: toUserById(world, thread.userId),
    body: thread.body,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    closed_at: thread.closedAt ?? null,
    merged_at: pull.mergedAt ?? null,
    merge_commit_sha: pull.mergeCommitSha ?? null,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.requestedReviewerIds.map((id) => toUserById(world, id)),
    requested_teams: toTeams(world, repository.ownerId, pull.requestedTeams),
    labels: labelsOf(repository, thread).map((label) => toLabel(world, repository, label)),
    milestone: null,
    draft: pull.draft,
    head: toSide(world, head, { ref: pull.headRef, sha: pull.headSha }),
    base: toSide(world, repository, { ref: pull.baseRef, sha: pull.baseSha }),
    author_association: authorAssociation(world, repository, thread.userId),
    auto_merge: toAutoMerge(world, pull),
    active_lock_reason: thread.lockReason ?? null,
    merged: pull.merged,
  };
}

export function toFullPull(
  world: World,
  repository: Repository,
  at: { thread: Thread; facts: PullFacts },
): Wire {
  const { thread, facts } = at;
  const pull = thread.pull;
  return {
    ...toPull(world, repository, thread),
    mergeable: facts.mergeable,
    rebaseable: facts.mergeable,
    mergeable_state: mergeableState(thread, facts),
    merged_by: pull?.mergedById === undefined ? null : toUserById(world, pull.mergedById),
    comments: thread.comments.length,
    review_comments: pull?.reviewComments.length ?? 0,
    maintainer_can_modify: false,
    commits: facts.commits,
    additions: facts.additions,
    deletions: facts.deletions,
    changed_files: facts.changedFiles,
  };
}

export function mergeableState(thread: Thread, facts: PullFacts): string {
  if (thread.state === 'closed' || facts.mergeable === null) return 'unknown';
  if (!facts.mergeable) return 'dirty';
  if (thread.pull?.draft ?? false) return 'draft';
  if (facts.isBehind) return 'behind';
  return facts.isBlocked ? 'blocked' : 'clean';
}

function toAutoMerge(world: World, { autoMerge }: Pull): Wire | null {
  if (autoMerge === undefined || autoMerge.isQueued === true) return null;
  const by = toUserById(world, autoMerge.byId);
  return { enabled_by: by, merge_method: autoMerge.way, commit_title: '', commit_message: '' };
}

function link(href: string): Wire {
  return { href };
}

function pullUrls(world: World, repository: Repository, thread: Thread): Wire {
  const base = repositoryApiUrl(world, repository);
  const url = `${base}/pulls/${thread.number}`;
  const issue = `${base}/issues/${thread.number}`;
  const html = threadHtmlUrl(world, repository, thread);
  const statuses = `${base}/statuses/${thread.pull?.headSha ?? ''}`;
  return {
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${base}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    _links: {
      self: link(url),
      html: link(html),
      issue: link(issue),
      comments: link(`${issue}/comments`),
      review_comments: link(`${url}/comments`),
      review_comment: link(`${base}/pulls/comments{/number}`),
      commits: link(`${url}/commits`),
      statuses: link(statuses),
    },
  };
}

function toSide(
  world: World,
  repository: Repository | undefined,
  at: { ref: string; sha: string },
): Wire {
  if (repository === undefined)
    return { label: `unknown:${at.ref}`, ...at, user: null, repo: null };
  const owner = account(world, repository.ownerId);
  return {
    label: `${owner.login}:${at.ref}`,
    ref: at.ref,
    sha: at.sha,
    user: toUser(world, owner),
    repo: toRepository(world, repository),
  };
}

export function toReview(
  world: World,
  repository: Repository,
  at: { thread: Thread; review: Review },
): Wire {
  const { thread, review } = at;
  const html = `${threadHtmlUrl(world, repository, thread)}#pullrequestreview-${review.id}`;
  const pullUrl = `${repositoryApiUrl(world, repository)}/pulls/${thread.number}`;
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: toUserById(world, review.userId),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: pullUrl,
    author_association: authorAssociation(world, repository, review.userId),
    _links: { html: { href: html }, pull_request: { href: pullUrl } },
    ...(review.submittedAt === undefined ? {} : { submitted_at: review.submittedAt }),
    commit_id: review.commitId,
  };
}

export function toReviewComment(
  world: World,
  repository: Repository,
  at: { thread: Thread; comment: ReviewComment },
): Wire {
  const { thread, comment } = at;
  const base = `${repositoryApiUrl(world, repository)}/pulls`;
  const url = `${base}/comments/${comment.id}`;
  const html = `${threadHtmlUrl(world, repository, thread)}#discussion_r${comment.id}`;
  const pullUrl = `${base}/${thread.number}`;
  return {
    url,
    pull_request_review_id: comment.reviewId,
    id: comment.id,
    node_id: nodeId('PRRC', comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.originalCommitId,
    user: toUserById(world, comment.userId),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: html,
    pull_request_url: pullUrl,
    author_association: authorAssociation(world, repository, comment.userId),
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pullUrl } },
    reactions: toReactionCounts(url, comment.reactions),
    ...(comment.inReplyToId === undefined ? {} : { in_reply_to_id: comment.inReplyToId }),
    ...linePlace(comment),
  };
}

function linePlace(comment: ReviewComment): Wire {
  return {
    start_line: comment.startLine ?? null,
    original_start_line: comment.startLine ?? null,
    start_side: comment.startLine === undefined ? null : comment.side,
    line: comment.line ?? null,
    original_line: comment.originalLine ?? null,
    side: comment.side,
    position: comment.position ?? null,
    original_position: comment.position ?? 1,
    subject_type: comment.subjectType,
  };
}

/** The short form inside check runs and suites. */
export function toMinimalPull(world: World, repository: Repository, thread: Thread): Wire {
  const pull = thread.pull;
  const brief = (one: Repository | undefined): Wire => ({
    id: one?.id ?? 0,
    url: one === undefined ? '' : repositoryApiUrl(world, one),
    name: one?.name ?? '',
  });
  const head = pull === undefined ? undefined : world.state.repositories.get(pull.headRepositoryId);
  return {
    id: pull?.id ?? 0,
    number: thread.number,
    url: `${world.apiUrl}/repos/${fullName(world, repository)}/pulls/${thread.number}`,
    head: { ref: pull?.headRef ?? '', sha: pull?.headSha ?? '', repo: brief(head) },
    base: { ref: pull?.baseRef ?? '', sha: pull?.baseSha ?? '', repo: brief(repository) },
  };
}
