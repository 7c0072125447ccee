/** The payload of a push event: its commits, their files and their authors. */
import { isAncestor, readCommits, ZERO_SHA, type Commit } from '../git/objects.ts';
import { gitOutput } from '../git/git-process.ts';
import type { Repository } from '../world/world-model.ts';
import { toUser, type Wire } from '../render/accounts.ts';
import { repositoryHtmlUrl } from '../render/repositories.ts';
import type { Deed } from '../threads.ts';
import { account, nowIso, type World } from '../world/world.ts';

export interface RefMove {
  ref: string;
  /** 40 zeros for a new ref. */
  from: string;
  /** 40 zeros for a deleted ref. */
  to: string;
  /** It merged a pull request. */
  isMerge?: true;
}

/** Pushes carry at most this many commits in their payload. */
const MAX_COMMITS = 2048;

export async function pushedCommits(repository: Repository, move: RefMove): Promise<Commit[]> {
  if (move.to === ZERO_SHA) return [];
  const range = move.from === ZERO_SHA ? [move.to, '--max-count=1'] : [`${move.from}..${move.to}`];
  return readCommits(repository.gitDir, ['--reverse', `--max-count=${MAX_COMMITS}`, ...range]);
}

export async function toPush(deed: Deed, move: RefMove, commits: readonly Commit[]): Promise<Wire> {
  const { world, repository, by } = deed;
  const html = repositoryHtmlUrl(world, repository);
  const isUpdate = move.from !== ZERO_SHA && move.to !== ZERO_SHA;
  const forced = isUpdate && !(await isAncestor(repository.gitDir, move.from, move.to));
  const files = await filesByCommit(repository, commits);
  const wire = commits.map((commit) => toPushCommit(html, commit, files.get(commit.sha)));
  return {
    ref: move.ref,
    before: move.from,
    after: move.to,
    created: move.from === ZERO_SHA,
    deleted: move.to === ZERO_SHA,
    forced,
    base_ref: null,
    compare: `${html}/compare/${move.from.slice(0, 12)}...${move.to.slice(0, 12)}`,
    commits: wire,
    head_commit: wire.at(-1) ?? null,
    pusher: { name: by.login, email: `${by.id}+${by.login}@users.noreply.github.com` },
  };
}

type FileLists = Record<'added' | 'removed' | 'modified', string[]>;

const FILE_LIST: Record<string, keyof FileLists> = { A: 'added', D: 'removed' };

async function filesByCommit(
  repository: Repository,
  commits: readonly Commit[],
): Promise<Map<string, FileLists>> {
  const found = new Map<string, FileLists>();
  if (commits.length === 0) return found;
  const shas = commits.map((commit) => commit.sha);
  const out = await gitOutput(
    repository.gitDir,
    ['log', '--no-walk=unsorted', '--no-renames', '--name-status', '--format=%x1e%H', '--stdin'],
    { input: `${shas.join('\n')}\n` },
  );
  for (const record of out.split('\x1e')) {
    const [sha = '', ...lines] = record.trim().split('\n');
    const lists: FileLists = { added: [], removed: [], modified: [] };
    for (const line of lines) {
      const [letter = '', path] = line.split('\t');
      if (path !== undefined) lists[FILE_LIST[letter] ?? 'modified'].push(path);
    }
    found.set(sha, lists);
  }
  return found;
}

function toPushCommit(html: string, commit: Commit, files: FileLists | undefined): Wire {
  return {
    id: commit.sha,
    tree_id: commit.treeSha,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${html}/commit/${commit.sha}`,
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
    ...(files ?? { added: [], removed: [], modified: [] }),
  };
}

/** The identity that commits made through the API carry. */
export function toCommitIdentity(
  world: World,
  userId: number,
): { name: string; email: string; date: string } {
  const user = account(world, userId);
  return {
    name: user.name,
    email: `${user.id}+${user.login}@users.noreply.github.com`,
    date: nowIso(world),
  };
}

/** Links of a commit author to an account, by the noreply address that {@link toCommitIdentity} gives. */
export function authorOf(world: World, email: string): Wire | null {
  const id = authorIdOf(email);
  const user = id === undefined ? undefined : world.state.accounts.get(id);
  return user === undefined ? null : toUser(world, user);
}

/** The account that a commit's address names, as far as it is one of GitHub's own. */
export function authorIdOf(email: string): number | undefined {
  const id = /^(\d+)\+[^@]+@users\.noreply\.github\.com$/.exec(email)?.[1];
  return id === undefined ? undefined : Number(id);
}
