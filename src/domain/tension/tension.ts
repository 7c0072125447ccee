/** A tension over its life: opened, then accepted, rejected with a reason, or closed by a commit (spec 08). */
import type { Insight } from '../standup/insight.ts';

export const TENSION_STATES = ['open', 'accepted', 'rejected', 'closed'] as const;
export type TensionState = (typeof TENSION_STATES)[number];

/** How a tension ended without being rejected. */
export type ClosedBy =
  /** The follow-up's pull request was merged. */
  | { kind: 'commit'; sha: string; pull?: number }
  /** A person closed the follow-up as completed, and no commit shows it. */
  | { kind: 'issue'; issue: number }
  /** Every line that it cites is gone at this head. */
  | { kind: 'lines-gone'; sha: string };

export interface Tension extends Pick<
  Insight,
  'from' | 'role' | 'to' | 'type' | 'message' | 'refs' | 'actionable'
> {
  /** In its repository, from 1: people name it so. */
  number: number;
  state: TensionState;
  /** Ids of the insights that said it, oldest first. */
  insights: string[];
  /** Runs in which it was said. */
  seen: number;
  /** ISO 8601. */
  firstSeen: string;
  lastSeen: string;
  /** Run in which it was said last. */
  lastRun: string;
  /** What its cited lines were when it was said last. */
  evidence: Evidence;
  /** Login of the person who accepted or rejected it. */
  by?: string;
  /** Of a rejected one. */
  why?: string;
  /** When it left its last state, ISO 8601. */
  movedAt?: string;
  /** Number of the follow-up issue. */
  issue?: number;
  /** Number of its last follow-up that was closed as not planned. */
  notPlanned?: number;
  closedBy?: ClosedBy;
  /** The tension that was the same and is settled. */
  after?: number;
}

/** Digests of what a tension rests on. */
export interface Evidence {
  /** Of all of it: another one means that it changed. */
  digest: string;
  /** By place, as in `refs`: its path, and digests of its lines that say anything. */
  places: { path: string; lines: string[] }[];
}

/** All tensions of a repository, by number. */
export interface TensionBook {
  v: 1;
  /** Number of the next one. */
  next: number;
  tensions: Tension[];
}

export const NO_TENSIONS: TensionBook = { v: 1, next: 1, tensions: [] };

export function tensionOf({ tensions }: TensionBook, number: number): Tension | undefined {
  return tensions.find((tension) => tension.number === number);
}

/** Whether it still asks something of people. */
export function isUnsettled({ state }: Pick<Tension, 'state'>): boolean {
  return state === 'open' || state === 'accepted';
}

/** The book with one tension changed. */
export function withTension(book: TensionBook, changed: Tension): TensionBook {
  return {
    ...book,
    tensions: book.tensions.map((each) => (each.number === changed.number ? changed : each)),
  };
}
