/** Git on this machine, by git's own plumbing. */
import { join } from 'node:path';
import { NO_DISK_SHARES, type DiskShares } from '../../domain/config/disk-shares.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Git, PushWanted } from '../../ports/git.ts';
import { createBaseReader } from './base-reader.ts';
import { changedFiles, patchOf, type Range } from './compare-trees.ts';
import { createFileLocks } from './file-locks.ts';
import { checkBranch, mirrorWith } from './mirror.ts';
import { askRemote, refuseGit, toRemoteError, toOutputLine, type RemoteOf } from './remote-call.ts';
import { git, runGit } from './run-git.ts';
import { sweepDisk, usageOf, type Swept } from './sweep-disk.ts';
import {
  listWorktrees,
  makeWorktree,
  removeWorktree,
  type WorktreesPlace,
} from './worktrees/worktrees.ts';

export interface GitOptions {
  /** Absolute; holds the mirrors and the worktrees. Several processes may use the same one. */
  folder: string;
  /** Asked before each call to the remote, so that a short-lived token is enough. */
  remoteOf: RemoteOf;
  clock: Clock;
  /** What the host gives of its disk; no limit but the repositories' own when absent. */
  shares?: DiskShares;
}

export function createGit({ folder, remoteOf, clock, shares = NO_DISK_SHARES }: GitOptions): Git {
  const place: WorktreesPlace = {
    ...placeOf(folder),
    shares,
    remoteOf,
    clock,
    locks: createFileLocks(join(folder, 'locks'), clock),
  };
  return {
    open: (ref, wanted) => makeWorktree(place, ref, wanted),
    push: (ref, wanted) => push(place, ref, wanted),
    remoteHead: (ref, branch) => remoteHead(place, ref, branch),
    merge: (ref, of) => merge(place, ref, of),
    read: async (ref, sha) => createBaseReader(await mirrorWith(place, ref, [sha]), sha),
    worktrees: () => listWorktrees(place),
    remove: (name) => removeWorktree(place, name),
  };
}

type Folders = Pick<WorktreesPlace, 'folder' | 'worktrees' | 'installed' | 'owners'>;

function placeOf(folder: string): Folders {
  return {
    folder: join(folder, 'mirrors'),
    worktrees: join(folder, 'worktrees'),
    installed: join(folder, 'installed'),
    owners: join(folder, 'owners'),
  };
}

/** Folders of mirrors and installations below the folder of {@link createGit}, with what they take of the disk. */
export function diskUsage(folder: string): Promise<{ path: string; bytes: number }[]> {
  return usageOf(placeOf(folder));
}

/** Removes worktrees that a crash left a day ago or more, and packs mirrors; once, when the App starts. */
export function sweepGit({ folder, remoteOf, clock }: GitOptions): Promise<Swept> {
  const locks = createFileLocks(join(folder, 'locks'), clock);
  return sweepDisk({ ...placeOf(folder), shares: NO_DISK_SHARES, remoteOf, clock, locks });
}

async function remoteHead(
  place: WorktreesPlace,
  ref: RepositoryRef,
  branch: string,
): Promise<string | undefined> {
  const mirror = await mirrorWith(place, ref, []);
  await checkBranch(mirror, branch);
  const name = `refs/heads/${branch}`;
  const answer = await askRemote({
    mirror,
    remote: await place.remoteOf(ref),
    args: (url) => ['ls-remote', '--quiet', '--end-of-options', url, name],
  });
  if (answer.code !== 0) throw toRemoteError(answer);
  const lines = answer.stdout.toString().split('\n');
  return lines.find((line) => line.endsWith(`\t${name}`))?.split('\t')[0];
}

/** One reference, from the value that it is believed to have; what an answer did not say, the remote says. */
async function push(
  place: WorktreesPlace,
  ref: RepositoryRef,
  { sha, branch, expected }: PushWanted,
): ReturnType<Git['push']> {
  // One of Quorum's own commits is already in the mirror; any other is not Quorum's to push.
  const mirror = await mirrorWith(place, ref, []);
  await checkBranch(mirror, branch);
  const isHere = ['cat-file', '-e', `${sha}^{commit}`];
  if ((await runGit({ dir: mirror, args: isHere, env: { GIT_DIR: mirror } })).code !== 0)
    throw refuseGit(`${JSON.stringify(sha)} is not a commit of Quorum`);
  const name = `refs/heads/${branch}`;
  const answer = await askRemote({
    mirror,
    remote: await place.remoteOf(ref),
    args: (url) => [
      'push',
      '--porcelain',
      '--no-follow-tags',
      `--force-with-lease=${name}:${expected ?? ''}`,
      '--end-of-options',
      url,
      `${sha}:${name}`,
    ],
  });
  const said = answer.stdout.toString();
  if (answer.code === 0) return /^=\t/m.test(said) ? 'was-there' : 'pushed';
  const now = await remoteHead(place, ref, branch);
  if (now === sha) return 'was-there';
  if (now !== expected) return 'moved';
  throw toRemoteError(answer);
}

async function merge(
  place: WorktreesPlace,
  ref: RepositoryRef,
  { base, head }: { base: string; head: string },
): ReturnType<Git['merge']> {
  const mirror = await mirrorWith(place, ref, [base, head]);
  const answer = await runGit({
    dir: mirror,
    args: ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', base, head],
    env: { GIT_DIR: mirror },
  });
  const [tree = '', ...paths] = answer.stdout.toString().split('\0');
  if (answer.code === 0) {
    const commit = await commitMerge(mirror, tree, [base, head]);
    const range = { mirror, base, head: tree };
    return { outcome: 'clean', tree, commit, change: (maxBytes) => changeIn(range, maxBytes) };
  }
  if (answer.code === 1) return { outcome: 'conflict', paths: paths.filter((path) => path !== '') };
  throw refuseGit(toOutputLine(answer));
}

async function changeIn(
  range: Range,
  maxBytes: number,
): Promise<{ patch: string; paths: string[] } | undefined> {
  const patch = await patchOf(range, maxBytes);
  if (patch === undefined) return undefined;
  return { patch, paths: (await changedFiles(range)).map(({ path }) => path) };
}

/** A commit with a fixed author and time, so that the same merge gives the same commit. */
const NOBODY = { name: 'quorum', email: 'quorum@localhost', date: '@0 +0000' };

function commitMerge(mirror: string, tree: string, parents: readonly string[]): Promise<string> {
  const { name, email, date } = NOBODY;
  return git({
    dir: mirror,
    env: {
      GIT_DIR: mirror,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
    args: ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])],
    input: 'What a merge would give.\n',
  });
}
