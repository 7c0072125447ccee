/**
 * Control groups that bound what one sandbox takes: processes and threads, and the memory of all of them together.
 * The kernel enforces the bound: a count from outside comes too late on a busy machine, and per-user limits do not
 * hold for root.
 */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface TaskGroup {
  /** What is written to each of these joins the group, and its children with it. */
  procs: string[];
  /** The bound that the kernel has enforced: it ended a process, or refused to start one. */
  enforced: () => EnforcedBound | undefined;
  /** Once everything in it is gone. */
  remove: () => void;
}

export type EnforcedBound = 'memory-limit' | 'too-many-processes';

export interface GroupBounds {
  tasks: number;
  /** Memory of all of it; what it writes into its own memory file systems counts. */
  bytes: number;
}

/** One thing that is bounded, and the file that bounds it, in version 1 (a tree for each) and 2 (one tree). */
interface Bound {
  controller: 'pids' | 'memory';
  v1: string;
  v2: string;
  value: number;
}

const ROOT = '/sys/fs/cgroup';

/** Of what this user may bound; no more than the limits of the user and the count from outside where that is nothing. */
export function openTaskGroup({ tasks, bytes }: GroupBounds): TaskGroup {
  const bounds: Bound[] = [
    { controller: 'pids', v1: 'pids.max', v2: 'pids.max', value: tasks },
    { controller: 'memory', v1: 'memory.limit_in_bytes', v2: 'memory.max', value: bytes },
  ];
  const name = `quorum-${randomUUID()}`;
  const folders = new Set(bounds.flatMap((bound) => open(bound, name) ?? []));
  return {
    procs: [...folders].map((folder) => path.join(folder, 'cgroup.procs')),
    enforced: () => enforcedIn([...folders]),
    remove: () => folders.forEach(removeGroup),
  };
}

/** Whether this machine lets us bound the processes or the memory of a sandbox. */
export function canBound(controller: Bound['controller']): boolean {
  return rootOf(controller) !== undefined;
}

/** The group's folder in that controller's tree. */
function open({ controller, v1, v2, value }: Bound, name: string): string | undefined {
  const root = rootOf(controller);
  if (root === undefined) return undefined;
  const folder = path.join(root, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, root === ROOT ? v2 : v1), String(value));
    return folder;
  } catch {
    removeGroup(folder);
    return undefined;
  }
}

/** Where a controller can be used, if anywhere. */
function rootOf(controller: Bound['controller']): string | undefined {
  const own = path.join(ROOT, controller);
  if (isWritable(own)) return own;
  if (!isWritable(ROOT)) return undefined;
  try {
    const given = readFileSync(path.join(ROOT, 'cgroup.subtree_control'), 'utf8');
    return given.split(/\s+/).includes(controller) ? ROOT : undefined;
  } catch {
    return undefined;
  }
}

function enforcedIn(folders: readonly string[]): EnforcedBound | undefined {
  const has = (names: readonly string[], counter: RegExp): boolean =>
    folders.some((folder) => names.some((name) => counter.test(readText(path.join(folder, name)))));
  // Version 2 counts memory in one file, version 1 in the other.
  if (has(['memory.events', 'memory.oom_control'], /^oom_kill [1-9]/m)) return 'memory-limit';
  return has(['pids.events'], /^max [1-9]/m) ? 'too-many-processes' : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody is dying in it still, or it is gone: an empty group holds nothing up.
  }
}

/** `argv` behind a shell that joins the groups first. */
export function joining({ procs }: TaskGroup, argv: readonly string[]): string[] {
  if (procs.length === 0) return [...argv];
  const script = `for group in "$1" "$2"; do { echo $$ > "$group"; } 2>/dev/null; done; shift 2; exec "$@"`;
  const [first = '', second = first] = procs;
  return ['/bin/sh', '-c', script, 'sh', first, second, ...argv];
}
