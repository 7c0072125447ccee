/** What a standup reads, asks and keeps, as values. */
import type { Actor } from '../run/thread-ref.ts';
import type { Cost, ModelCall } from '../run/ledger.ts';
import type { Config } from '../config/config.ts';
import type { Persona, Relationship } from '../persona/persona.ts';
import type { AskedVoice, RunPhase } from '../run/state/run-base.ts';
import type { Tension } from '../tension/tension.ts';
import type { Insight } from './insight.ts';
import type { RecordOutcome, StandupRecord } from './look-back/record.ts';
import type { StandupAnswer } from './standup-answer.ts';
import type { FollowUp } from './standup-comment.ts';
import type { Strictness } from './strictness.ts';

/** What is looked back on. */
export interface StandupSource {
  /** Id of the plan, or of the run that a person asked in. */
  run: string;
  /** How it ended; a person may ask before that. */
  outcome: RecordOutcome;
  /** A person asked: that people stopped the work does not matter then. */
  isAsked?: true;
  /** Of a weekly one: what happened in these threads, by number, between two moments (ISO 8601). */
  week?: { from: string; to: string; threads: number[] };
}

/** What a standup asks from. Nothing of it is read from GitHub where a plan was read before. */
export interface StandupLook {
  /** Why there is no standup; absent where there is one. */
  off?: string;
  config: Config;
  record: StandupRecord;
  /** Participants in the order of their first step. */
  personas: Persona[];
  /** What each of them remembers, rendered, by handle. */
  memories: Readonly<Record<string, readonly string[]>>;
  /** Their present relationships to each other, by handle. */
  relationships: Readonly<Record<string, Readonly<Record<string, Relationship>>>>;
  strictness: Strictness;
  /** What rules found, as each participant would answer, by handle. */
  offline: Readonly<Record<string, StandupAnswer>>;
  nonce: string;
}

/** What a participant answered, as the model said it. */
export interface GivenAnswer {
  handle: string;
  value: unknown;
  calls: readonly ModelCall[];
}

/** Somebody without a readable answer. */
export interface SkippedVoice {
  handle: string;
  why: string;
}

/** What became of the answers. */
export interface StandupSettled {
  /** Why nothing was kept; absent where it was. */
  off?: string;
  /** Commit that citations were checked at; empty where nothing had to be checked. */
  headSha: string;
  /** Those that may be shown, type `none` included; what people rejected before stays silent. */
  insights: Insight[];
  invented: number;
  /** By id of the insight. */
  followUps: Readonly<Record<string, FollowUp>>;
  demoted: string[];
  /** Tensions that are over, because all that they cite is gone. */
  closed: number[];
}

/** What of a standup is shown, for as long as its boxes may be ticked. */
export interface ShownStandup {
  insights: Insight[];
  names: Readonly<Record<string, string>>;
  skipped: SkippedVoice[];
  invented: number;
  demoted: string[];
  headSha: string;
  cost: Cost;
  ms: number;
  isOffline: boolean;
  ticked: string[];
  followUps: Readonly<Record<string, FollowUp>>;
}

/** What people did to the boxes of our comment, as GitHub has it. */
export type TicksLook =
  /** Nothing to be done: the comment is gone, or no box differs. */
  | { kind: 'void'; why: string }
  /** More than its boxes differs: no box counts then, and it is written again. */
  | { kind: 'edited'; line: number }
  | { kind: 'boxes'; ticked: string[]; unticked: string[]; by: Actor; mayChange: boolean };

/** A move of the repository's tensions, as a value: made again on the newest state after a lost race. */
export type TensionMove =
  /** By the id of an insight that said it, or by its number. */
  | { kind: 'accept' | 'withdraw'; which: { insight: string } | { number: number }; by: string }
  | { kind: 'reject'; which: { insight: string } | { number: number }; by: string; why: string }
  | { kind: 'link'; number: number; issue: number }
  | { kind: 'deleted'; issue: number };

/** What came of one move. */
export type TensionMoved =
  | { isMoved: true; tension: Tension; insight?: string }
  | { isMoved: false; why: string; insight?: string };

export interface StandupRunState {
  phase:
    | RunPhase
    | { kind: 'answering'; waitingFor: AskedVoice[] }
    | { kind: 'settling'; effectId: string };
  /** Absent in a run of any other kind. */
  about?: StandupSource;
  answers?: GivenAnswer[];
  skipped?: SkippedVoice[];
  names?: Readonly<Record<string, string>>;
  shown?: ShownStandup;
  /** The body that was written last, without its marker: boxes are read against it. */
  body?: string;
  /** Our comment, once GitHub has it. */
  commentId?: number;
  /** Follow-up issues that are being opened, with the tension of each, by effect. */
  opening?: Record<string, { tension: number; insights: string[] }>;
  /** How often boxes were read without a delivery. */
  readings?: number;
}
