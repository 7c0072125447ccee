/** Who may take a lease, keep it, give it back, and speak for its task. Pure; what nobody can read is somebody's. */
import { CLOCK_SKEW_MS, type HeldLease, type Lease, type LeaseEnd } from '../domain/plan/lease.ts';
import { isOfTask } from '../domain/plan/plan-digest.ts';

export interface LeaseWanted extends Pick<Lease, 'issue' | 'task' | 'holder' | 'digest'> {
  /** Milliseconds. */
  lastsMs: number;
  /** Somebody let it be tried again since it was blocked. */
  isFreed?: boolean;
}

/** What is to be done about a lease that is wanted. */
export type LeaseMove =
  /** Nobody has held it yet. */
  | { kind: 'create'; lease: Lease }
  /** It was given back, ran out, or is our own: moved on from the commit that was read. */
  | { kind: 'move'; from: string; lease: Lease }
  | { kind: 'held'; by: string; expiresAt: number }
  /** It is done, or waits for a person: whatever the plan's text shows. */
  | { kind: 'ended'; end: LeaseEnd };

/** What forbids that this text is worked on again. */
function endFor({ end, digest }: Lease, wanted: LeaseWanted): LeaseEnd | undefined {
  const isShut = end?.status === 'completed' || (end?.status === 'blocked' && !wanted.isFreed);
  return isShut && isOfTask(digest, wanted.digest) ? end : undefined;
}

/** Decides on what was read. What nobody can read is held by nobody knows whom, and stays so: a person must look. */
export function decideLease(
  held: HeldLease | undefined,
  wanted: LeaseWanted,
  now: number,
): LeaseMove {
  const { lastsMs, isFreed: _, ...who } = wanted;
  const next = { ...who, issuedAt: now, expiresAt: now + lastsMs, isReleased: false };
  if (held === undefined) return { kind: 'create', lease: { ...next, fence: 1 } };
  const { sha, lease } = held;
  if (lease === undefined) return { kind: 'held', by: 'somebody unknown', expiresAt: Infinity };
  const end = endFor(lease, wanted);
  if (end !== undefined) return { kind: 'ended', end };
  const isOurs = lease.holder === wanted.holder;
  if (isOurs && !lease.isReleased && lease.expiresAt > now && isOfTask(lease.digest, wanted.digest))
    return { kind: 'move', from: sha, lease: { ...next, fence: lease.fence } };
  const isFree = lease.isReleased || isOurs || lease.expiresAt + CLOCK_SKEW_MS < now;
  // A lease that expired, or was held for another text of the task, is taken again with a new number.
  if (isFree) return { kind: 'move', from: sha, lease: { ...next, fence: lease.fence + 1 } };
  return { kind: 'held', by: lease.holder, expiresAt: lease.expiresAt };
}

export interface RenewalWanted {
  now: number;
  /** Milliseconds from now. */
  lastsMs: number;
  /** One that holds so much longer stays as it is. */
  atLeastMs: number;
}

/** What is to be done so that a holder may act on what it was given. */
export type Renewal =
  | { kind: 'holds'; lease: Lease }
  /** Moved on from the commit that was read, under its own number. */
  | { kind: 'move'; from: string; lease: Lease }
  | { kind: 'lost' };

/** A hold that ran out is its holder's until somebody took it or gave it back; after that it stays lost. */
export function decideRenewal(
  held: HeldLease | undefined,
  own: Lease,
  { now, lastsMs, atLeastMs }: RenewalWanted,
): Renewal {
  const lease = held?.lease;
  const isOurs =
    lease?.holder === own.holder && lease.fence === own.fence && lease.digest === own.digest;
  if (held === undefined || !isOurs || lease.isReleased) return { kind: 'lost' };
  if (lease.expiresAt - now > atLeastMs) return { kind: 'holds', lease };
  const renewed = { ...lease, issuedAt: now, expiresAt: now + lastsMs };
  return { kind: 'move', from: held.sha, lease: renewed };
}

/**
 * Whether a lease is still to be released with this end. A released lease stays as it is, whatever an attempt of a
 * restored store says. Only a merge can come after a release, and nothing after a merge.
 */
export function mayEnd({ isReleased, end: before }: Lease, end: LeaseEnd | undefined): boolean {
  if (!isReleased) return true;
  if (end === undefined || before?.status === 'completed') return false;
  return before === undefined || end.status === 'completed';
}

/** Whether a task's words are a holder's to write: until somebody took over, and what it gave back as what that says. */
export function maySay(held: HeldLease | undefined, own: Lease, status: string): boolean {
  const lease = held?.lease;
  if (lease?.holder !== own.holder || lease.fence !== own.fence) return false;
  return !lease.isReleased || lease.end?.status === status;
}

/** Whether somebody's hold is still valid, as far as another machine can tell; an unreadable one counts as held. */
export function isHeld(held: HeldLease | undefined, now: number): boolean {
  if (held === undefined) return false;
  const { lease } = held;
  return lease === undefined || (!lease.isReleased && lease.expiresAt + CLOCK_SKEW_MS >= now);
}
