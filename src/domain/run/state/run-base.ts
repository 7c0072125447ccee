/** What a run of every kind keeps. */
import type { ErrorCode } from '../../event/error-codes.ts';
import type { Caps } from '../caps.ts';
import type { RunStatus, RunResult } from './run-summary.ts';
import type { CommentRef } from '../talk.ts';
import type { Purpose } from '../council.ts';
import type { RunAuthority } from '../permit/run-authority.ts';
import type { Actor, ThreadRef } from '../thread-ref.ts';

export type CouncilMode = 'blind' | 'sequential' | 'single';

/** Why the world is read: to start, for another round, for the verdict, because a person answered a blocked run, or before reminding somebody. */
export type LookFor = 'start' | 'round' | 'verdict' | 'answer' | 'reminder';

/** The repository's settings as the last look found them. */
export interface CouncilSettings {
  mode: CouncilMode;
  style: 'live' | 'thread';
  maxRounds: number;
  maxContributions: number;
  maxContributors: number;
  /** Handles of those who speak on a change before anybody else; absent in runs that are older. */
  required?: string[];
  debounceMs: number;
  cooldownMs: number;
  pauseMs: number;
  caps: Omit<Caps, 'warnAt'>;
  /** Default label name to the name used here. */
  labels: Record<string, string>;
  owner: string;
}

/** Somebody whose answer is awaited. */
export interface AskedVoice {
  effectId: string;
  handle: string;
  purpose: Purpose;
  /** Of what is read in parts: which one, from 0. */
  part?: number;
}

/** Phases of every kind of run; each kind adds its own. */
export type RunPhase =
  /** Reading the world before the next step. */
  { kind: 'looking'; next: LookFor; effectId: string } | { kind: 'ended' };

/** The record of a run without what only some kinds keep; its trigger is added by `Run`. */
export interface RunBase {
  id: string;
  thread: ThreadRef;
  /** Host of GitHub's pages, as the repository was read last; `github.com` when absent. */
  host?: string;
  /** The label or command that asked. */
  label: string;
  actor: Actor;
  /** Asked for at a terminal or by a command, so that no label has to stay on. */
  isRequested: boolean;
  /** A role on GitHub when absent. */
  authority?: RunAuthority;
  /** Found by the reconcile pass, not asked for just now. */
  isFound: boolean;
  /** Why the run before this one was stopped, when it was. */
  lastReason?: string;
  /** The comment whose command asked for it: the outcome is reported there. */
  askedIn?: CommentRef;
  /** How many effects and timers this run has made: their ids derive from it. */
  step: number;
  status: RunStatus;
  result?: RunResult;
  settings: CouncilSettings;
  /** What was written once at least, under names of our own. */
  written?: string[];
  /** What GitHub refused to take, in words, with the failure's code; gone when the same is written later. */
  unwritten?: { what: string; code: ErrorCode }[];
  githubCalls: number;
  startedAt: string;
  endedAt?: string;
  /** Why it ended without a verdict. */
  endReason?: string;
  /** It had ended on GitHub when the store was restored from an older backup. */
  isOvertaken?: true;
  headSha: string;
}
