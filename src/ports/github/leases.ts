/**
 * Holds on tasks that instances which share nothing but GitHub agree on: refs, changed by compare-and-swap.
 *
 * Errors are those of ports/github/github.ts. A lost race is an outcome, no error.
 */
import type { HeldLease, Lease } from '../../domain/plan/lease.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';

/** Where a lease is: its full ref name, such as `refs/quorum/leases/12-3`. */
export interface LeasePlace {
  repository: RepositoryRef;
  ref: string;
  /** A commit of the repository: leases are commits that change nothing of it. */
  baseSha: string;
}

export interface Leases {
  /** Read past every cache; undefined when there is no such ref. */
  read(place: LeasePlace): Promise<HeldLease | undefined>;
  /** `exists`: somebody was first, or it was us and the answer was lost: read it. */
  create(
    place: LeasePlace,
    lease: Lease,
  ): Promise<{ outcome: 'created'; sha: string } | { outcome: 'exists' }>;
  /** Moves the ref from the commit that was read, and only from it: `lost` when the ref points elsewhere now. */
  move(
    place: LeasePlace,
    from: string,
    lease: Lease,
  ): Promise<{ outcome: 'moved'; sha: string } | { outcome: 'lost' }>;
}
