/** What the machine did during a measurement: processor time of a process, of strangers, and memory. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (`getconf CLK_TCK`). */
const TICK_MS = 10;
const NOISY = 0.2;

/** Processor time so far, in milliseconds. */
interface Spent {
  /** Of all processors, by any process. */
  busy: number;
  /** Of our own processes. */
  ours: number;
  /** Of all processors, used or not. */
  all: number;
}

/** Processor time that a process used so far, in milliseconds; 0 when it is gone. */
export function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces: counting starts behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Resident memory of a process, in megabytes (2^20 bytes). */
export function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

function spent(pids: readonly number[]): Spent {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, n) => sum + n, 0) * TICK_MS;
  const idle = ((ticks[3] ?? 0) + (ticks[4] ?? 0)) * TICK_MS;
  const ours = [process.pid, ...pids, ...postgresPids()].reduce((sum, pid) => sum + cpuOf(pid), 0);
  return { busy: all - idle, ours, all };
}

/** The database works for us; should others use it too, their load is not seen. */
function postgresPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && nameOf(name) === 'postgres')
    .map(Number);
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Starts to watch; the answer is the share of the machine that neither we nor `pids` used, from 0 to 1. */
export function watchForeignLoad(pids: readonly number[]): () => number {
  const before = spent(pids);
  return () => {
    const after = spent(pids);
    const foreign = after.busy - before.busy - (after.ours - before.ours);
    return Math.max(0, foreign / Math.max(1, after.all - before.all));
  };
}

/** `12 %`, or `34 % noisy` where figures are not to be trusted. */
export function describeLoad(share: number): string {
  const percent = `${Math.round(share * 100)} %`;
  return share > NOISY ? `${percent} noisy` : percent;
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

const QUIET_SHARE = 0.05;
const LOOK_MS = 250;

/** Resolves when the processes have nothing left to do, or after `atMostMs`. */
export async function untilQuiet(pids: readonly number[], atMostMs: number): Promise<void> {
  const deadline = performance.now() + atMostMs;
  let quiet = 0;
  while (quiet < 2 && performance.now() < deadline) {
    const before = pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
    await wait(LOOK_MS);
    const used = pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - before;
    quiet = used / LOOK_MS < QUIET_SHARE ? quiet + 1 : 0;
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The nearest rank; NaN when there are no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
