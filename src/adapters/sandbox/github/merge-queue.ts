/** What a merge queue makes of what was put into it: it is merged as the queue merges, or thrown out. */
import { mergeRevisions } from './git/merge.ts';
import { readCommit, readRef, updateRef } from './git/objects.ts';
import type { Account, Repository, Thread } from './model.ts';
import { pullOf } from './pulls.ts';
import { announceMoves, markMerged, personOf } from './pushes.ts';
import { createAccount } from './seed.ts';
import { emitThread, touch, type Deed } from './threads.ts';
import { findAccount, type World } from './world.ts';

export interface QueueEnd {
  /** Number of the pull request. */
  number: number;
  /** GitHub's word for why it left the queue without being merged; absent when it was merged. */
  thrownOut?: 'CI_FAILURE' | 'CI_TIMEOUT' | 'MANUAL' | 'MERGE_CONFLICT';
}

/** Apps hear of it from GitHub's own account. @throws when it does not stand in the queue, or conflicts */
export async function endQueue(
  world: World,
  repository: Repository,
  { number, thrownOut }: QueueEnd,
): Promise<void> {
  const thread = repository.threads.get(number);
  if (thread?.pull?.autoMerge?.isQueued !== true)
    throw new Error(`#${number} is not in the merge queue`);
  const deed: Deed = { world, repository, by: queueAccount(world), appId: undefined };
  if (thrownOut === undefined) return mergeQueued(deed, thread);
  delete thread.pull.autoMerge;
  touch(deed, thread);
  emitThread(deed, thread, { action: 'dequeued', more: { reason: thrownOut } });
}

const LOGIN = 'github-merge-queue[bot]';

function queueAccount(world: World): Account {
  return findAccount(world, LOGIN) ?? createAccount(world, { login: LOGIN, type: 'Bot' });
}

async function mergeQueued(deed: Deed, thread: Thread): Promise<void> {
  const { world, repository, by } = deed;
  const { baseRef, headSha } = pullOf(thread);
  const ref = `refs/heads/${baseRef}`;
  const baseSha = (await readRef(repository.gitDir, ref)) ?? '';
  const head = await readCommit(repository.gitDir, headSha);
  const rest = head?.message.split('\n').slice(1).join('\n').trim() ?? '';
  const committer = personOf(world, by.id);
  const to = await mergeRevisions(repository.gitDir, {
    baseSha,
    headSha,
    method: 'squash',
    message: `${thread.title} (#${thread.number})\n\n${rest}`,
    author: { ...personOf(world, thread.userId), date: committer.date },
    committer,
  });
  const isMoved =
    to !== undefined && (await updateRef(repository.gitDir, ref, { to, expected: baseSha }));
  if (!isMoved) throw new Error(`#${thread.number} does not merge`);
  markMerged(deed, thread, { sha: to });
  await announceMoves(deed, [{ ref, from: baseSha, to }]);
}
