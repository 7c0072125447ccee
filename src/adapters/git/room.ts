/** Room on the disk: what an installation may use for its repositories, and what the host gives to all of them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError, TransientError, type ErrorInit } from '../../domain/event/errors.ts';
import type { DiskShares } from '../../domain/config/disk-shares.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { bytesOf, listEntries } from './disk.ts';
import { spareIn, throwAway } from './worktrees/installed.ts';

export interface RoomPlace {
  /** Holds the mirrors, and in them which worktrees are theirs. */
  folder: string;
  /** Holds one folder for each worktree. */
  worktrees: string;
  /** Holds one folder for each repository, with what was installed for it. */
  installed: string;
  /** Holds one file for each repository: the installation that used it last. */
  owners: string;
  /** What the host's operator allows. */
  shares: DiskShares;
}

/** Who asks for room, and what its repository's configuration allows (`coder.worktreeLimitMb`). */
export interface RoomFor {
  ref: Pick<RepositoryRef, 'installationId' | 'repositoryId'>;
  limitMb: number;
}

const MB = 1_000_000;

/** Writes down whose a repository is: its worktrees count for that installation. */
export async function noteOwner({ owners }: RoomPlace, { ref }: RoomFor): Promise<void> {
  const file = join(owners, String(ref.repositoryId));
  const owner = String(ref.installationId);
  if ((await readFile(file, 'utf8').catch(() => '')) === owner) return;
  await mkdir(owners, { recursive: true });
  await writeFile(file, owner);
}

/** Repositories of an installation, as far as they were used since owners are written down. */
async function repositoriesOf({ owners }: RoomPlace, installationId: number): Promise<string[]> {
  const names = await listEntries(owners);
  const found = names.map(async (name) => ({
    name,
    owner: await readFile(join(owners, name), 'utf8').catch(() => ''),
  }));
  return (await Promise.all(found)).flatMap(({ name, owner }) =>
    owner === String(installationId) ? [name] : [],
  );
}

/** Bytes of the worktrees and installed files of these repositories. */
async function usedBy(place: RoomPlace, repositories: readonly string[]): Promise<number> {
  const folders = repositories.map(async (name) => [
    join(place.installed, name),
    ...(await worktreesOf(place, name)).map((worktree) => join(place.worktrees, worktree)),
  ]);
  const sizes = (await Promise.all(folders)).flat().map(bytesOf);
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

function worktreesOf({ folder }: RoomPlace, repository: string): Promise<string[]> {
  return listEntries(join(folder, `${repository}.git`, 'worktrees'));
}

/**
 * What was installed counts too; it is made again when it is missing, so that it goes before a worktree is refused. An
 * installation at its own limit loses its own: only a full host takes what others do not use.
 */
export async function makeRoom(place: RoomPlace, needed: number, asker: RoomFor): Promise<void> {
  const own = await repositoriesOf(place, asker.ref.installationId);
  const all = await listEntries(place.installed);
  const attempts = [
    { check: () => checkOwn(place, needed, asker), repositories: own },
    { check: () => checkTotal(place, needed), repositories: all },
  ];
  const found: boolean[] = [];
  for (const { check, repositories } of attempts) {
    const isRoom = (): Promise<boolean> =>
      check().then(
        () => true,
        () => false,
      );
    found.push(await throwAwayUntil(place, repositories, isRoom));
  }
  // Says why not.
  if (found.includes(false)) await checkRoom(place, needed, asker);
}

async function throwAwayUntil(
  place: RoomPlace,
  repositories: readonly string[],
  isRoom: () => Promise<boolean>,
): Promise<boolean> {
  if (await isRoom()) return true;
  for (const folder of await spareOf(place, repositories)) {
    // Somebody may have begun to use it since.
    if (!(await spareOf(place, repositories)).includes(folder)) continue;
    await throwAway(folder);
    if (await isRoom()) return true;
  }
  return false;
}

/**
 * Installed files that no process uses: everything of a repository without a worktree, then
 * what may be copied for others and is not being copied. What package managers downloaded is in use with any worktree.
 */
async function spareOf(place: RoomPlace, repositories: readonly string[]): Promise<string[]> {
  const open = new Set(await listEntries(place.worktrees));
  const there = new Set(await listEntries(place.installed));
  const unused: string[] = [];
  const kept: string[] = [];
  for (const name of repositories.filter((each) => there.has(each))) {
    const at = join(place.installed, name);
    if ((await worktreesOf(place, name)).some((each) => open.has(each)))
      kept.push(...(await spareIn(at)));
    else unused.push(at);
  }
  return [...unused, ...kept];
}

/** @throws RefusedError `disk-full`, or a TransientError with this code where others' end makes room */
export async function checkRoom(place: RoomPlace, needed: number, asker: RoomFor): Promise<void> {
  await checkOwn(place, needed, asker);
  await checkTotal(place, needed);
}

/** Names the installation's own use and no other. */
async function checkOwn(
  place: RoomPlace,
  needed: number,
  { ref, limitMb: wantedMb }: RoomFor,
): Promise<void> {
  const limitMb = Math.min(wantedMb, place.shares.installationMb ?? Infinity);
  const used = await usedBy(place, await repositoriesOf(place, ref.installationId));
  if (used + needed <= limitMb * MB) return;
  const over = inMb(used + needed - limitMb * MB);
  const init = sayFull(
    `worktrees of this installation use ${inMb(used)} MB, this one needs ${inMb(needed)} MB more, which is ${over} MB over the limit of ${limitMb} MB`,
    limitMb < wantedMb
      ? 'Close tasks that you do not need, or ask the operator to raise the limit for an installation.'
      : 'Close tasks that you do not need, or raise `coder.worktreeLimitMb`.',
  );
  throw needed > limitMb * MB ? new RefusedError(init) : forNow(init);
}

/** A refusal does not show what other installations use. */
async function checkTotal(
  { worktrees, installed, shares: { totalMb } }: RoomPlace,
  needed: number,
): Promise<void> {
  if (totalMb === undefined) return;
  const used = (await bytesOf(worktrees)) + (await bytesOf(installed));
  if (used + needed <= totalMb * MB) return;
  const init = sayFull(
    `this one needs ${inMb(needed)} MB, and the disk that the operator gives to all repositories together is full`,
    'Wait until other tasks end, or ask the operator for more room.',
  );
  throw needed > totalMb * MB ? new RefusedError(init) : forNow(init);
}

function inMb(bytes: number): number {
  return Math.ceil(bytes / MB);
}

/** Others end, and leave their room: the queue tries again after this, and asks a person when that came to nothing. */
const AGAIN_MS = 5 * 60_000;
const PATIENCE_MS = 30 * 60_000;

function forNow(init: ErrorInit): TransientError {
  return new TransientError({ ...init, retryAfterMs: AGAIN_MS, maxRetryMs: PATIENCE_MS });
}

/** The disk itself is full, whatever the limits say. */
export function diskIsFull(reason: string): TransientError {
  return forNow(sayFull(reason, 'Free some space on the disk of the host.'));
}

function sayFull(reason: string, details: string): ErrorInit {
  return { code: 'disk-full', message: `There is no room for a worktree: ${reason}`, details };
}
