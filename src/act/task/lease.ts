/** Takes, renews and gives back leases. Each is safe to repeat: a hold of ours is known by its holder. */
import {
  decideLease,
  type HeldLease,
  type Lease,
  type LeaseEnd,
  type LeaseWanted,
} from '../../domain/plan/lease.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeasePlace, Leases } from '../../ports/leases.ts';

export type Taken =
  | { outcome: 'taken'; lease: Lease; sha: string }
  | { outcome: 'held'; by: string; expiresAt: number }
  | { outcome: 'ended'; end: LeaseEnd };

interface LeasePorts {
  leases: Leases;
  clock: Clock;
}

/** A race that is lost so often is lost to many: the next poll tries again. */
const MAX_TRIES = 3;

/** Takes a free lease, or one that ran out. Most tasks were never held: then it is made without a look first. */
export async function takeLease(
  ports: LeasePorts,
  place: LeasePlace,
  wanted: LeaseWanted,
): Promise<Taken> {
  return contend(ports, place, { wanted, mayBeFirst: true });
}

/** Renews a hold of our own. */
export async function renewLease(
  ports: LeasePorts,
  place: LeasePlace,
  wanted: LeaseWanted,
): Promise<Taken> {
  return contend(ports, place, { wanted, mayBeFirst: false });
}

async function contend(
  { leases, clock }: LeasePorts,
  place: LeasePlace,
  { wanted, mayBeFirst }: { wanted: LeaseWanted; mayBeFirst: boolean },
): Promise<Taken> {
  let by = 'somebody else';
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const held = tries === 0 && mayBeFirst ? undefined : await leases.read(place);
    const move = decideLease(held, wanted, clock.now());
    if (move.kind === 'held') return { outcome: 'held', by: move.by, expiresAt: move.expiresAt };
    if (move.kind === 'ended') return { outcome: 'ended', end: move.end };
    const done =
      move.kind === 'create'
        ? await leases.create(place, move.lease)
        : await leases.move(place, move.from, move.lease);
    if (done.outcome === 'created' || done.outcome === 'moved')
      return { outcome: 'taken', lease: move.lease, sha: done.sha };
    by = held?.lease?.holder ?? by;
  }
  return { outcome: 'held', by, expiresAt: clock.now() };
}

/**
 * Gives a lease back, with what its task is from now on; the ref stays, so that fencing numbers never begin anew while
 * its plan lasts.
 */
export async function releaseLease(
  { leases }: Pick<LeasePorts, 'leases'>,
  place: LeasePlace,
  own: Lease,
): Promise<'released' | 'not-ours'> {
  const held: HeldLease | undefined = await leases.read(place);
  const lease = held?.lease;
  if (held === undefined || lease === undefined) return 'not-ours';
  if (lease.holder !== own.holder || lease.fence !== own.fence) return 'not-ours';
  if (lease.isReleased && lease.end?.status === own.end?.status) return 'released';
  const { outcome } = await leases.move(place, held.sha, {
    ...lease,
    isReleased: true,
    ...(own.end === undefined ? {} : { end: own.end }),
  });
  return outcome === 'moved' ? 'released' : 'not-ours';
}
