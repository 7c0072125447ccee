/**
 * A control group that bounds how many processes and threads one fence has. The kernel keeps the bound itself: a count
 * from outside comes too late on a machine that is busy with what it counts, and per-user limits do not hold for root.
 */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface TaskGroup {
  /** What is written here joins the group, and its children with it. */
  procs: string;
  /** Once everything in it is gone. */
  remove: () => void;
}

/** Where version 1 has the controller by itself, and where version 2 has all of them. */
const ROOTS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'];

/** Undefined where this user may make none; then the limits of the user and the count from outside are all there is. */
export function openTaskGroup(maxTasks: number): TaskGroup | undefined {
  const root = ROOTS.find(boundsTasks);
  if (root === undefined) return undefined;
  const folder = path.join(root, `quorum-${randomUUID()}`);
  const remove = (): void => {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody is dying in it still, or it is gone: an empty group holds nothing up.
    }
  };
  try {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'pids.max'), String(maxTasks));
    return { procs: path.join(folder, 'cgroup.procs'), remove };
  } catch {
    remove();
    return undefined;
  }
}

function boundsTasks(root: string): boolean {
  try {
    accessSync(root, constants.W_OK);
    if (path.basename(root) === 'pids') return true;
    return readFileSync(path.join(root, 'cgroup.subtree_control'), 'utf8').includes('pids');
  } catch {
    return false;
  }
}

/** `argv` behind a shell that joins the group first. */
export function joining(group: TaskGroup | undefined, argv: readonly string[]): string[] {
  if (group === undefined) return [...argv];
  const script = '{ echo $$ > "$1"; } 2>/dev/null; shift; exec "$@"';
  return ['/bin/sh', '-c', script, 'sh', group.procs, ...argv];
}
