/** Places to work on tasks: a repository has only so many, and its plans share them, the nearest to completion first (TG-4). */
import type { ThreadRef } from '../run/thread-ref.ts';
import { sessionRefusalReason, type Session, type SessionWanted } from './sessions.ts';

/** What a plan could have at work at once. */
export interface PlacesWanted {
  thread: ThreadRef;
  /** Grows with each word of the plan: only an answer to the last one is for it. */
  said: number;
  /** Tasks that are worked on, those in review included: whatever the limit says, they are. */
  busy: number;
  /** These, and those that could begin now. */
  needs: number;
  /** Tasks that are not completed, of how many. */
  left: number;
  total: number;
  /** `access.maxConcurrentThreads`, as it was read last. */
  most: number;
  /** What each of them needs of the Coder; absent in older words. */
  session?: SessionWanted;
}

/** A plan at work, or waiting for it. */
export interface PlanAtWork extends PlacesWanted {
  /** Which life of the plan speaks: after a lost record it counts from the beginning again. */
  plan: string;
  places: number;
  /** How often another plan was given a place since it waits for one. */
  passed: number;
  /** When it spoke last, ISO 8601. */
  at: string;
}

/** Plans by the number of their issue. */
export type PlansAtWork = Readonly<Record<string, PlanAtWork>>;

export interface Shared {
  plans: PlansAtWork;
  /** Whom there is something new to tell. */
  told: PlanAtWork[];
}

/** A plan that has been passed over so often comes next, however far from its end it is. */
export const MOST_PASSED = 5;
/** Plans at work speak every quarter of an hour; an outage of days is over by then (12, P7). */
const LAPSES_MS = 7 * 24 * 3_600_000;

/**
 * Takes a plan's word, which replaces all that it said before, and gives out what is free. What a plan has not begun by
 * its next word is free again. Undefined for a word that is older than the last.
 */
export function allocateSlots(
  before: PlansAtWork,
  wanted: PlacesWanted & { plan: string },
  { now, sessions = [] }: { now: number; sessions?: readonly Session[] },
): Shared | undefined {
  const key = String(wanted.thread.number);
  const known = before[key]?.plan === wanted.plan ? before[key] : undefined;
  if (known !== undefined && known.said >= wanted.said) return undefined;
  const others = Object.entries(before).filter(
    ([other, { at }]) => other !== key && now - Date.parse(at) < LAPSES_MS,
  );
  const at = new Date(now).toISOString();
  const own = { ...wanted, places: wanted.busy, passed: known?.passed ?? 0, at };
  const waits = ({ needs, places, session }: PlanAtWork): boolean =>
    needs > places && (session === undefined || !sessionRefusalReason(sessions, session, now));
  const plans = giveOut([...others.map(([, plan]) => plan), own], { most: wanted.most, waits });
  return {
    plans: Object.fromEntries(
      plans.filter(({ needs }) => needs > 0).map((plan) => [plan.thread.number, plan]),
    ),
    told: plans.filter(
      ({ thread, places }) =>
        thread.number === wanted.thread.number || places !== before[thread.number]?.places,
    ),
  };
}

/** `waits`: it could begin another task. */
function giveOut(
  before: readonly PlanAtWork[],
  { most, waits }: { most: number; waits: (plan: PlanAtWork) => boolean },
): PlanAtWork[] {
  let plans = [...before];
  let free = most - plans.reduce((sum, { places }) => sum + places, 0);
  for (; free > 0; free -= 1) {
    const [next] = plans.filter(waits).toSorted(byTurn);
    if (next === undefined) break;
    plans = plans.map((plan) => {
      if (plan === next) return { ...plan, places: plan.places + 1, passed: 0 };
      return waits(plan) ? { ...plan, passed: plan.passed + 1 } : plan;
    });
  }
  return plans.map((plan) => (waits(plan) ? plan : { ...plan, passed: 0 }));
}

/** Passed over too often, nearer to completion, older. */
function byTurn(a: PlanAtWork, b: PlanAtWork): number {
  const late = ({ passed }: PlanAtWork): number => (passed < MOST_PASSED ? 0 : passed);
  return (
    late(b) - late(a) || a.left * b.total - b.left * a.total || a.thread.number - b.thread.number
  );
}
