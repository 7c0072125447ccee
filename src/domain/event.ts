/** What happened: the only input of a reducer. Versioned, so that a worker never guesses at a newer one's words. */
import type { RunSummary } from './council.ts';
import type { JudgedFinding } from './precision.ts';
import type { Pause } from './repository.ts';
import type { SoulsSeen } from './digest.ts';
import type { EffectKind } from './effect.ts';
import type { Failure } from './errors.ts';
import type { Result } from './result.ts';
import type { Trigger } from './trigger.ts';

/** Version of the words in this file. A worker parks what is newer than itself. */
export const EVENT_VERSION = 1;

export type EventData =
  | { kind: 'trigger'; trigger: Trigger }
  | ({ kind: 'done'; effectId: string; run: string } & Result)
  | { kind: 'failed'; effectId: string; effectKind: EffectKind; run: string; failure: Failure }
  | { kind: 'timer'; timer: string; run: string }
  | { kind: 'run-ended'; run: string; summary: RunSummary }
  /** Work in the repository stops, or goes on again. */
  | { kind: 'paused'; run: string; pause?: Pause }
  | { kind: 'souls-seen'; run: string; souls: SoulsSeen }
  /** What became of findings, for the count of who is right how often. */
  | { kind: 'judged'; run: string; judged: JudgedFinding[] }
  /** The code watch has judged findings of these names. */
  | { kind: 'watched'; run: string; names: string[] }
  | {
      /** A delivery that is no trigger. Always with an `ignoredReason`: kept, never reduced. */
      kind: 'refused';
      /** `X-GitHub-Event`. */
      event: string;
      action: string | null;
    };

export interface Event {
  /** Unique for ever: a delivery's GUID, or derived from the effect or run that caused it. */
  id: string;
  /** Stream: events of one key are reduced one at a time, in order. */
  key: string;
  version: number;
  /** When it happened, ISO 8601. */
  at: string;
  data: EventData;
}

/** An event that is not in the store yet. */
export interface NewEvent extends Event {
  /** Two deliveries that say the same thing share this; the second is kept as ignored. */
  dedupKey?: string;
  /** Kept as ignored with this reason and never reduced: what the door refused is still on record. */
  ignoredReason?: string;
  /** Not before this many milliseconds from now: a timer. */
  delayMs?: number;
}

/** How an event ended. Nothing that was acknowledged is anything else. */
export type EventStatus = 'pending' | 'done' | 'ignored' | 'parked' | 'dead';
