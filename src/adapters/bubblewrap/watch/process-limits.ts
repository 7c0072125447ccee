/** Limits of what one sandboxed process and its children may take of the machine. */

import { totalmem } from 'node:os';
import { CLOSE_DESCRIPTORS } from '../descriptors.ts';

/** Processes in a sandbox at one time; a build with a worker a core stays far below. */
export const MAX_PROCESSES = 1024;
/** Threads and processes together, as the kernel counts them for a user; it does not count those of root. */
const MAX_TASKS = 4096;
/** The same in one fence, where the kernel can count that. */
export const MAX_GROUP_TASKS = 2048;
/** Memory of one fence, all its processes together, where the kernel can count that: a part of the machine's. */
export const MAX_GROUP_BYTES = Math.min(8 * 1024 ** 3, Math.floor(totalmem() * 0.75));
/** That a run may add to its folders, where nobody says otherwise. */
export const MAX_DISK_BYTES = 10_000_000_000;
const MAX_OPEN_FILES = 8192;
/** One file. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;
/** Private writable memory of one process; what is only reserved does not count. */
const MAX_DATA_BYTES = 4 * 1024 ** 3;

const KB = 1024;
/** POSIX counts files in blocks. */
const BLOCK = 512;

/**
 * `argv` behind a shell that lowers its own limits first, and closes what it inherited. Of processes only where others of
 * the same user do not count too: in a namespace of its own.
 */
export function limited(argv: readonly string[], { isAlone }: { isAlone: boolean }): string[] {
  const script = [
    'ulimit -c 0',
    `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
    `ulimit -f ${MAX_FILE_BYTES / BLOCK}`,
    `ulimit -d ${MAX_DATA_BYTES / KB} 2>/dev/null`,
    // dash and busybox call it -p, bash -u.
    ...(isAlone ? [`{ ulimit -p ${MAX_TASKS} || ulimit -u ${MAX_TASKS}; } 2>/dev/null`] : []),
    CLOSE_DESCRIPTORS,
    'exec "$@"',
  ].join('; ');
  return ['/bin/sh', '-c', script, 'sh', ...argv];
}
