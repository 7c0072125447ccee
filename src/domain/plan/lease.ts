/** A lease on a task: a git ref that points to an empty commit whose message says who holds what until when (TG-4). */
import { isOfTask } from './plan-digest.ts';

export interface Lease {
  /** The plan's issue and the task in it. */
  issue: number;
  task: number;
  /** Who holds it: an instance and one of its attempts, so that its own hold is known again after a lost answer. */
  holder: string;
  /** Digest of the task as it was approved. */
  digest: string;
  /** Grows with every new holder: what an earlier one still sends is refused by its lower number. */
  fence: number;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  expiresAt: number;
  /** Given back: anybody may take it at once, unless what its end says forbids it. */
  isReleased: boolean;
  /** What the task has been since it was given back, whatever the plan's text shows: absent in older ones. */
  end?: LeaseEnd;
}

/** A task's words when its hold ended. */
export interface LeaseEnd {
  status: 'pending' | 'blocked' | 'completed';
  /** One line; may be empty. */
  reason: string;
}

/** What a lease's ref pointed to when it was read. */
export interface HeldLease {
  sha: string;
  /** Undefined when the commit's message is none of a lease: nobody can tell who holds it. */
  lease: Lease | undefined;
}

/** Clocks of machines that share nothing may differ by so much: an expired lease is left alone a little longer. */
export const CLOCK_SKEW_MS = 2 * 60_000;

/** The ref's full name; `namespace` is `refs/quorum/leases`, or another one where a host refuses that. */
export function leaseRef(
  namespace: string,
  { issue, task }: Pick<Lease, 'issue' | 'task'>,
): string {
  return `${namespace}/${issue}-${task}`;
}

const HEADER = 'quorum lease v1';
const LINE = /^([a-z]+): (.*)$/gm;

/** The commit's message. */
export function renderLease(lease: Lease): string {
  const { issue, task, holder, digest, fence, issuedAt, expiresAt, isReleased, end } = lease;
  return [
    HEADER,
    '',
    `issue: ${issue}`,
    `task: ${task}`,
    `holder: ${holder.replaceAll(/\s+/g, ' ')}`,
    `digest: ${digest}`,
    `fence: ${fence}`,
    `issued: ${new Date(issuedAt).toISOString()}`,
    `expires: ${new Date(expiresAt).toISOString()}`,
    ...(isReleased ? ['released: yes'] : []),
    ...(end === undefined ? [] : [`ended: ${end.status}`]),
    ...(end === undefined || end.reason === ''
      ? []
      : [`why: ${end.reason.replaceAll(/\s+/g, ' ')}`]),
    '',
  ].join('\n');
}

/** Undefined when the text is no lease, or lacks anything. */
export function parseLease(message: string): Lease | undefined {
  if (message.split('\n')[0]?.trim() !== HEADER) return undefined;
  const words = new Map(
    Array.from(message.matchAll(LINE), ([, name = '', value = '']) => [name, value]),
  );
  const numbers = ['issue', 'task', 'fence'].map((name) => Number(words.get(name)));
  const times = ['issued', 'expires'].map((name) => Date.parse(words.get(name) ?? ''));
  const [issue = NaN, task = NaN, fence = NaN] = numbers;
  const [issuedAt = NaN, expiresAt = NaN] = times;
  const holder = words.get('holder') ?? '';
  const isWhole =
    [...numbers, ...times].every((value) => Number.isSafeInteger(value)) && holder !== '';
  if (!isWhole) return undefined;
  const digest = words.get('digest') ?? '';
  return {
    issue,
    task,
    holder,
    digest,
    fence,
    issuedAt,
    expiresAt,
    isReleased: words.get('released') === 'yes',
    ...endIn(words),
  };
}

function endIn(words: ReadonlyMap<string, string>): Pick<Lease, 'end'> {
  const status = ENDS.find((word) => word === words.get('ended'));
  return status === undefined ? {} : { end: { status, reason: words.get('why') ?? '' } };
}

const ENDS = ['pending', 'blocked', 'completed'] as const;

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
  // What was held for another task's text, or ran out, is taken anew: with a number of its own.
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
 * Whether a lease is still to be given back with this end. One that was given back stays as it is, whatever an attempt of a
 * restored store says: only a merge can come after that, and nothing after a merge.
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

/** Whether somebody's hold stands, as far as another machine can tell; one that nobody can read is somebody's. */
export function isHeld(held: HeldLease | undefined, now: number): boolean {
  if (held === undefined) return false;
  const { lease } = held;
  return lease === undefined || (!lease.isReleased && lease.expiresAt + CLOCK_SKEW_MS >= now);
}
