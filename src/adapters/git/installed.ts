/** What installing added to a worktree, kept for others that need the same: copied, never shared, so that none can change another's. */
import { lstat, mkdir, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { rename, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Filled, Worktree } from '../../ports/git.ts';
import { bytesOf, copyTree, entriesOf, removeFolder } from './disk.ts';
import { refused } from './remote.ts';
import { gitBytes } from './run.ts';
import { envOf, LEFT_OUT, type WorktreePlace } from './snapshot.ts';

export interface InstalledPlace {
  place: WorktreePlace;
  /** Holds what was kept of one repository, and what its package managers downloaded. */
  kept: string;
  /** @throws RefusedError `disk-full` where so much more has no room */
  checkRoom: (bytes: number) => Promise<void>;
}

type Parts = Pick<Worktree, 'fill' | 'leaveOut' | 'caches'>;

/** Kept of one repository: another base with other needs replaces the oldest. */
const MOST_KEPT = 3;
const KEY = /^[0-9a-f]{16,64}$/;

export function installedIn(where: InstalledPlace): Parts {
  return {
    caches: { shared: join(where.kept, 'cache'), own: join(where.place.admin, 'cache') },
    fill: (key) => fill(where, key),
    leaveOut: (key) => leaveOut(where, key),
  };
}

/** What is there is whole: it is made aside and moved. */
async function fill(
  { place, kept, checkRoom }: InstalledPlace,
  key: string,
): Promise<Filled | undefined> {
  const from = keptAt(kept, key);
  const about = await readFile(join(from, 'about'), 'utf8').catch(() => undefined);
  if (about === undefined) return undefined;
  const [madeIn = '', ...paths] = about.split('\0').filter((part) => part !== '');
  for (const path of paths) if (!(await isFree(place.folder, path))) return undefined;
  await checkRoom(await bytesOf(join(from, 'files')));
  for (const path of paths) await copyTree(join(from, 'files', path), join(place.folder, path));
  await writeLeftOut(place, paths);
  await mkdir(join(kept, 'cache'), { recursive: true });
  const now = new Date();
  // By this the oldest is found.
  await utimes(from, now, now).catch(() => undefined);
  return { madeIn };
}

async function leaveOut(
  { place, kept, checkRoom }: InstalledPlace,
  key: string | undefined,
): Promise<void> {
  const paths = await addedTo(place);
  await writeLeftOut(place, paths);
  if (key === undefined || (await stat(keptAt(kept, key)).catch(() => undefined)) !== undefined)
    return;
  await mkdir(kept, { recursive: true });
  await dropOldest(kept);
  // Where there is no room for it, each worktree is filled anew.
  if (!(await isRoom(checkRoom))) return;
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
  if (!KEY.test(key)) throw refused(`${JSON.stringify(key)} is no key`);
  return join(kept, key);
}

async function dropOldest(kept: string): Promise<void> {
  const names = (await entriesOf(kept)).filter((name) => KEY.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(kept, name))).mtimeMs })),
  );
  const old = dated.toSorted((a, b) => b.at - a.at).slice(MOST_KEPT - 1);
  for (const { name } of old) await removeFolder(join(kept, name));
}

/** A commit may have something of its own there, or a link that leads out of the folder. */
async function isFree(folder: string, path: string): Promise<boolean> {
  if ((await lstat(join(folder, path)).catch(() => undefined)) !== undefined) return false;
  const parent = dirname(path);
  const real = await realpath(join(folder, parent)).catch(() => undefined);
  return real === join(await realpath(folder), parent);
}

async function isRoom(checkRoom: InstalledPlace['checkRoom']): Promise<boolean> {
  return checkRoom(0).then(
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
