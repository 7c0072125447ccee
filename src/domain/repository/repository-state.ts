/** What our own store keeps about a repository: the count behind the value meter, and the souls it has seen. */
import type { WeekState } from '../digest/week-view.ts';
import type { RunSummary } from '../run/state/run-summary.ts';
import type { SoulsSeen } from '../persona/digest.ts';
import type { PlansAtWork } from '../plan/plans-at-work.ts';
import type { Session } from '../plan/sessions.ts';
import type { RepositoryRef } from '../run/thread-ref.ts';

/** Somebody stopped all work here. */
export interface Pause {
  by: string;
  why: string;
  /** ISO 8601. */
  at: string;
  /** The comment that asked for it; absent in older ones, and for one on a diff. */
  comment?: number;
}

/** What has waited so long in a pause is out of date: it is refused, before the engine takes it for broken. */
export const LONGEST_PAUSE_HOURS = 70;

/** Until the head is another one, the clock begins no search. */
export interface SearchedHead {
  /** Empty where something of it is still to be judged. */
  sha: string;
  /** ISO 8601. */
  at: string;
}

export interface RepositoryState {
  v: number;
  isGone: boolean;
  /** When GitHub reported its deletion, ISO 8601. */
  goneAt?: string;
  /** Where it is since it was last renamed or transferred. */
  at?: Pick<RepositoryRef, 'installationId' | 'owner' | 'repo'>;
  /** Council runs with a verdict. */
  runs: number;
  /** Runs in a row in which the council left the lead's own vote as it was. */
  unchangedRuns: number;
  changedRuns: number;
  costUsd: number;
  /** Present while all work here is stopped. */
  paused?: Pause;
  /** The personas as they were last seen and believed (TG-1). */
  souls?: SoulsSeen;
  /** Names of findings that the code watch has judged, newest first: nobody is asked about them again. */
  watched?: string[];
  /** The last search of all of its code. */
  searched?: SearchedHead;
  /** Plans whose tasks are worked on, or wait for it. */
  plansAtWork?: PlansAtWork;
  /** Sessions of the Coder within the last hour, oldest first. */
  sessions?: Session[];
  /** When it was last checked whether the project is done, ISO 8601. */
  restCheckedAt?: string;
  /** The PM looks for what a complete plan left out, until then at most; ISO 8601. */
  loopUntil?: string;
  /** The status issue, and when it is due next. */
  week?: WeekState;
  /** The last runs, newest first, for people. */
  last: RunSummary[];
}

/** A repository that nothing is known of. */
export const NEW_REPOSITORY: Readonly<RepositoryState> = {
  v: 1,
  isGone: false,
  runs: 0,
  unchangedRuns: 0,
  changedRuns: 0,
  costUsd: 0,
  last: [],
};

/** A stored value as this state; undefined when nothing, or something newer, is kept. */
export function toRepositoryState(value: unknown): RepositoryState | undefined {
  return isRepositoryState(value) ? value : undefined;
}

function isRepositoryState(value: unknown): value is RepositoryState {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1;
}
