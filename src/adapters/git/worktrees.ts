/** The folders of worktrees on this machine: made, counted and removed, whatever a crash left of them. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError, TransientError, type ErrorInit } from '../../domain/errors.ts';
import type { RepositoryRef } from '../../domain/thread.ts';
import type { Git, Worktree, WorktreeWanted } from '../../ports/git.ts';
import { bytesOf, entriesOf, measure, removeFolder } from './disk.ts';
import { spareIn, throwAway } from './installed.ts';
import { checkBranch, mirrorWith, type MirrorPlace } from './mirror.ts';
import { refused, wordsOf } from './remote.ts';
import { gitBytes, runGit } from './run.ts';
import { openWorktree } from './worktree.ts';

export interface WorktreesPlace extends MirrorPlace {
  /** Holds one folder for each worktree. */
  worktrees: string;
  /** Holds one folder for each repository, with what was installed for it. */
  installed: string;
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;
const MB = 1_000_000;

export async function makeWorktree(
  place: WorktreesPlace,
  ref: RepositoryRef,
  wanted: WorktreeWanted,
): Promise<Worktree> {
  checkName(wanted.name);
  await mkdir(place.worktrees, { recursive: true });
  await checkBranch(place.worktrees, wanted.branch);
  await place.locks.runShared('worktrees', () => removeTorn(place));
  const mirror = await mirrorWith(place, ref, [wanted.sha]);
  const folder = join(place.worktrees, wanted.name);
  // Room is counted and taken by one at a time.
  await place.locks.runShared('worktrees', async () => {
    await discard(place, wanted.name);
    await makeRoom(place, await sizeAt(mirror, wanted.sha), wanted.limitMb);
    const args = ['worktree', 'add', '--quiet', '-B', wanted.branch, folder, wanted.sha];
    const added = await runGit({ dir: mirror, args, env: { GIT_DIR: mirror } });
    if (added.code === 0) return;
    await discard(place, wanted.name);
    throw /no space left/i.test(added.stderr)
      ? fullForNow(wordsOf(added))
      : refused(wordsOf(added));
  });
  return openWorktree({
    place: { mirror, admin: join(mirror, 'worktrees', wanted.name), folder },
    kept: join(place.installed, String(ref.repositoryId)),
    inRoom: (bytes, work) =>
      place.locks.runShared('worktrees', async () => {
        await makeRoom(place, bytes, wanted.limitMb);
        return work();
      }),
    checkRoom: (bytes) => checkRoom(place, bytes, wanted.limitMb),
    baseSha: wanted.sha,
    maxBytes: wanted.limitMb * MB,
    close: () => removeWorktree(place, wanted.name),
  });
}

export async function removeWorktree(place: WorktreesPlace, name: string): Promise<void> {
  checkName(name);
  await place.locks.runShared('worktrees', () => discard(place, name));
}

export async function listWorktrees(place: WorktreesPlace): ReturnType<Git['worktrees']> {
  const found: Awaited<ReturnType<Git['worktrees']>> = [];
  for (const name of (await entriesOf(place.worktrees)).filter((each) => NAME.test(each))) {
    const folder = join(place.worktrees, name);
    const { newestMs } = await measure(folder);
    const idleMs = Math.max(0, place.clock.now() - newestMs);
    found.push({ name, folder, branch: await branchOf(place, name), idleMs });
  }
  return found;
}

function checkName(name: string): void {
  if (!NAME.test(name) || name.includes('..') || name.endsWith('.lock'))
    throw refused(`${JSON.stringify(name)} is no name for a worktree`);
}

/** Folders inside the mirrors that belong to a worktree of this name, of any repository. */
async function adminsOf({ folder }: WorktreesPlace, name: string): Promise<string[]> {
  const mirrors = (await entriesOf(folder)).filter((each) => each.endsWith('.git'));
  const admins: string[] = [];
  for (const mirror of mirrors) {
    const admin = join(folder, mirror, 'worktrees', name);
    if ((await stat(admin).catch(() => undefined)) !== undefined) admins.push(admin);
  }
  return admins;
}

/**
 * Removes what a process left that was killed while it made a worktree: an administrative folder whose `commondir` is
 * empty makes every later fetch and worktree of its mirror fail. Only under the shared lock, where nobody is making one.
 */
export async function removeTorn({ folder }: Pick<WorktreesPlace, 'folder'>): Promise<void> {
  const mirrors = (await entriesOf(folder)).filter((each) => each.endsWith('.git'));
  for (const mirror of mirrors) {
    const admins = join(folder, mirror, 'worktrees');
    for (const name of await entriesOf(admins)) {
      const file = await stat(join(admins, name, 'commondir')).catch(() => undefined);
      if (file === undefined || file.size === 0) await removeFolder(join(admins, name));
    }
  }
}

/** The folder goes first: without it the rest is found again by its name. */
async function discard(place: WorktreesPlace, name: string): Promise<void> {
  await removeFolder(join(place.worktrees, name));
  for (const admin of await adminsOf(place, name)) await removeFolder(admin);
}

async function branchOf(place: WorktreesPlace, name: string): Promise<string> {
  const [admin] = await adminsOf(place, name);
  if (admin === undefined) return '';
  const head = await readFile(join(admin, 'HEAD'), 'utf8').catch(() => '');
  return /^ref: refs\/heads\/(.+)\n$/.exec(head)?.[1] ?? '';
}

/** Bytes of a commit's files. */
async function sizeAt(mirror: string, sha: string): Promise<number> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', sha];
  const listed = await gitBytes({ dir: mirror, args, env: { GIT_DIR: mirror } });
  const sizes = listed.toString('latin1').matchAll(/(?:^|\0)\d{6} blob [0-9a-f]+ +(\d+)\t/g);
  return sizes.reduce((sum, [, size]) => sum + Number(size), 0);
}

/** What was installed counts too; it is made again when it is missing, so that it goes before a worktree is refused. */
async function makeRoom(place: WorktreesPlace, needed: number, limitMb: number): Promise<void> {
  const isRoom = (): Promise<boolean> =>
    checkRoom(place, needed, limitMb).then(
      () => true,
      () => false,
    );
  if (await isRoom()) return;
  for (const folder of await spareOf(place)) {
    // Somebody may have begun to use it since.
    if (!(await spareOf(place)).includes(folder)) continue;
    await throwAway(folder);
    if (await isRoom()) return;
  }
  await checkRoom(place, needed, limitMb);
}

/**
 * What was installed and nobody uses, in this process or another: everything of a repository without a worktree, then
 * what may be copied for others and is not being copied. What package managers downloaded is in use with any worktree.
 */
async function spareOf({ installed, folder, worktrees }: WorktreesPlace): Promise<string[]> {
  const open = new Set(await entriesOf(worktrees));
  const unused: string[] = [];
  const kept: string[] = [];
  for (const name of await entriesOf(installed)) {
    const admins = await entriesOf(join(folder, `${name}.git`, 'worktrees'));
    const at = join(installed, name);
    if (admins.some((each) => open.has(each))) kept.push(...(await spareIn(at)));
    else unused.push(at);
  }
  return [...unused, ...kept];
}

async function checkRoom(
  { worktrees, installed }: WorktreesPlace,
  needed: number,
  limitMb: number,
): Promise<void> {
  const used = (await bytesOf(worktrees)) + (await bytesOf(installed));
  if (used + needed <= limitMb * MB) return;
  const over = Math.ceil((used + needed - limitMb * MB) / MB);
  const reason = `worktrees use ${Math.ceil(used / MB)} MB, this one needs ${Math.ceil(needed / MB)} MB more, which is ${over} MB over the limit of ${limitMb} MB`;
  throw needed > limitMb * MB ? full(reason) : fullForNow(reason);
}

/** Others end, and leave their room: the queue tries again after this, and asks a person when that came to nothing. */
const AGAIN_MS = 5 * 60_000;
const PATIENCE_MS = 30 * 60_000;

function fullForNow(reason: string): TransientError {
  return new TransientError({
    ...sayFull(reason),
    retryAfterMs: AGAIN_MS,
    patienceMs: PATIENCE_MS,
  });
}

function full(reason: string): RefusedError {
  return new RefusedError(sayFull(reason));
}

function sayFull(reason: string): ErrorInit {
  return {
    code: 'disk-full',
    message: `There is no room for a worktree: ${reason}`,
    details: 'Remove worktrees that nobody needs, or raise `coder.worktreeLimitMb`.',
  };
}
