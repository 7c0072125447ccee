/** The bare mirror of a repository: all commits that were ever needed here, and no secret. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { Clock } from '../../ports/clock.ts';
import { endingWith, listEntries, removeOlder } from './disk.ts';
import type { Locks } from './file-locks.ts';
import { askRemote, refuseGit, toRemoteError, type Remote, type RemoteOf } from './remote-call.ts';
import { git, runGit } from './run-git.ts';

export interface MirrorPlace {
  /** Holds one bare repository for each id. */
  folder: string;
  remoteOf: RemoteOf;
  clock: Clock;
  locks: Locks;
}

/** The whole configuration: nothing that somebody wrote into it lasts. */
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
/** No process of Quorum works longer on one reference or pack. */
const STALE_MS = 30 * 60_000;
const SHA = /^[0-9a-f]{40}$/;

/** The mirror's path, made where it is missing and freed of what a crash or a stranger left in it. */
export async function openMirror(place: MirrorPlace, ref: RepositoryRef): Promise<string> {
  const mirror = join(place.folder, `${ref.repositoryId}.git`);
  if (!(await listEntries(place.folder)).includes(`${ref.repositoryId}.git`))
    await make(mirror, place);
  await secureMirror(mirror);
  await freeLocks(mirror, place.clock.now() - STALE_MS);
  return mirror;
}

/** Made aside and moved, so that no half of it is ever seen. */
async function make(mirror: string, { folder }: MirrorPlace): Promise<void> {
  await mkdir(folder, { recursive: true });
  const aside = await mkdtemp(join(folder, '.new-'));
  try {
    await git({
      dir: aside,
      args: ['init', '--quiet', '--bare', '--initial-branch=none', '--template=', '.'],
      env: { GIT_DIR: aside },
    });
    await rename(aside, mirror).catch(async (error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Puts back what a stranger could have changed to have programs run or other files read. */
export async function secureMirror(mirror: string): Promise<void> {
  const config = join(mirror, 'config');
  const now = await readFile(config, 'utf8').catch(() => undefined);
  if (now !== CONFIG) {
    await rm(config, { recursive: true, force: true });
    await writeFile(config, CONFIG);
  }
  for (const file of ['info', 'config.worktree', 'objects/info/alternates'])
    await rm(join(mirror, file), { recursive: true, force: true });
}

async function freeLocks(mirror: string, beforeMs: number): Promise<void> {
  const top = (await listEntries(mirror)).filter((name) => name.endsWith('.lock'));
  const packs = (await listEntries(join(mirror, 'objects/pack'))).filter((name) =>
    /^\.?tmp_/.test(name),
  );
  await removeOlder(
    [
      ...top.map((name) => join(mirror, name)),
      ...packs.map((name) => join(mirror, 'objects/pack', name)),
      ...(await endingWith(join(mirror, 'refs'), '.lock')),
    ],
    beforeMs,
  );
}

/** The mirror, with a commit and everything before it. @throws RefusedError `git-no-commit` and the remote's errors */
export async function mirrorWith(
  place: MirrorPlace,
  ref: RepositoryRef,
  shas: readonly string[],
): Promise<string> {
  for (const sha of shas)
    if (!SHA.test(sha)) throw refuseGit(`${JSON.stringify(sha)} is not a commit's id`);
  return place.locks.run(`mirror:${ref.repositoryId}`, async () => {
    const mirror = await openMirror(place, ref);
    for (const sha of shas)
      if (!(await has(mirror, sha))) await fetchCommit(mirror, await place.remoteOf(ref), { sha });
    return mirror;
  });
}

async function has(mirror: string, sha: string): Promise<boolean> {
  const args = ['cat-file', '-e', `${sha}^{commit}`];
  return (await runGit({ dir: mirror, args, env: { GIT_DIR: mirror } })).code === 0;
}

/**
 * Fetches a commit with everything before it, for as long as the transfer goes on. A reference keeps the commit, and tells
 * the remote the next time what is here already.
 *
 * @throws RefusedError `git-no-commit`, `git-refused`; TransientError `git-unreachable`, also after `silenceMs`
 */
export async function fetchCommit(
  mirror: string,
  remote: Remote,
  { sha, silenceMs }: { sha: string; silenceMs?: number },
): Promise<void> {
  const answer = await askRemote({
    mirror,
    remote,
    silenceMs,
    args: (url) => [
      'fetch',
      // A transfer that goes on is not silent, however large it is.
      '--progress',
      '--no-tags',
      '--no-write-fetch-head',
      '--end-of-options',
      url,
      sha,
    ],
  });
  if (answer.code !== 0) throw toRemoteError(answer);
  if (!(await has(mirror, sha))) throw refuseGit(`${sha} names no commit`);
  // Another process may keep it at the same moment.
  await runGit({
    dir: mirror,
    args: ['update-ref', `refs/quorum/base/${sha}`, sha],
    env: { GIT_DIR: mirror },
  });
}

/** Looks a branch's name over. @throws RefusedError `git-refused` */
export async function checkBranch(dir: string, branch: string): Promise<void> {
  const args = ['check-ref-format', `refs/heads/${branch}`];
  const isSafe = branch.length <= 250 && !branch.startsWith('-') && !branch.includes('\0');
  if (!isSafe || (await runGit({ dir, args })).code !== 0)
    throw refuseGit(`${JSON.stringify(branch)} is no name for a branch`);
}
