/** Looks for processes that should be gone. */
import { readdirSync, readFileSync } from 'node:fs';

/** Processes of this machine with `mark` in their command line. */
export function runningWith(mark: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}

let marks = 0;

/** Seconds to sleep that no other process sleeps, also of another run of the tests: a mark to look for. */
export function aMark(): string {
  marks += 1;
  return `${7000 + marks}.${process.pid}`;
}
