/** What installing added to a worktree, kept for others that need the same: copied, never shared, so that none can change another's. */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuorumError } from '../../../domain/event/errors.ts';
import type { Filled, Worktree } from '../../../ports/git.ts';
import { bytesOf, copyTree, listEntries, removeFolder } from '../disk.ts';
import { refuseGit } from '../remote-call.ts';
import { gitBytes } from '../run-git.ts';
import { envOf, LEFT_OUT, type WorktreePlace } from './take-snapshot.ts';

export interface InstalledPlace {
  place: WorktreePlace;
  /** Holds what was kept of one repository, and what its package managers downloaded. */
  kept: string;
  /**
   * Runs work that needs this many bytes while no other work of this process takes them.
   *
   * @throws TransientError or RefusedError `disk-full`, before the work begins
   */
  inRoom: <T>(bytes: number, work: () => Promise<T>) => Promise<T>;
  /** Throws the same; nothing is removed for it, and nothing is kept free. */
  checkRoom: (bytes: number) => Promise<void>;
}

type Parts = Pick<Worktree, 'fill' | 'leaveOut' | 'caches'>;

/** Kept of one repository: another base with other needs replaces the oldest. */
const MOST_KEPT = 3;
const KEY = /^[0-9a-f]{16,64}$/;
/** What a mark's name begins with, in every process's sight: what it names is being copied. */
const COPIED = '.copied-';
/** Nothing is copied for so long: a crash left the mark. */
const STALE_MS = 3_600_000;

export function installedIn(where: InstalledPlace): Parts {
  return {
    caches: { shared: join(where.kept, 'cache'), own: join(where.place.admin, 'cache') },
    fill: (key) => fill(where, key),
    leaveOut: (key) => leaveOut(where, key),
  };
}

/** What is there is whole: it is made aside and moved. */
async function fill(where: InstalledPlace, key: string): Promise<Filled | undefined> {
  const { place, kept } = where;
  const from = keptAt(kept, key);
  const mark = join(kept, `${COPIED}${key}-${randomUUID()}`);
  if (!(await isThere(from))) return undefined;
  await writeFile(mark, '');
  try {
    const about = await readFile(join(from, 'about'), 'utf8').catch(() => undefined);
    if (about === undefined) return undefined;
    const [madeIn = '', ...paths] = about.split('\0').filter((part) => part !== '');
    for (const path of paths) if (!(await isFree(place.folder, path))) return undefined;
    if (!(await copyIn(where, { from, mark, paths }))) return undefined;
    await writeLeftOut(place, paths);
    await mkdir(join(kept, 'cache'), { recursive: true });
    const now = new Date();
    // By this the oldest is found.
    await utimes(from, now, now).catch(() => undefined);
    return { madeIn };
  } finally {
    await rm(mark, { force: true });
  }
}

/**
 * False, and nothing is left of it, where another process threw it away before it saw our mark; or where a copy has no room.
 * Then what was kept gives its own: installing needs it once, copying twice. Others may be copying it.
 */
async function copyIn(
  where: InstalledPlace,
  { from, mark, paths }: { from: string; mark: string; paths: readonly string[] },
): Promise<boolean> {
  const bytes = await bytesOf(join(from, 'files'));
  try {
    return await where.inRoom(bytes, () => copyAll(where.place, from, paths));
  } catch (error) {
    if (!(error instanceof QuorumError) || error.code !== 'disk-full') throw error;
    await rm(mark, { force: true });
    if (!(await spareIn(where.kept)).includes(from)) throw error;
    await throwAway(from);
    return false;
  }
}

async function copyAll(
  place: WorktreePlace,
  from: string,
  paths: readonly string[],
): Promise<boolean> {
  try {
    for (const path of paths) await copyTree(join(from, 'files', path), join(place.folder, path));
    return true;
  } catch (error) {
    if (await isThere(from)) throw error;
    for (const path of paths) await removeFolder(join(place.folder, path));
    return false;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function leaveOut(
  { place, kept, checkRoom }: InstalledPlace,
  key: string | undefined,
): Promise<void> {
  const paths = await addedTo(place);
  await writeLeftOut(place, paths);
  if (key === undefined || (await isThere(keptAt(kept, key)))) return;
  await mkdir(kept, { recursive: true });
  await dropOldest(kept);
  // Where a copy beside it does not fit, each worktree is filled separately.
  const copied = await Promise.all(paths.map((path) => bytesOf(join(place.folder, path))));
  const bytes = copied.reduce((sum, each) => sum + each, 0);
  if (!(await isRoom(checkRoom, bytes))) return;
  const aside = await mkdtemp(join(kept, '.new-'));
  try {
    for (const path of paths) await moveTo(join(place.folder, path), join(aside, 'files', path));
    await writeFile(join(aside, 'about'), [place.folder, ...paths].join('\0'));
    await rename(aside, keptAt(kept, key)).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await removeFolder(aside);
  }
}

function keptAt(kept: string, key: string): string {
  if (!KEY.test(key)) throw refuseGit(`${JSON.stringify(key)} is no key`);
  return join(kept, key);
}

async function dropOldest(kept: string): Promise<void> {
  const names = (await listEntries(kept)).filter((name) => KEY.test(name));
  const over = names.length - (MOST_KEPT - 1);
  if (over <= 0) return;
  for (const folder of (await spareIn(kept)).slice(0, over)) await throwAway(folder);
}

/** Folders of what was kept and is not being copied now, by this process or another; the oldest first. */
export async function spareIn(kept: string): Promise<string[]> {
  const entries = await listEntries(kept);
  const copied: string[] = [];
  for (const mark of entries.filter((name) => name.startsWith(COPIED)))
    if (Date.now() - (await changedAt(join(kept, mark))) < STALE_MS) copied.push(mark);
  const isCopied = (name: string): boolean =>
    copied.some((mark) => mark.startsWith(`${COPIED}${name}-`));
  const spare = entries.filter((name) => KEY.test(name) && !isCopied(name));
  const dated = await Promise.all(
    spare.map(async (name) => ({ name, at: await changedAt(join(kept, name)) })),
  );
  return dated.toSorted((a, b) => a.at - b.at).map(({ name }) => join(kept, name));
}

/** In milliseconds since the epoch; 0 where it is gone. */
async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/** In one step, so that others find either all of the folder or nothing. */
export async function throwAway(folder: string): Promise<void> {
  const aside = await mkdtemp(join(dirname(folder), '.gone-'));
  await rename(folder, join(aside, 'folder')).catch(() => undefined);
  await removeFolder(aside);
}

/** A commit may have something of its own there, or a link that leads out of the folder. */
async function isFree(folder: string, path: string): Promise<boolean> {
  if ((await lstat(join(folder, path)).catch(() => undefined)) !== undefined) return false;
  const parent = dirname(path);
  const real = await realpath(join(folder, parent)).catch(() => undefined);
  return real === join(await realpath(folder), parent);
}

async function isRoom(checkRoom: InstalledPlace['checkRoom'], bytes: number): Promise<boolean> {
  return checkRoom(bytes).then(
    () => true,
    () => false,
  );
}

async function moveTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
}

/** Top paths in the folder that the commit does not have, ignored or not; nothing that is tracked is below them. */
async function addedTo(place: WorktreePlace): Promise<string[]> {
  const listed = await gitBytes({
    dir: place.mirror,
    args: ['ls-files', '--others', '--directory', '--no-empty-directory', '-z'],
    env: envOf(place, join(place.admin, 'index')),
  });
  const paths = listed.toString().split('\0');
  return paths.map((path) => path.replace(/\/$/, '')).filter((path) => path !== '');
}

async function writeLeftOut({ admin }: WorktreePlace, paths: readonly string[]): Promise<void> {
  const lines = paths
    .filter((path) => !path.includes('\n'))
    .map((path) => `/${path.replaceAll(/[\\[\]*?!# ]/g, String.raw`\$&`)}\n`);
  await writeFile(join(admin, LEFT_OUT), lines.join(''));
}
