/** How often people agreed with what a persona raised, and who is demoted for it (spec 08, flow). */
import { INSIGHT_TYPES, type InsightType } from '../standup/insight.ts';
import type { Tension, TensionBook } from './tension.ts';

export interface Standing {
  raised: number;
  /** Accepted by a person at some time, whatever came of it later. */
  accepted: number;
  rejected: number;
  closed: number;
}

const NOTHING: Standing = { raised: 0, accepted: 0, rejected: 0, closed: 0 };

/** Fewer judgements say nothing about anybody. */
const MIN_JUDGED = 10;
const MIN_ACCEPTED = 0.2;
/** The newest judgements count, so that a persona can earn its place back. */
const MAX_JUDGED = 30;

export function standingOf(tensions: readonly Tension[]): Standing {
  return tensions.reduce(
    (sum, tension) => ({
      raised: sum.raised + 1,
      accepted: sum.accepted + Number(isAccepted(tension)),
      rejected: sum.rejected + Number(tension.state === 'rejected'),
      closed: sum.closed + Number(tension.state === 'closed'),
    }),
    NOTHING,
  );
}

/** A follow-up that was merged was accepted before. Lines that went by themselves were judged by nobody. */
function isAccepted({ state, closedBy }: Tension): boolean {
  return state === 'accepted' || (state === 'closed' && closedBy?.kind !== 'lines-gone');
}

export function standingByPersona({ tensions }: TensionBook): Record<string, Standing> {
  const groups = Map.groupBy(tensions, ({ from }) => from);
  return Object.fromEntries([...groups].map(([handle, own]) => [handle, standingOf(own)]));
}

export function standingByType({ tensions }: TensionBook): Partial<Record<InsightType, Standing>> {
  const known = INSIGHT_TYPES.map(
    (type) => [type, tensions.filter((each) => each.type === type)] as const,
  );
  return Object.fromEntries(
    known.filter(([, own]) => own.length > 0).map(([type, own]) => [type, standingOf(own)]),
  );
}

/** Handles whose insights get no box of their own any more: ten judged, and fewer than one in five accepted. */
export function demotedIn({ tensions }: TensionBook): string[] {
  const judged = tensions
    .filter((tension) => isAccepted(tension) || tension.state === 'rejected')
    .toSorted(
      (a, b) => compare(b.movedAt ?? b.lastSeen, a.movedAt ?? a.lastSeen) || b.number - a.number,
    );
  return [...Map.groupBy(judged, ({ from }) => from)]
    .filter(([, own]) => {
      const { accepted, raised } = standingOf(own.slice(0, MAX_JUDGED));
      return raised >= MIN_JUDGED && accepted / raised < MIN_ACCEPTED;
    })
    .map(([handle]) => handle)
    .toSorted();
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
