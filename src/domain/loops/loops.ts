/**
 * Loops of a host that only the time triggers: their names, when they are due, and the event that begins a period. What is
 * due in one repository is a timer of its stream.
 */
import { EVENT_VERSION, type NewEvent } from '../event/event.ts';
import { PURGE_KEY, SWEEP_KEY } from '../tenant/recovery.ts';

/** Milliseconds since the epoch; `until` is the start of the next period. */
export interface Period {
  from: number;
  until: number;
}

/** A loop over everything that a host looks after. */
export interface HostLoop {
  name: 'reconcile' | 'purge';
  /** The period that a moment is in; undefined where the loop is switched off. */
  periodAt: (now: number, host: HostSchedule) => Period | undefined;
  /** Its id derives from the period: hosts that share a store begin each period once. */
  begin: (period: Period) => NewEvent;
}

export interface HostSchedule {
  /** Time between two reconcile passes; 0 for none. */
  reconcileEveryMs: number;
}

const DAY_MS = 24 * 3_600_000;

/** Looks for lost webhooks. */
const RECONCILE: HostLoop = {
  name: 'reconcile',
  periodAt: (now, { reconcileEveryMs }) =>
    reconcileEveryMs === 0 ? undefined : periodOf(now, reconcileEveryMs),
  begin: (period) => toTick(period, { key: SWEEP_KEY, loop: 'reconcile', id: indexOf(period) }),
};

/** Erases what is past its retention, once a day. */
const PURGE: HostLoop = {
  name: 'purge',
  periodAt: (now, { reconcileEveryMs }) =>
    reconcileEveryMs === 0 ? undefined : periodOf(now, DAY_MS),
  begin: (period) => toTick(period, { key: PURGE_KEY, loop: 'purge', id: indexOf(period) }),
};

export const LOOPS: readonly HostLoop[] = [RECONCILE, PURGE];

/** Events of all loops of a host that are due at this moment. Those that were begun before are duplicates by their id. */
export function dueInHost(now: number, host: HostSchedule): NewEvent[] {
  return LOOPS.flatMap((loop) => {
    const period = loop.periodAt(now, host);
    return period === undefined ? [] : [{ ...loop.begin(period), at: isoOf(now) }];
  });
}

function periodOf(now: number, everyMs: number): Period {
  const from = Math.floor(now / everyMs) * everyMs;
  return { from, until: from + everyMs };
}

/** Number of the period since the epoch: ids have it, and so does what older versions stored. */
function indexOf({ from, until }: Period): string {
  return String(Math.round(from / (until - from)));
}

function toTick({ from }: Period, { key, loop, id }: TickOf): NewEvent {
  return {
    id: `tick:${loop}:${id}`,
    key,
    version: EVENT_VERSION,
    at: isoOf(from),
    data: { kind: 'trigger', trigger: { kind: 'tick', loop } },
  };
}

interface TickOf {
  key: string;
  loop: 'reconcile' | 'purge';
  id: string;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
