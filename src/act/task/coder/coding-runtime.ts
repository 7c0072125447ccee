/** What working on tasks needs beside GitHub: git, a sandbox to run tests in, and somebody who writes code. */
import type { Config } from '../../../domain/config/config.ts';
import type { CodeData } from '../../../domain/dispatch/code-order.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Judgement } from '../../../domain/gates/receipt.ts';
import { leaseRef, type Lease } from '../../../domain/plan/lease.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import {
  toRepositoryRef,
  type RepositoryRef,
  type ThreadRef,
} from '../../../domain/run/thread-ref.ts';
import type { Coder, SentErrand } from '../../../ports/coder.ts';
import type { Commands } from '../../../ports/commands.ts';
import type { Git, Worktree } from '../../../ports/git.ts';
import type { LeasePlace } from '../../../ports/github/leases.ts';
import type { Log } from '../../../ports/log.ts';
import type { WorkSession } from '../../../ports/github/work.ts';
import type { ActPorts } from '../../ports.ts';
import { renewLease } from '../lease/take-lease.ts';

export interface CodingRuntime {
  git: Git;
  /** Sandboxed as the repository's owner allows. */
  commands(config: Config['coder']): Commands;
  /** Who writes the code of a task that carries its own change, or does not. */
  coder(config: Config['coder'], task: { hasDiff: boolean }): Coder;
  /** Why nobody writes here but who applies the diff of a task; absent where a coder is there. */
  lacksCoder?: string;
  /** Why what `coder.runner` asks for is not to be had here, as a sentence's end; undefined where it is. */
  lacksRunner?: (runner: Config['coder']['runner']) => string | undefined;
  /** Fails with the TransientError `workflow-running` while a session that was sent goes on. Absent: none is sent. */
  refuseAtWork?: (errand: SentErrand) => Promise<void>;
  /** What takes long is written down here. */
  log: Log;
  /** Name of this installation of Quorum among those that share nothing but GitHub. */
  instance: string;
  /** The token only reads: a lease lasts as long as it was taken for, and is not renewed. */
  keepsLeases?: true;
  /** Works for an App elsewhere, which has the stream and the journal: here GitHub's lease says whether it goes on. */
  isDispatched?: true;
  /** What is known already, and is not asked again. */
  known?: KnownFacts;
}

export interface KnownFacts {
  /** Where the tests ran on another machine: they do not run here, and count for that head alone. */
  tested?: TestedHead;
  /** This job's look at the plan, and its moment in milliseconds since the epoch. A young one is good for a claim. */
  plan?: { view: PlanView; at: number };
  /**
   * No rule asks for signed commits: not on the branches of tasks, and not on this branch. Empty where only the branches of
   * tasks were asked about.
   */
  unsignedBase?: string;
}

/** What the tests of a commit showed. */
export interface TestedHead {
  headSha: string;
  judgement: Judgement;
}

/** @throws RefusedError `no-workshop` where no code is written */
export function requireCodingRuntime({ codingRuntime }: ActPorts): CodingRuntime {
  if (codingRuntime !== undefined) return codingRuntime;
  throw new RefusedError({
    code: 'no-workshop',
    message: 'No code is written here. Set QUORUM_CODER=local or actions where the App runs.',
  });
}

/** A session that can work on tasks. Throws RefusedError `no-work` where there are no such things. */
export function workAt({ github }: ActPorts, ref: RepositoryRef): WorkSession {
  const session = github.at(ref);
  if (isWork(session)) return session;
  throw new RefusedError({ code: 'no-work', message: 'There are no tasks to be worked on here.' });
}

/** A folder with the commit that the task starts from. */
export function openTaskFolder(
  { thread, name, branch, from: sha }: CodeData,
  { ports, config }: { ports: ActPorts; config: Pick<Config, 'coder'> },
): Promise<Worktree> {
  const { worktreeLimitMb: limitMb } = config.coder;
  const { git } = requireCodingRuntime(ports);
  return git.open(toRepositoryRef(thread), { name, branch, sha, limitMb });
}

/** Whether a session can work on tasks; at a terminal it cannot. */
export function isWork(session: object): session is WorkSession {
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
  ports: ActPorts,
): Promise<Lease> {
  const { lastsMs } = held.leaseAt;
  const leasing = { leases: session.leases, clock: ports.clock };
  const wanted = { own: held.lease, lastsMs, ...renewalOf(ports, lastsMs / 2) };
  const lease = await renewLease(leasing, leasePlace(held, ''), wanted);
  if (lease === undefined) throw leaseLost(held.task);
  return lease;
}

/** How long a hold must still last, and whether it may be renewed. A job that an App sent asks only whose it is. */
export function renewalOf(
  { codingRuntime }: ActPorts,
  atLeastMs: number,
): { atLeastMs: number; mayMove: boolean } {
  // The App that holds it may be away. Until somebody took it or gave it back, it can renew it and take the result.
  if (codingRuntime?.isDispatched === true) return { atLeastMs: -Infinity, mayMove: false };
  return codingRuntime?.keepsLeases === true
    ? { atLeastMs: 0, mayMove: false }
    : { atLeastMs, mayMove: true };
}

/** A lagging copy of GitHub may not show the lease yet, so the check is retried. */
export function leaseLost(task: number): RefusedError {
  return new RefusedError({
    code: 'lease-lost',
    isEventuallyConsistent: true,
    message: `Task ${task} is not held by this attempt any more.`,
  });
}
