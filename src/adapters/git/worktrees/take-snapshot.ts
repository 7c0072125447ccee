/** The files of a worktree as a tree of the mirror, through an index that only we ever wrote. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitBytes, runGit } from '../run-git.ts';
import { onDisk, walk, type Found, type RawPath } from '../walk.ts';

export interface WorktreePlace {
  mirror: string;
  /** The worktree's own folder inside the mirror: its HEAD and its index. */
  admin: string;
  /** Where the files are. */
  folder: string;
}

/** Beside the worktree's index: what was installed there, in the words of an ignore file. */
export const LEFT_OUT = 'left-out';

export interface SnapshotWanted {
  place: WorktreePlace;
  /** A path that does not exist yet. */
  indexFile: string;
  /** All that is new or of another size, together. */
  maxBytes: number;
}

export interface Snapshot {
  tree: string;
  /** Too large to be read: not in the tree. */
  leftOut: Found[];
  /** Whether there were more files than anybody could have meant: then the tree is that of HEAD. */
  isFlood: boolean;
}

/** GitHub takes no larger file. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;

export async function takeSnapshot(wanted: SnapshotWanted): Promise<Snapshot> {
  const { place, indexFile } = wanted;
  const call = { dir: place.mirror, env: envOf(place, indexFile) };
  await git({ ...call, args: ['read-tree', 'HEAD'] });
  const { files, gitlinks } = await readHead(wanted);
  const found = await walk({
    folder: place.folder,
    tracked: new Set(files.keys()),
    gitlinks,
    ignored: (paths) => ignoredOf(wanted, paths),
  });
  const headTree = async () => git({ ...call, args: ['rev-parse', 'HEAD^{tree}'] });
  if (found === undefined) return { tree: await headTree(), leftOut: [], isFlood: true };
  const leftOut = tooLarge(found, files, wanted.maxBytes);
  const left = new Set(leftOut.map(({ path }) => path));
  const standing = found.map(({ path }) => path).filter((path) => !left.has(path));
  await drop(wanted, [...files.keys()], new Set(standing));
  await dropLinks(wanted, gitlinks);
  if (standing.length > 0)
    await gitBytes({
      ...call,
      args: ['update-index', '-z', '--add', '--replace', '--stdin'],
      input: lines(standing),
    });
  return { tree: await git({ ...call, args: ['write-tree'] }), leftOut, isFlood: false };
}

/** Reads files through the worktree's own index, or another one, and never through a `.git` in the folder. */
export function envOf(
  { mirror, admin, folder }: WorktreePlace,
  indexFile: string,
): Record<string, string> {
  return {
    GIT_DIR: admin,
    GIT_COMMON_DIR: mirror,
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: indexFile,
  };
}

interface Head {
  /** Sizes by path. */
  files: Map<RawPath, number>;
  gitlinks: Set<RawPath>;
}

const TREE_LINE = /^(\d{6}) \w+ [0-9a-f]+ +(\d+|-)\t(.*)$/s;

async function readHead({ place, indexFile }: SnapshotWanted): Promise<Head> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', 'HEAD'];
  const listed = await gitBytes({ dir: place.mirror, args, env: envOf(place, indexFile) });
  const head: Head = { files: new Map(), gitlinks: new Set() };
  for (const line of listed.toString('latin1').split('\0')) {
    const [, mode, size, path] = TREE_LINE.exec(line) ?? [];
    if (path === undefined) continue;
    if (mode === '160000') head.gitlinks.add(path);
    else head.files.set(path, Number(size));
  }
  return head;
}

/** `./` before each: a name may begin with what git takes for an instruction. */
async function ignoredOf(
  { place, indexFile }: SnapshotWanted,
  paths: readonly RawPath[],
): Promise<Set<RawPath>> {
  if (paths.length === 0) return new Set();
  const { stdout } = await runGit({
    dir: place.mirror,
    args: ['check-ignore', '-z', '--stdin'],
    env: envOf(place, indexFile),
    config: [['core.excludesFile', join(place.admin, LEFT_OUT)]],
    input: lines(paths.map((path) => `./${path}`)),
  });
  return new Set(
    stdout
      .toString('latin1')
      .split('\0')
      .map((path) => path.slice(2)),
  );
}

function tooLarge(
  found: readonly Found[],
  files: ReadonlyMap<RawPath, number>,
  maxBytes: number,
): Found[] {
  let left = maxBytes;
  return found.filter(({ path, bytes }) => {
    if (files.get(path) === bytes) return false;
    if (bytes <= MAX_FILE_BYTES) left -= bytes;
    return bytes > MAX_FILE_BYTES || left < 0;
  });
}

async function drop(
  { place, indexFile }: SnapshotWanted,
  tracked: readonly RawPath[],
  standing: ReadonlySet<RawPath>,
): Promise<void> {
  const gone = tracked.filter((path) => !standing.has(path));
  if (gone.length === 0) return;
  await gitBytes({
    dir: place.mirror,
    args: ['update-index', '-z', '--force-remove', '--stdin'],
    env: envOf(place, indexFile),
    input: lines(gone),
  });
}

/** A submodule is gone when its folder is. */
async function dropLinks(wanted: SnapshotWanted, gitlinks: ReadonlySet<RawPath>): Promise<void> {
  const gone: RawPath[] = [];
  for (const path of gitlinks) {
    const stat = await lstat(onDisk(wanted.place.folder, path)).catch(() => undefined);
    if (stat?.isDirectory() !== true) gone.push(path);
  }
  await drop(wanted, gone, new Set());
}

function lines(paths: readonly RawPath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}
