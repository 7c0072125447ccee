/** A tension as machines read it. What it rests on is ours. */
import type { InsightRef, InsightType } from '../standup/insight.ts';
import type { ClosedBy, Tension, TensionState } from './tension.ts';

/** The pinned form of `GET /api/v1/tensions`: every field is always there. */
export interface ListedTension {
  number: number;
  state: TensionState;
  from: string;
  role: string;
  /** Null where it is for nobody in particular. */
  to: string | null;
  type: InsightType;
  message: string;
  refs: InsightRef[];
  actionable: boolean;
  /** Runs in which it was said. */
  seen: number;
  /** ISO 8601. */
  firstSeen: string;
  lastSeen: string;
  /** Login of the person who accepted or rejected it. */
  by: string | null;
  /** Of a rejected one. */
  why: string | null;
  /** Number of the follow-up issue. */
  issue: number | null;
  closedBy: ClosedBy | null;
}

export function toListedTension(tension: Tension): ListedTension {
  const { number, state, from, role, to, type, message, refs, actionable } = tension;
  const { seen, firstSeen, lastSeen, by, why, issue, closedBy } = tension;
  return {
    number,
    state,
    from,
    role,
    to: to ?? null,
    type,
    message,
    refs,
    actionable,
    seen,
    firstSeen,
    lastSeen,
    by: by ?? null,
    why: why ?? null,
    issue: issue ?? null,
    closedBy: closedBy ?? null,
  };
}
