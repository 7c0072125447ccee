/** How much memory the processes of a sandbox hold together, for machines whose control groups are not ours to use. */
import { statfsSync } from 'node:fs';
import { FENCED_HOME } from '../bwrap-args.ts';
import { heldFiles, processesOf, readProc } from '../view/held-files.ts';

/** File systems of a sandbox that are memory. */
const IN_MEMORY = ['/tmp', '/dev/shm', FENCED_HOME];
const KB = 1024;

/**
 * Whether the processes in the namespace of `init` hold more than this many bytes. That is private and shared memory,
 * swap, page tables, and files that are memory, but not clean pages of files. Resident sizes count a shared page once
 * for each process, so they are an upper bound. Exact figures cost more and are read only where that passes the
 * limit.
 */
export function isOverMemory(init: number, maxBytes: number): boolean {
  const processes = processesOf(init);
  const files = usedBy(`/proc/${init}/root`) + heldFiles(processes).memory;
  const bound = sum(processes.map((at) => fieldsOf(`${at}/status`, ['VmRSS', 'VmSwap', 'VmPTE'])));
  if (bound + files <= maxBytes) return false;
  const own = sum(processes.map(privateBytes));
  const shared = sum(processes.map((at) => fieldsOf(`${at}/smaps_rollup`, ['Pss_Shmem'])));
  // A file in memory that is mapped is in both figures.
  return own + Math.max(shared, files) > maxBytes;
}

function privateBytes(at: string): number {
  const tables = fieldsOf(`${at}/status`, ['VmPTE']);
  const exact = fieldsOf(`${at}/smaps_rollup`, ['Pss_Anon', 'SwapPss']);
  return tables + (exact > 0 ? exact : fieldsOf(`${at}/status`, ['RssAnon', 'VmSwap']));
}

function usedBy(root: string): number {
  return sum(
    IN_MEMORY.map((folder) => {
      try {
        const { blocks, bfree, bsize } = statfsSync(`${root}${folder}`);
        return (blocks - bfree) * bsize;
      } catch {
        return 0;
      }
    }),
  );
}

/** The sum of fields in kilobytes, as bytes; 0 for a process that is gone or cannot be read. */
function fieldsOf(file: string, names: readonly string[]): number {
  const fields = readProc(file)
    .split('\n')
    .map((line) => line.split(':'));
  const wanted = fields.filter(([name = '']) => names.includes(name));
  return sum(wanted.map(([, value = '']) => Number.parseInt(value, 10) * KB));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, each) => total + each, 0);
}
