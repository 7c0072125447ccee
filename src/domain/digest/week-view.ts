/** What is read at the end of a repository's week, and what is kept of its weeks. */
import type { RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { WeekSetting } from './week.ts';
import type { DigestInput } from './weekly-digest.ts';

export type WeekView =
  /** No digest is wanted here. `isClosed`: because a person closed the status issue. */
  | { kind: 'off'; why: string; isClosed?: true }
  /** The configuration says another day or hour than the timer was set for. */
  | { kind: 'moved'; setting: WeekSetting }
  | {
      kind: 'read';
      /** The week, ISO 8601. */
      from: string;
      to: string;
      digest: DigestInput;
      /** Numbers of the threads that no standup looked back on; none where no weekly standup is wanted. */
      threads: number[];
    };

export interface WeekEffect {
  /** Reads what happened in the repository's week: result is a WeekView. */
  kind: 'look-week';
  repository: RepositoryRef;
  /** What its timer was set by. */
  setting: WeekSetting;
  /** Where the week begins, ISO 8601: it includes the weeks that were missed. One week is read where it is absent. */
  since?: string;
  /** The status issue, where there is one. */
  issue?: number;
  /** It was closed before: this is logged once. */
  isOff?: true;
}

/** A week that is being written. */
export interface WeekShowing {
  effectId: string;
  from: string;
  to: string;
  facts: string;
  /** For channels, Markdown. */
  details: string;
  threads: number[];
}

/** What a repository's stream keeps of its weeks. */
export interface WeekState {
  /** Of its effects and timers. */
  id: string;
  step: number;
  repository: RepositoryRef;
  /** As the configuration said last. */
  setting?: WeekSetting;
  /** The timer that waits; absent where nothing happened since the last one. */
  timer?: string;
  /** The look that is waited for. */
  looking?: string;
  showing?: WeekShowing;
  /** Until when weeks were read, or nothing happened; ISO 8601. */
  until?: string;
  /** What the status issue tells, without dates. */
  facts?: string;
  /** Its number. */
  issue?: number;
  /** A person closed it: it stays off until somebody reopens it. */
  isOff?: true;
}

/** The week that a status issue shows, as its thread keeps it. */
export interface ShownWeek {
  run: string;
  thread: ThreadRef;
  /** ISO 8601. */
  from: string;
  to: string;
  /** For channels, Markdown. */
  details: string;
}
