/** Files that have no name in any folder but are still open: memory files, and deleted ones. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

export interface HeldFiles {
  /** Bytes of memory files (`memfd_create`). */
  memory: number;
  /** Bytes of deleted files on the given devices. */
  deleted: number;
}

const BLOCK = 512;
/** More open files than any build has; what cannot be counted in time is over each limit. */
const MAX_OPEN = 50_000;

/** Folders in /proc of the processes in the namespace of `init`. */
export function processesOf(init: number): string[] {
  const proc = `/proc/${init}/root/proc`;
  return namesIn(proc)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => `${proc}/${name}`);
}

/** Each file counts once, however often it is open. */
export function heldFiles(
  processes: readonly string[],
  devices: ReadonlySet<number> = new Set(),
): HeldFiles {
  const held = { memory: 0, deleted: 0 };
  const seen = new Set<string>();
  const open = processes.flatMap((at) => namesIn(`${at}/fd`).map((fd) => `${at}/fd/${fd}`));
  if (open.length > MAX_OPEN) return { memory: Infinity, deleted: Infinity };
  for (const file of open) {
    const stat = tried(() => statSync(file));
    if (stat === undefined || !stat.isFile() || stat.nlink > 0) continue;
    const key = `${stat.dev}:${stat.ino}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (tried(() => readlinkSync(file))?.startsWith('/memfd:') === true)
      held.memory += stat.blocks * BLOCK;
    else if (devices.has(stat.dev)) held.deleted += stat.blocks * BLOCK;
  }
  return held;
}

/** The text of a file in /proc; empty for a process that is gone or may not be read. */
export function readProc(file: string): string {
  return tried(() => readFileSync(file, 'utf8')) ?? '';
}

function namesIn(folder: string): string[] {
  return tried(() => readdirSync(folder)) ?? [];
}

/** Processes end while they are looked at. */
function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
