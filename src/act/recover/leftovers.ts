/** What work on tasks has left behind: worktrees that nobody touches, and holds that ran out (CB-5). */
import { type Lease } from '../../domain/plan/lease.ts';
import { isHeld } from '../../policy/decide-lease.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import { pullNamedBy } from '../../domain/plan/plan.ts';
import type { RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { LeasePlace } from '../../ports/github/leases.ts';
import { releaseLease } from '../task/lease/take-lease.ts';
import type { ActPorts } from '../ports.ts';
import type { ReadSettings } from '../settings/read-settings.ts';
import { settingsNow } from '../read/survey.ts';
import { leasePlace, workAt, requireCodingRuntime } from '../task/coder/coding-runtime.ts';
import { openPlans } from './rebuild-store.ts';

export interface Leftovers {
  worktrees: { name: string; branch: string; idleMs: number }[];
  leases: ExpiredLease[];
}

export interface ExpiredLease {
  repository: string;
  ref: string;
  holder: string;
  expiredAt: string;
  place: LeasePlace;
  lease: Lease;
}

interface Looking {
  ports: ActPorts;
  readSettings: ReadSettings;
  /** Worktrees in which nothing has changed for so long. */
  idleMs: number;
}

const MINUTE_MS = 60_000;

export async function findLeftovers(looking: Looking): Promise<Leftovers> {
  const { ports, idleMs } = looking;
  const worktrees = await requireCodingRuntime(ports).git.worktrees();
  const leases: ExpiredLease[] = [];
  const { app } = ports.github;
  for (const { installationId, isSuspended } of await app.installations()) {
    if (isSuspended) continue;
    for (const ref of await app.repositories(installationId))
      leases.push(...(await findExpiredLeases(ref, looking)));
  }
  return { worktrees: worktrees.filter((each) => each.idleMs >= idleMs), leases };
}

/** Worktrees are removed, holds are given back; branches and their commits stay. */
export async function removeLeftovers(
  { worktrees, leases }: Leftovers,
  ports: ActPorts,
): Promise<void> {
  const { git } = requireCodingRuntime(ports);
  for (const { name } of worktrees) await git.remove(name);
  for (const { place, lease } of leases) {
    const session = workAt(ports, place.repository);
    await releaseLease(session, place, lease);
  }
}

/** Of tasks of the open plans of a repository that no pull request holds. */
export async function findExpiredLeases(
  ref: RepositoryRef,
  looking: Pick<Looking, 'ports' | 'readSettings'>,
): Promise<ExpiredLease[]> {
  const plans = await openPlans(ref, looking);
  const all = await Promise.all(plans.map((thread) => expiredOf(thread, looking)));
  return all.flat();
}

async function expiredOf(
  thread: ThreadRef,
  { ports, readSettings }: Pick<Looking, 'ports' | 'readSettings'>,
): Promise<ExpiredLease[]> {
  const session = workAt(ports, thread);
  const { config, body } = await settingsNow(thread, session, { readSettings });
  const { leaseNamespace: namespace, leaseMinutes } = config.plans;
  const leaseAt = { namespace, lastsMs: leaseMinutes * MINUTE_MS };
  const expired: ExpiredLease[] = [];
  for (const found of parsePlan(await body()).tasks) {
    const { number: task, status } = found;
    // Its pull request holds the task; the instance that continues it renews the lease.
    if (status === 'in_progress' && pullNamedBy(found) !== undefined) continue;
    const place = leasePlace({ thread, task, leaseAt }, '');
    const kept = await session.leases.read(place);
    const { lease } = kept ?? {};
    if (lease === undefined || lease.isReleased || isHeld(kept, ports.clock.now())) continue;
    const repository = `${thread.owner}/${thread.repo}`;
    const expiredAt = new Date(lease.expiresAt).toISOString();
    expired.push({ repository, ref: place.ref, holder: lease.holder, expiredAt, place, lease });
  }
  return expired;
}
