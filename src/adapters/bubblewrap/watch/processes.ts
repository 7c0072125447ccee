/** Looks at processes and ends them; Linux's /proc where it is there. */
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Sends a signal; one that is gone already is no failure. A negative id means its group. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Children of a process that has one thread; empty when it is gone. */
export function listChildProcesses(pid: number): number[] {
  const text = readOr(`/proc/${pid}/task/${pid}/children`, '');
  return text
    .split(' ')
    .filter((each) => /^\d+$/.test(each))
    .map(Number);
}

/** Whether it still runs: a zombie that nobody has collected does not. */
export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  // Its name, in parentheses, may hold anything.
  const [, state = 'X'] = /^[\s\S]*\) (\S)/.exec(readOr(`/proc/${pid}/stat`, '')) ?? [];
  return state !== 'Z' && state !== 'X';
}

/** Whether a group still has processes, those included that nobody has collected. */
export function isGroupThere(pgid: number): boolean {
  try {
    return process.kill(-pgid, 0);
  } catch {
    return false;
  }
}

/**
 * Whether a process has a root directory of its own. Until bwrap has changed it, `/proc/<pid>/root` shows the host, whose
 * processes and memory must not be counted as the sandbox's.
 */
export function hasOwnRoot(pid: number): boolean {
  try {
    const [own, host] = [statSync(`/proc/${pid}/root/`), statSync('/')];
    return own.dev !== host.dev || own.ino !== host.ino;
  } catch {
    return false;
  }
}

/** How many processes its namespace holds; 0 where that cannot be seen. */
export function countNamespace(init: number): number {
  try {
    return readdirSync(`/proc/${init}/root/proc`).filter((name) => /^\d+$/.test(name)).length;
  } catch {
    return 0;
  }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
