/** What takes long for a task: its hold is renewed meanwhile, and it ends when somebody stops it or has the task instead. */
import { taskKey } from '../../../domain/task/task.ts';
import { isRecord } from '../../../domain/config/yaml.ts';
import type { WorkSession } from '../../../ports/github/work.ts';
import type { ActPorts } from '../../ports.ts';
import { renewLease } from './take-lease.ts';
import { leaseLost, leasePlace, renewalOf, type Held } from '../coder/coding-runtime.ts';

interface Holding {
  ports: ActPorts;
  session: WorkSession;
  /** The attempt that the work is part of. */
  run: string;
  /** The pull request holds the task now, so losing the lease does not stop the work. */
  hasPull?: true;
}

/** How soon a person's stop is seen (06: dead within 5 s). */
const LOOK_MS = 500;
/** A GitHub that is away is not asked more often. */
const AGAIN_MS = 30_000;
/** How soon a job sees that the App gave up the task. */
const DISPATCHED_MS = 30_000;

/**
 * Works on while the lease is renewed and nobody has stopped the task. A stop may come from another process, so the
 * store is asked. Within the first third of a lease, GitHub is not asked for anything. A job that an App dispatched has
 * no such store, and asks GitHub twice a minute.
 *
 * @throws RefusedError `lease-lost` where the work failed after it was stopped
 */
export async function whileHeld<T>(
  held: Held,
  holding: Holding,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const ended = new AbortController();
  const watching = watch(held, holding, { stopping, ended: ended.signal });
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? leaseLost(held.task) : error;
  } finally {
    ended.abort();
    await watching;
  }
}

interface Watching {
  stopping: AbortController;
  ended: AbortSignal;
}

async function watch(held: Held, holding: Holding, { stopping, ended }: Watching): Promise<void> {
  const { clock } = holding.ports;
  const { lastsMs } = held.leaseAt;
  const isDispatched = holding.ports.codingRuntime?.isDispatched === true;
  const everyMs = isDispatched ? DISPATCHED_MS : lastsMs / 3;
  // Another renewal since then has only made the lease last longer.
  let due = isDispatched ? clock.now() + everyMs : held.lease.issuedAt + everyMs;
  const look = async (): Promise<void> => {
    if (!isDispatched && !(await isGoingOn(held, holding))) stopping.abort();
    if (clock.now() < due) return;
    due = clock.now() + Math.min(AGAIN_MS, everyMs);
    const isOurs = await renew(held, holding);
    due = clock.now() + everyMs;
    if (!isOurs && holding.hasPull !== true) stopping.abort();
  };
  // However soon it ends: what only asks for a turn, and asks again, is held too.
  do {
    // A store or a GitHub that is away for a moment ends neither the work nor the watch over it.
    await look().catch(() => undefined);
    if (!ended.aborted) await clock.sleep(LOOK_MS, ended).catch(() => undefined);
  } while (!ended.aborted && !stopping.signal.aborted);
}

/** Whether the stream's attempt is still this one, and nobody has stopped it. */
export async function isGoingOn(
  held: Pick<Held, 'thread' | 'task'>,
  { ports, run }: Pick<Holding, 'ports' | 'run'>,
): Promise<boolean> {
  const key = taskKey({ plan: held.thread, task: held.task });
  const state = (await ports.store.load(key))?.state;
  const now = isRecord(state) ? state['run'] : undefined;
  return isRecord(now) && now['id'] === run && now['cancelled'] === undefined;
}

async function renew(held: Held, { ports, session }: Holding): Promise<boolean> {
  const { lastsMs } = held.leaseAt;
  const leasing = { leases: session.leases, clock: ports.clock };
  const wanted = { own: held.lease, lastsMs, ...renewalOf(ports, (lastsMs * 2) / 3) };
  return (await renewLease(leasing, leasePlace(held, ''), wanted)) !== undefined;
}
