/** Stops a sandbox that exceeds its time, processes, memory or disk. */
import type { Clock } from '../../../ports/clock.ts';
import type { SandboxResult, SandboxRequest } from '../../../ports/sandbox.ts';
import { watchDisk } from './disk-watch.ts';
import { heldFiles, processesOf } from '../view/held-files.ts';
import type { Launched } from '../launch.ts';
import { MAX_PROCESSES } from './process-limits.ts';
import { isOverMemory } from './memory-use.ts';
import { countNamespace } from './processes.ts';

/** Between two looks at how many processes there are, in ms. */
const LOOK_MS = 200;

export interface Watching {
  wanted: SandboxRequest;
  maxBytes: number;
  maxDiskBytes: number;
  clock: Clock;
  signal: AbortSignal;
}

export type Stop = (why: SandboxResult['end']) => void;

/** Starts the watches; they end with the signal. */
export function watchLimits(launched: Launched, watching: Watching, stop: Stop): void {
  void untilTimeout(watching, stop);
  void untilTooMany(launched, watching, stop);
  void untilDiskFull(launched, watching, stop);
}

async function untilTimeout({ wanted, clock, signal }: Watching, stop: Stop): Promise<void> {
  if (!(await sleepUntil(clock, wanted.timeoutMs, signal))) stop('timed-out');
}

/** The kernel counts processes for a user, and those of root not at all; this counts them for a sandbox. */
async function untilTooMany(
  launched: Launched,
  { clock, signal, maxBytes }: Watching,
  stop: Stop,
): Promise<void> {
  while (!(await sleepUntil(clock, LOOK_MS, signal))) {
    const init = launched.isolatedInit();
    if (init === undefined) continue;
    const over = exceededLimit(init, maxBytes);
    // It may have ended meanwhile, and its number belong to a process outside the sandbox.
    if (over !== undefined && launched.isolatedInit() === init) stop(over);
  }
}

function exceededLimit(
  init: number,
  maxBytes: number,
): 'too-many-processes' | 'memory-limit' | undefined {
  if (countNamespace(init) > MAX_PROCESSES) return 'too-many-processes';
  return isOverMemory(init, maxBytes) ? 'memory-limit' : undefined;
}

async function untilDiskFull(
  launched: Launched,
  { wanted, clock, signal, maxDiskBytes: maxBytes }: Watching,
  stop: Stop,
): Promise<void> {
  const folders = [wanted.folder, ...(wanted.writable ?? [])];
  const deletedOn = (devices: ReadonlySet<number>): number =>
    heldFiles(processesOf(launched.isolatedInit() ?? 0), devices).deleted;
  const disk = watchDisk({ folders, maxBytes, deletedOn, clock });
  while (!(await sleepUntil(clock, LOOK_MS, signal))) if (await disk.isOver()) stop('disk-limit');
}

/** Whether the signal came first. */
export async function sleepUntil(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return false;
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
}
