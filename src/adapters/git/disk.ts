/** Folders that others wrote in: measured and removed without following what they hold. */
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

export interface FolderUse {
  bytes: number;
  /** Milliseconds since the epoch, of the newest entry; 0 without entries. */
  newestMs: number;
}

/** Bytes on the disk; what has several names counts once. */
export async function measure(folder: string): Promise<FolderUse> {
  const seen = new Set<string>();
  const use: FolderUse = { bytes: 0, newestMs: 0 };
  const waiting: Buffer[] = [Buffer.from(folder)];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const stat = await lstat(at).catch(missing);
    if (stat === undefined) continue;
    use.newestMs = Math.max(use.newestMs, stat.mtimeMs);
    if (stat.isDirectory()) waiting.push(...(await namesIn(at)).map((name) => below(at, name)));
    const key = `${stat.dev}:${stat.ino}`;
    if (stat.nlink > 1 && !stat.isDirectory() && seen.has(key)) continue;
    seen.add(key);
    use.bytes += stat.blocks * 512;
  }
  return use;
}

/**
 * As {@link measure} counts them, by `du`: a folder of a package manager holds tens of thousands of files. 0 for a
 * missing folder.
 */
export async function bytesOf(folder: string): Promise<number> {
  // `du` complains about files that disappear meanwhile; its sum is still good.
  const { stdout } = await runProgram('du', ['-sk', '--', folder]).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const kilobytes = Number.parseInt(stdout, 10);
  // Without that program, or that folder, it said nothing.
  return Number.isNaN(kilobytes) ? (await measure(folder)).bytes : kilobytes * 1024;
}

/** Links stay links, modes and times what they were; blocks are shared where the file system can do that. */
export async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await runProgram('cp', ['-a', '--', from, to]);
}

/** Whatever rights those who wrote in it left behind. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await unlockFolders(Buffer.from(folder));
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function unlockFolders(at: Buffer): Promise<void> {
  const stat = await lstat(at).catch(missing);
  if (stat === undefined || !stat.isDirectory()) return;
  await chmod(at, 0o700);
  for (const name of await namesIn(at)) await unlockFolders(below(at, name));
}

/** A path of bytes: names need not be text. */
function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

async function namesIn(folder: Buffer): Promise<Buffer[]> {
  return (await readdir(folder, { encoding: 'buffer' }).catch(missing)) ?? [];
}

/** Names of the entries of a folder that Quorum owns; empty for a missing folder. */
export async function listEntries(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(missing)) ?? [];
}

/** What went away while it was looked at, or may not be looked at, is not there. */
function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR') return;
  throw error;
}

/** Removes files that a process left behind that is long gone. */
export async function removeOlder(files: readonly string[], beforeMs: number): Promise<void> {
  for (const file of files) {
    const stat = await lstat(file).catch(missing);
    if (stat !== undefined && stat.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

/** Paths below a folder that Quorum owns whose names end like this. */
export async function endingWith(folder: string, end: string): Promise<string[]> {
  const found = (await readdir(folder, { recursive: true }).catch(missing)) ?? [];
  return found.filter((path) => path.endsWith(end)).map((path) => join(folder, path));
}
