/**
 * A merge queue: each entry gets a branch of the queue's own, whose tip is what the base would become. Required checks
 * have to report on that commit, or the entry leaves the queue (docs.github.com, "Managing a merge queue";
 * github.com/orgs/community/discussions/39933).
 */
import { mergeRevisions } from '../git/merge-revisions.ts';
import { readCommit, readRef, updateRef, ZERO_SHA, type Commit } from '../git/objects.ts';
import type { Account, MergeGroup, Repository, Thread } from '../world/world-model.ts';
import { pullOf } from '../changes/compare-pull.ts';
import { announceMoves, markMerged } from '../changes/pushes.ts';
import { toCommitIdentity } from '../changes/push-payload.ts';
import type { Wire } from '../render/accounts.ts';
import { listMissingChecks } from './required.ts';
import { createAccount } from '../world/seed.ts';
import { emitThread, touch, type Deed } from '../threads.ts';
import { findAccount, type World } from '../world/world.ts';

export interface QueueEnd {
  /** Number of the pull request. */
  number: number;
  /**
   * GitHub's word for why it left the queue without being merged. When absent it is merged, or leaves with
   * `CI_TIMEOUT` where a required check is missing on the queue's commit.
   */
  thrownOut?: 'CI_FAILURE' | 'CI_TIMEOUT' | 'MANUAL' | 'MERGE_CONFLICT';
}

/** Makes the entry's commit on top of the entries before it, and asks Apps for their checks. */
export async function openGroup(world: World, repository: Repository, thread: Thread) {
  const { baseRef, headSha, autoMerge } = pullOf(thread);
  if (autoMerge === undefined) return;
  const deed: Deed = { world, repository, by: queueAccount(world), appId: undefined };
  const baseSha = await queueTip(repository, baseRef);
  const sha = await squash(deed, thread, { baseSha, headSha });
  if (sha === undefined) return leave(deed, thread, 'MERGE_CONFLICT');
  const ref = `refs/heads/gh-readonly-queue/${baseRef}/pr-${thread.number}-${baseSha}`;
  await updateRef(repository.gitDir, ref, { to: sha, expected: ZERO_SHA });
  autoMerge.group = { ref, sha, baseSha };
  await announceMoves(deed, [{ ref, from: ZERO_SHA, to: sha }]);
  await emitGroup(deed, { action: 'checks_requested', baseRef, group: autoMerge.group });
}

/** The last entry for this base, or the base itself. */
async function queueTip({ gitDir, threads }: Repository, baseRef: string): Promise<string> {
  const entries = [...threads.values()].flatMap(({ pull }) =>
    pull?.baseRef === baseRef && pull.autoMerge?.group !== undefined ? [pull.autoMerge.group] : [],
  );
  return entries.at(-1)?.sha ?? (await readRef(gitDir, `refs/heads/${baseRef}`)) ?? '';
}

/** Apps hear of it from GitHub's own account. @throws when it is not in the queue */
export async function endQueue(
  world: World,
  repository: Repository,
  { number, thrownOut }: QueueEnd,
): Promise<void> {
  const thread = repository.threads.get(number);
  const group = thread?.pull?.autoMerge?.group;
  if (thread === undefined || group === undefined)
    throw new Error(`#${number} is not in the merge queue`);
  const deed: Deed = { world, repository, by: queueAccount(world), appId: undefined };
  const { baseRef: branch } = pullOf(thread);
  const isUnchecked = listMissingChecks(repository, { branch, sha: group.sha }).length > 0;
  const reason = thrownOut ?? (isUnchecked ? 'CI_TIMEOUT' : undefined);
  if (reason === undefined) await mergeQueued(deed, thread, group);
  await closeGroup(deed, branch, { group, isMerged: reason === undefined });
  if (reason !== undefined) leave(deed, thread, reason);
}

async function closeGroup(
  deed: Deed,
  baseRef: string,
  { group, isMerged }: { group: MergeGroup; isMerged: boolean },
): Promise<void> {
  const { ref, sha } = group;
  await updateRef(deed.repository.gitDir, ref, { to: ZERO_SHA, expected: sha });
  await announceMoves(deed, [{ ref, from: sha, to: ZERO_SHA }]);
  const reason = isMerged ? 'merged' : 'dequeued';
  await emitGroup(deed, { action: 'destroyed', baseRef, group, reason });
}

function leave(deed: Deed, thread: Thread, reason: QueueEnd['thrownOut']): void {
  delete pullOf(thread).autoMerge;
  touch(deed, thread);
  emitThread(deed, thread, { action: 'dequeued', more: { reason } });
}

const LOGIN = 'github-merge-queue[bot]';

function queueAccount(world: World): Account {
  return findAccount(world, LOGIN) ?? createAccount(world, { login: LOGIN, type: 'Bot' });
}

interface GroupEvent {
  action: 'checks_requested' | 'destroyed';
  baseRef: string;
  group: MergeGroup;
  reason?: string;
}

async function emitGroup(deed: Deed, { action, baseRef, group, reason }: GroupEvent) {
  const { world, repository, by: sender } = deed;
  const merge_group = {
    head_sha: group.sha,
    head_ref: group.ref,
    base_sha: group.baseSha,
    base_ref: `refs/heads/${baseRef}`,
    head_commit: toHeadCommit(await readCommit(repository.gitDir, group.sha)),
  };
  const payload = { merge_group, ...(reason !== undefined && { reason }) };
  world.emit({ event: 'merge_group', action, repository, sender, payload });
}

function toHeadCommit(commit: Commit | undefined): Wire | null {
  if (commit === undefined) return null;
  const { sha: id, treeSha: tree_id, message, author, committer } = commit;
  return {
    id,
    tree_id,
    message,
    timestamp: committer.date,
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
  };
}

async function squash(
  { world, repository, by }: Deed,
  thread: Thread,
  { baseSha, headSha }: { baseSha: string; headSha: string },
): Promise<string | undefined> {
  const head = await readCommit(repository.gitDir, headSha);
  const rest = head?.message.split('\n').slice(1).join('\n').trim() ?? '';
  const committer = toCommitIdentity(world, by.id);
  return mergeRevisions(repository.gitDir, {
    baseSha,
    headSha,
    method: 'squash',
    message: `${thread.title} (#${thread.number})\n\n${rest}`,
    author: { ...toCommitIdentity(world, thread.userId), date: committer.date },
    committer,
  });
}

/** The base moves to the very commit that was checked. */
async function mergeQueued(
  deed: Deed,
  thread: Thread,
  { sha, baseSha }: MergeGroup,
): Promise<void> {
  const { repository } = deed;
  const ref = `refs/heads/${pullOf(thread).baseRef}`;
  if (!(await updateRef(repository.gitDir, ref, { to: sha, expected: baseSha })))
    throw new Error(`#${thread.number} is not the first in the merge queue`);
  markMerged(deed, thread, { sha });
  await announceMoves(deed, [{ ref, from: baseSha, to: sha }]);
}
