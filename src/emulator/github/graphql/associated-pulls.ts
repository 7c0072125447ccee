/** The merged pull requests that brought a commit in, as GraphQL alone tells them. */
import { readCommits } from '../git/objects.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import { connection, type Paging } from './answer-parts.ts';

export async function pullsOf(
  { repository, sha }: { repository: Repository; sha: string },
  paging: Paging,
  toThread: (thread: Thread) => object,
): Promise<object> {
  const found: object[] = [];
  for (const thread of repository.threads.values()) {
    const { merged, mergeCommitSha, baseSha } = thread.pull ?? {};
    if (merged !== true || mergeCommitSha === undefined || baseSha === undefined) continue;
    const commits = await readCommits(repository.gitDir, [`${baseSha}..${mergeCommitSha}`]);
    if (commits.some((commit) => commit.sha === sha)) found.push(toThread(thread));
  }
  return connection(found, paging);
}
