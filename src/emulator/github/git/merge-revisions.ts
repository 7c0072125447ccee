/** Merges on a bare repository without a work tree: merge commit, squash and rebase. */
import { tryGit } from './git-process.ts';
import { mergeBase, readCommits, treeOf, writeCommit, type Person } from './objects.ts';

export interface MergeRequest {
  baseSha: string;
  headSha: string;
  method: 'merge' | 'squash' | 'rebase';
  message: string;
  author: Person;
  committer: Person;
}

/** The merged tree, or `undefined` when the two sides conflict. */
export async function mergeTree(
  gitDir: string,
  sides: { base: string; head: string },
): Promise<string | undefined> {
  const result = await tryGit(gitDir, ['merge-tree', '--write-tree', sides.base, sides.head]);
  return result.code === 0 ? (result.stdout.toString().split('\n')[0] ?? '') : undefined;
}

/** Makes the commit that the base branch would move to; moves nothing. `undefined` on a conflict. */
export async function mergeRevisions(
  gitDir: string,
  request: MergeRequest,
): Promise<string | undefined> {
  if (request.method === 'rebase') return rebase(gitDir, request);
  const tree = await mergeTree(gitDir, { base: request.baseSha, head: request.headSha });
  if (tree === undefined) return undefined;
  const parents =
    request.method === 'merge' ? [request.baseSha, request.headSha] : [request.baseSha];
  return writeCommit(gitDir, {
    treeSha: tree,
    parents,
    message: request.message,
    author: request.author,
    committer: request.committer,
  });
}

async function rebase(gitDir: string, request: MergeRequest): Promise<string | undefined> {
  const common = await mergeBase(gitDir, request.baseSha, request.headSha);
  if (common === undefined) return undefined;
  const commits = await readCommits(gitDir, [
    '--reverse',
    '--no-merges',
    '--topo-order',
    `${common}..${request.headSha}`,
  ]);
  let tip = request.baseSha;
  for (const commit of commits) {
    const tree = await pick(gitDir, tip, commit);
    if (tree === undefined) return undefined;
    tip = await writeCommit(gitDir, {
      treeSha: tree,
      parents: [tip],
      message: commit.message,
      author: commit.author,
      committer: request.committer,
    });
  }
  return tip;
}

/**
 * The tree of `commit` on top of `tip`. With git 2.39, merge-tree cannot be given a merge base. So both sides are
 * written as throw-away commits whose common parent is the commit's own parent.
 */
async function pick(
  gitDir: string,
  tip: string,
  commit: { sha: string; parents: string[]; author: Person },
): Promise<string | undefined> {
  const parent = commit.parents[0];
  if (parent === undefined) return undefined;
  if (parent === tip) return treeOf(gitDir, commit.sha);
  const side = await writeCommit(gitDir, {
    treeSha: await treeOf(gitDir, tip),
    parents: [parent],
    message: 'side',
    author: commit.author,
    committer: commit.author,
  });
  return mergeTree(gitDir, { base: side, head: commit.sha });
}
