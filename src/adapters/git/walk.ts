/**
 * Lists the entries of a worktree without trusting any of them. Links are not followed, other repositories are plain
 * folders without their `.git`, and anything that is neither file nor link is left out.
 */
import { lstat, readdir, rm } from 'node:fs/promises';
import type { Dirent } from 'node:fs';

/** Bytes of a path, one character each (latin1): names need not be text. */
export type RawPath = string;

export interface Found {
  path: RawPath;
  bytes: number;
}

export interface WalkWanted {
  folder: string;
  /** Files and links that the commit has. */
  tracked: ReadonlySet<RawPath>;
  /** Submodules of the commit: their folders are left alone. */
  gitlinks: ReadonlySet<RawPath>;
  /** Which of these the ignore files leave out. */
  ignored(paths: readonly RawPath[]): Promise<ReadonlySet<RawPath>>;
}

/** Beyond this many it is no change that anybody reads. */
const MAX_FOUND = 200_000;
/** What git or a file system takes for `.git`: other case, short names, trailing dots, streams, unseen characters. */
const GIT_NAME = /^(?:\.git|git~\d+)[ .]*(?::.*)?$/i;
/** Characters that HFS+ leaves out, as bytes. */
const UNSEEN = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;
/** Read by git on its way: a pipe in their place would be waited for. */
const READ_BY_GIT = new Set(['.gitignore', '.gitattributes']);

/** Undefined when there is more than anybody could have meant. */
export async function walk(wanted: WalkWanted): Promise<Found[] | undefined> {
  const kept: RawPath[] = parentsOf([...wanted.tracked, ...wanted.gitlinks]);
  const state: State = { wanted, trackedFolders: new Set(kept), found: [] };
  let level: Folder[] = [{ path: '', isIgnored: false }];
  while (level.length > 0) {
    level = await walkLevel(state, level);
    if (state.found.length + level.length > MAX_FOUND) return undefined;
  }
  return state.found;
}

interface State {
  wanted: WalkWanted;
  /** Folders with something tracked in them. */
  trackedFolders: ReadonlySet<RawPath>;
  found: Found[];
}

interface Folder {
  path: RawPath;
  isIgnored: boolean;
}

interface Entry {
  path: RawPath;
  isFolder: boolean;
  isInIgnored: boolean;
}

async function walkLevel(state: State, level: readonly Folder[]): Promise<Folder[]> {
  const { wanted, trackedFolders } = state;
  const entries = (await Promise.all(level.map((each) => list(state, each)))).flat();
  const doubtful = entries.filter(
    ({ path, isInIgnored }) => !isInIgnored && !wanted.tracked.has(path),
  );
  const ignored = await wanted.ignored(doubtful.map(({ path }) => path));
  const next: Folder[] = [];
  for (const { path, isFolder, isInIgnored } of entries) {
    const isIgnored = isInIgnored || ignored.has(path);
    if (isFolder) {
      if (!isIgnored || trackedFolders.has(path)) next.push({ path, isIgnored });
    } else if (!isIgnored || wanted.tracked.has(path)) {
      const stat = await lstat(onDisk(wanted.folder, path)).catch(gone);
      if (stat !== undefined) state.found.push({ path, bytes: stat.size });
    }
  }
  return next;
}

async function list({ wanted }: State, folder: Folder): Promise<Entry[]> {
  const found = await readdir(onDisk(wanted.folder, folder.path), {
    encoding: 'buffer',
    withFileTypes: true,
  }).catch(gone);
  const entries: Entry[] = [];
  for (const each of found ?? []) {
    const name = each.name.toString('latin1');
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (isGitName(name) || wanted.gitlinks.has(path)) continue;
    const isFolder = each.isDirectory();
    if (isFolder || each.isFile() || each.isSymbolicLink())
      entries.push({ path, isFolder, isInIgnored: folder.isIgnored });
    if (READ_BY_GIT.has(name) && isSpecial(each))
      await rm(onDisk(wanted.folder, path), { force: true });
  }
  return entries;
}

function isGitName(name: string): boolean {
  return GIT_NAME.test(name.replaceAll(UNSEEN, ''));
}

function isSpecial(entry: Dirent<Buffer>): boolean {
  return !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink();
}

/** The path, as bytes, in a folder that Quorum owns. */
export function onDisk(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

function parentsOf(paths: readonly RawPath[]): RawPath[] {
  const parents = new Set<RawPath>();
  for (const path of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const parent = path.slice(0, end);
      if (parents.has(parent)) break;
      parents.add(parent);
    }
  return [...parents];
}

/** What went away, or may not be read, is not there. */
function gone(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(error.code ?? '')) return;
  throw error;
}
