/** What a run's reducer works on: its own copy of a thread's state, and where it writes what it wants. */
import type { CouncilRun, CouncilTrigger } from '../domain/council.ts';
import type { TaskRef } from '../domain/task/task.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { Planning, Proposed } from '../domain/plan/planning.ts';
import type { Cap } from '../domain/result.ts';
import type { Judgement } from '../domain/precision.ts';
import type { FindingsLedger } from '../domain/review.ts';
import type { Guidance, ModelSwitch, PastTalk, Talk } from '../domain/talk.ts';
import type { EffectData } from '../domain/effect.ts';
import type { Event } from '../domain/event.ts';
import type { EventData } from '../domain/event.ts';
import { threadKey, type ThreadRef } from '../domain/thread.ts';
import type { Done } from '../domain/undo.ts';
import type { Step } from './decision.ts';

/** Version of this state's shape; a worker that does not know it leaves it alone. */
export const THREAD_STATE_VERSION = 1;

export interface ThreadState {
  v: number;
  /** The latest run for each trigger; older ones are in the event log. */
  runs: Partial<Record<CouncilTrigger, CouncilRun>>;
  /** Everything ever found in this pull request. */
  ledger?: FindingsLedger;
  /** The PM makes a plan of this thread, or makes it again. */
  planning?: Planning;
  /** The last plan that grew from this thread. */
  proposed?: Proposed;
  /** Present when the issue is a plan, or was one. */
  plan?: PlanState;
  /** Present when the thread is the pull request of a task. */
  task?: TaskPullState;
  /** What was told of findings, by fingerprint. */
  judged?: Record<string, { subjects: string[]; month: string; judgement?: Judgement }>;
  /** What people want to be kept in mind here, oldest first. */
  guidance?: Guidance[];
  /** Comments that are being answered, by the id of the talk. */
  talks?: Record<string, Talk>;
  /** The last answers that were given, newest first. */
  answers?: PastTalk[];
  /** Which model was chosen for this thread, newest first; the first one holds (CB-14). */
  switches?: ModelSwitch[];
  /** What commands did here, newest first, and how it is taken back. */
  undos?: Done[];
  /** When people were last told that much of a cap is used, in milliseconds since the epoch. */
  warnedAt?: Partial<Record<Cap, number>>;
  /** Who was told, and in answer to which comment, that they may not. */
  denied?: { id: number; comment: number }[];
}

/** A pull request that a task opened. */
export interface TaskPullState {
  ref: TaskRef;
  /** The task's attempt, and the head that it pushed last. */
  run: string;
  headSha: string;
  /** When GitHub showed that head, by its own clock, ISO 8601; absent when that is not known. */
  headAt?: string;
  /** The run of ours whose verdict the task was told last, with its head. */
  told?: string;
  /** How often it was told anything. */
  count: number;
}

/** One event of a thread, and the state it meets. */
export interface Occasion {
  state: ThreadState;
  event: Event;
  now: number;
}

export interface Scene {
  state: ThreadState;
  run: CouncilRun;
  step: Step;
  strategy: Strategy;
}

/** What differs between the kinds of run that the council serves; everything else is the same engine. */
export interface Strategy {
  /** The effect that reads what this kind of run needs. */
  look(run: CouncilRun): EffectData;
  /** Says that work begins. */
  acknowledge(scene: Scene): void;
  /** Takes that back: the work was stopped. */
  retract(scene: Scene): void;
  /** Shows people where the run stands. */
  show(scene: Scene): void;
  /** Carries the verdict out: labels and a comment, or a review and a check. */
  carryOut(scene: Scene): void;
  /**
   * Of an errand, which is no discussion of the thread: it takes what comes back by itself, and neither people's words
   * nor what becomes of the thread moves it. Returns why there was nothing to do, or undefined.
   */
  take?(scene: Scene, data: ResultData): string | undefined;
}

/** What comes back to a run. */
export type ResultData = Extract<EventData, { kind: 'done' | 'failed' | 'timer' }>;

/** Whether a run is neither concluded nor cancelled. */
export function isOpen(run: CouncilRun): boolean {
  return run.status === 'active' || run.status === 'blocked';
}

/** The lane in which everything that is written to one thread waits its turn. */
export function writeLane(thread: ThreadRef): string {
  return `write:${threadKey(thread)}`;
}
