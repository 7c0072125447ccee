/** What working on tasks needs beside GitHub: git, a sandbox to run tests in, and somebody who writes code. */
import type { Config } from '../../../domain/config/config.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import { leaseRef, type Lease } from '../../../domain/plan/lease.ts';
import type { RepositoryRef, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Coder } from '../../../ports/coder.ts';
import type { Commands } from '../../../ports/commands.ts';
import type { Git } from '../../../ports/git.ts';
import type { LeasePlace } from '../../../ports/leases.ts';
import type { Log } from '../../../ports/log.ts';
import type { WorkSession } from '../../../ports/work.ts';
import type { ActPorts } from '../../ports.ts';
import { renewLease } from '../lease/take-lease.ts';

export interface CodingRuntime {
  git: Git;
  /** Sandboxed as the repository's owner allows. */
  commands(config: Config['coder']): Commands;
  /** Who writes the code of a task that carries its own change, or does not. */
  coder(config: Config['coder'], task: { hasDiff: boolean }): Coder;
  /** What takes long is written down here. */
  log: Log;
  /** Name of this installation of Quorum among those that share nothing but GitHub. */
  instance: string;
}

/** @throws RefusedError `no-workshop` where no code is written */
export function requireCodingRuntime({ codingRuntime }: ActPorts): CodingRuntime {
  if (codingRuntime !== undefined) return codingRuntime;
  throw new RefusedError({
    code: 'no-workshop',
    message: 'No code is written here. Set QUORUM_CODER=local where the App runs.',
  });
}

/** A session that can work on tasks. Throws RefusedError `no-work` where there are no such things. */
export function workAt({ github }: ActPorts, ref: RepositoryRef): WorkSession {
  const session = github.at(ref);
  if (isWork(session)) return session;
  throw new RefusedError({ code: 'no-work', message: 'There are no tasks to be worked on here.' });
}

function isWork(session: object): session is WorkSession {
  return 'leases' in session && 'tasks' in session && 'plans' in session;
}

/** A hold, as the effects of a task name it. */
export interface Held {
  thread: ThreadRef;
  task: number;
  lease: Lease;
  leaseAt: { namespace: string; lastsMs: number };
}

export function leasePlace(
  { thread, task, leaseAt }: Omit<Held, 'lease'>,
  baseSha: string,
): LeasePlace {
  const ref = leaseRef(leaseAt.namespace, { issue: thread.number, task });
  return { repository: thread, ref, baseSha };
}

/**
 * Asked right before anything is written that others see (TG-4), and before what takes long. A hold that is about to run
 * out, or that ran out and was taken by nobody, is renewed. Throws RefusedError `lease-lost`.
 */
export async function refuseLostLease(
  held: Held,
  session: WorkSession,
  { clock }: ActPorts,
): Promise<Lease> {
  const { lastsMs } = held.leaseAt;
  const ports = { leases: session.leases, clock };
  const wanted = { own: held.lease, lastsMs, atLeastMs: lastsMs / 2 };
  const lease = await renewLease(ports, leasePlace(held, ''), wanted);
  if (lease === undefined) throw leaseLost(held.task);
  return lease;
}

/** A copy of GitHub that lags behind may not show the hold yet: it is looked at once more. */
export function leaseLost(task: number): RefusedError {
  return new RefusedError({
    code: 'lease-lost',
    isEventuallyConsistent: true,
    message: `Task ${task} is not held by this attempt any more.`,
  });
}
