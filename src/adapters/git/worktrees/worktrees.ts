/** The folders of worktrees on this machine: made, counted and removed, whatever a crash left of them. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Git, Worktree, WorktreeWanted } from '../../../ports/git.ts';
import { listEntries, measure, removeFolder } from '../disk.ts';
import { checkBranch, mirrorWith, type MirrorPlace } from '../mirror.ts';
import { refuseGit, toOutputLine } from '../remote-call.ts';
import { checkRoom, diskIsFull, makeRoom, noteOwner, type RoomPlace } from '../room.ts';
import { gitBytes, runGit } from '../run-git.ts';
import { openWorktree } from './worktree.ts';

export interface WorktreesPlace extends MirrorPlace, RoomPlace {}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;
const MB = 1_000_000;

export async function makeWorktree(
  place: WorktreesPlace,
  ref: RepositoryRef,
  wanted: WorktreeWanted,
): Promise<Worktree> {
  checkName(wanted.name);
  // Whatever the umask: worktrees hold the code of private repositories, and the data directory may hold other things too.
  await mkdir(place.worktrees, { recursive: true, mode: 0o700 });
  await checkBranch(place.worktrees, wanted.branch);
  await place.locks.runShared('worktrees', () => removeTorn(place));
  const mirror = await mirrorWith(place, ref, [wanted.sha]);
  const folder = join(place.worktrees, wanted.name);
  const asker = { ref, limitMb: wanted.limitMb };
  // Room is counted and taken by one at a time.
  await place.locks.runShared('worktrees', async () => {
    await discard(place, wanted.name);
    await noteOwner(place, asker);
    await makeRoom(place, await sizeAt(mirror, wanted.sha), asker);
    const args = ['worktree', 'add', '--quiet', '-B', wanted.branch, folder, wanted.sha];
    const added = await runGit({ dir: mirror, args, env: { GIT_DIR: mirror } });
    if (added.code === 0) return;
    await discard(place, wanted.name);
    throw /no space left/i.test(added.stderr)
      ? diskIsFull(toOutputLine(added))
      : refuseGit(toOutputLine(added));
  });
  return openWorktree({
    place: { mirror, admin: join(mirror, 'worktrees', wanted.name), folder },
    kept: join(place.installed, String(ref.repositoryId)),
    inRoom: (bytes, work) =>
      place.locks.runShared('worktrees', async () => {
        await makeRoom(place, bytes, asker);
        return work();
      }),
    checkRoom: (bytes) => checkRoom(place, bytes, asker),
    baseSha: wanted.sha,
    maxBytes: Math.min(wanted.limitMb, place.shares.installationMb ?? Infinity) * MB,
    close: () => removeWorktree(place, wanted.name),
  });
}

export async function removeWorktree(place: WorktreesPlace, name: string): Promise<void> {
  checkName(name);
  await place.locks.runShared('worktrees', () => discard(place, name));
}

export async function listWorktrees(place: WorktreesPlace): ReturnType<Git['worktrees']> {
  const found: Awaited<ReturnType<Git['worktrees']>> = [];
  for (const name of (await listEntries(place.worktrees)).filter((each) => NAME.test(each))) {
    const folder = join(place.worktrees, name);
    const { newestMs } = await measure(folder);
    const idleMs = Math.max(0, place.clock.now() - newestMs);
    found.push({ name, folder, branch: await branchOf(place, name), idleMs });
  }
  return found;
}

function checkName(name: string): void {
  if (!NAME.test(name) || name.includes('..') || name.endsWith('.lock'))
    throw refuseGit(`${JSON.stringify(name)} is no name for a worktree`);
}

/** Folders inside the mirrors that belong to a worktree of this name, of any repository. */
async function adminsOf({ folder }: WorktreesPlace, name: string): Promise<string[]> {
  const mirrors = (await listEntries(folder)).filter((each) => each.endsWith('.git'));
  const admins: string[] = [];
  for (const mirror of mirrors) {
    const admin = join(folder, mirror, 'worktrees', name);
    if ((await stat(admin).catch(() => undefined)) !== undefined) admins.push(admin);
  }
  return admins;
}

/**
 * Removes what a process left that was killed while it made a worktree. An administrative folder with an empty
 * `commondir` makes every later fetch and worktree of its mirror fail. Needs the shared lock, so that nobody is
 * making one.
 */
export async function removeTorn({ folder }: Pick<WorktreesPlace, 'folder'>): Promise<void> {
  const mirrors = (await listEntries(folder)).filter((each) => each.endsWith('.git'));
  for (const mirror of mirrors) {
    const admins = join(folder, mirror, 'worktrees');
    for (const name of await listEntries(admins)) {
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
