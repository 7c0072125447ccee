/** Takes, renews and releases leases. Each is safe to repeat: our lease is known by its holder. */
import { type Lease, type LeaseEnd } from '../../../domain/plan/lease.ts';
import {
  decideLease,
  decideRenewal,
  mayEnd,
  type LeaseWanted,
  type RenewalWanted,
} from '../../../policy/decide-lease.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { LeasePlace, Leases } from '../../../ports/github/leases.ts';

export type Taken =
  | { outcome: 'taken'; lease: Lease; sha: string }
  | { outcome: 'held'; by: string; expiresAt: number }
  | { outcome: 'ended'; end: LeaseEnd };

interface LeasePorts {
  leases: Leases;
  clock: Clock;
}

/** After so many lost races there are many competitors, and the next poll tries again. */
const MAX_TRIES = 3;

/** Takes a free lease, or one that ran out. Most tasks were never held: then it is made without a look first. */
export async function takeLease(
  { leases, clock }: LeasePorts,
  place: LeasePlace,
  wanted: LeaseWanted,
): Promise<Taken> {
  let by = 'somebody else';
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const held = tries === 0 ? undefined : await leases.read(place);
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

interface Renewing extends Omit<RenewalWanted, 'now'> {
  own: Lease;
  /** False where the token only reads: then a hold that ran out is lost. */
  mayMove?: boolean;
}

/**
 * Sees to it that a hold of our own stands for so long, under its own number. Undefined where somebody took it or gave it
 * back; nothing of theirs is touched then.
 */
export async function renewLease(
  { leases, clock }: LeasePorts,
  place: LeasePlace,
  { own, mayMove = true, ...how }: Renewing,
): Promise<Lease | undefined> {
  // A race can only be lost to another renewal by this instance, or to the new holder.
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const move = decideRenewal(await leases.read(place), own, { now: clock.now(), ...how });
    if (move.kind === 'lost') return undefined;
    if (move.kind === 'holds') return move.lease;
    if (!mayMove) return undefined;
    const { outcome } = await leases.move(place, move.from, move.lease);
    if (outcome === 'moved') return move.lease;
  }
  return undefined;
}

/**
 * Releases a lease, with the state that its task has from now on. The ref stays, so that fencing numbers do not restart
 * while its plan lasts.
 */
export async function releaseLease(
  { leases }: Pick<LeasePorts, 'leases'>,
  place: LeasePlace,
  own: Lease,
): Promise<'released' | 'not-ours'> {
  // A renewal of our own may move it meanwhile.
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const held = await leases.read(place);
    // None is ever taken away: a copy of GitHub that lags behind shows none yet.
    if (held === undefined) continue;
    if (held.lease === undefined || !isOf(held.lease, own)) return 'not-ours';
    const { sha, lease } = held;
    if (!mayEnd(lease, own.end)) return 'released';
    const { outcome } = await leases.move(place, sha, {
      ...lease,
      isReleased: true,
      ...(own.end === undefined ? {} : { end: own.end }),
    });
    if (outcome === 'moved') return 'released';
  }
  return 'not-ours';
}

function isOf({ holder, fence }: Lease, own: Lease): boolean {
  return holder === own.holder && fence === own.fence;
}
