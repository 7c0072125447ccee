/**
 * Checks whether a run has written more to its folders than it may. The space that a file system has lost since the
 * last count is an upper bound and costs nothing to read. Folders are counted only where that passes the limit, or
 * now and then.
 */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Clock } from '../../../ports/clock.ts';

const runProgram = promisify(execFile);

export interface DiskWatch {
  /** Looks once. */
  isOver: () => Promise<boolean>;
}

export interface DiskWatchOptions {
  folders: readonly string[];
  /** That may be added to what the folders hold at the start. */
  maxBytes: number;
  /** Bytes of files on these devices that are deleted and still open: they are in no folder. */
  deletedOn: (devices: ReadonlySet<number>) => number;
  clock: Clock;
}

/** Others may free space while this run takes it: the folders are counted at least so often, in milliseconds. */
const RECOUNT_MS = 1_000;
/** A count that takes long is made less often: a tenth of the time at most. */
const PAUSES_A_COUNT = 10;

interface Counted {
  bytes: number;
  /** Some folder could not be read. */
  isPartial: boolean;
  /** Free bytes of the file systems before the count. */
  free: number;
}

/** The first count begins at once. */
export function watchDisk(options: DiskWatchOptions): DiskWatch {
  const { folders, maxBytes, deletedOn, clock } = options;
  const devices = onePerDevice(folders);
  const [one, on] = [[...devices.values()], new Set(devices.keys())];
  const count = async (): Promise<Counted> => {
    const counted = await countFolders(folders, one);
    return { ...counted, bytes: counted.bytes + deletedOn(on) };
  };
  const first = count();
  let last: Counted | undefined;
  let nextAt = 0;
  return {
    isOver: async () => {
      const base = await first;
      last ??= base;
      const bound = last.bytes - base.bytes + Math.max(0, last.free - (await freeOf(one)));
      if (bound <= maxBytes && clock.now() < nextAt) return false;
      const startedAt = clock.now();
      const now = await count();
      const tookMs = clock.now() - startedAt;
      nextAt = clock.now() + Math.max(RECOUNT_MS, PAUSES_A_COUNT * tookMs);
      const grown = now.bytes - base.bytes;
      // Nobody can count a locked folder: then the bound decides.
      if (now.isPartial && bound > maxBytes) return true;
      last = now;
      return grown > maxBytes;
    },
  };
}

async function countFolders(folders: readonly string[], one: readonly string[]): Promise<Counted> {
  const free = await freeOf(one);
  const counted = await runProgram('du', ['-sk', '--', ...folders], { env: DU_ENV }).catch(
    (error: { stdout?: string; stderr?: string }) => error,
  );
  const { stdout = '', stderr = '' } = counted;
  const sizes = [...stdout.matchAll(/^(\d+)\t/gm)].map(([, size]) => Number(size) * 1024);
  const bytes = sizes.reduce((total, each) => total + each, 0);
  return { bytes, free, isPartial: sizes.length === 0 || /denied/i.test(stderr) };
}

const DU_ENV = { PATH: process.env['PATH'], LC_ALL: 'C' };

async function freeOf(folders: readonly string[]): Promise<number> {
  const free = await Promise.all(
    folders.map((folder) =>
      statfs(folder).then(
        ({ bfree, bsize }) => bfree * bsize,
        () => 0,
      ),
    ),
  );
  return free.reduce((total, each) => total + each, 0);
}

/** One folder of each file system. */
function onePerDevice(folders: readonly string[]): Map<number, string> {
  const seen = new Map<number, string>();
  for (const folder of folders) {
    const device = statSync(folder, { throwIfNoEntry: false })?.dev;
    if (device !== undefined && !seen.has(device)) seen.set(device, folder);
  }
  return seen;
}
