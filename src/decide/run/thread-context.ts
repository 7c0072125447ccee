/** What a run's reducer works on: its own copy of a thread's state, and where it writes what it wants. */
import type { Cap } from '../../domain/run/caps.ts';
import type { Outcome } from './outcome.ts';
import type { DiscussionTrigger } from '../../domain/run/state/kind-state.ts';
import { isDiscussionRun, ofKind, type Run } from '../../domain/run/state/run-record.ts';
import type { CouncilTrigger } from '../../domain/run/run-trigger.ts';
import type { TaskRef } from '../../domain/task/task.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { Planning, Proposed } from '../../domain/plan/planning.ts';
import type { Judgement } from '../../domain/review/precision.ts';
import type { FindingsLedger } from '../../domain/review/review.ts';
import type { Guidance, ModelSwitch, PastTalk, Talk } from '../../domain/run/talk.ts';
import type { EffectData } from '../../domain/event/effect.ts';
import type { Event } from '../../domain/event/event.ts';
import type { EventData } from '../../domain/event/event.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { ShownWeek } from '../../domain/digest/week-view.ts';
import type { Done } from '../../domain/commands/undo.ts';
import type { Step } from './decision.ts';

/** Version of this state's shape; a worker that does not know it leaves it alone. */
export const THREAD_STATE_VERSION = 1;

export interface ThreadState {
  v: number;
  /** Runs by their key (`runKey`); of each key the latest, older ones are in the event log. */
  runs: Record<string, Run>;
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
  /** Present when the thread is the follow-up issue of a tension: which one, and where it was raised. */
  followUp?: { tension: number; standup: ThreadRef };
  /** Present when the thread is the repository's status issue: the week that it shows. */
  weekly?: ShownWeek;
  /** The judgements reported for findings, by fingerprint. */
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
  /** Lessons that wait for a person's answer here. Without a number, which older workers wrote, their order is it. */
  lessons?: { id: string; text: string; number?: number }[];
  /** Changes of memory that commands asked for and that are not carried out yet, by the effect. */
  memoryChanges?: Record<string, { thread: ThreadRef; lessons?: ThreadState['lessons'] & {} }>;
  /** Moves of tensions that commands asked for, and follow-up issues that are being opened for them, by the effect. */
  tensionMoves?: Record<string, TensionMoveWanted>;
  /** Until when the team is silent here, as announced to people, in milliseconds since the epoch. */
  quietUntil?: number;
  /** Who was refused for lack of permission, and in answer to which comment. */
  denied?: { id: number; comment: number }[];
}

/** A move of a tension that a command asked for. */
export interface TensionMoveWanted {
  thread: ThreadRef;
  /** Its number, once its follow-up issue is being opened. */
  tension?: number;
  /** Who wanted that issue, and who tells them of it: the persona that raised the tension. Absent in what older workers wrote. */
  told?: { login: string; by?: string; phrase?: string; title?: string };
}

/** A pull request that a task opened. */
export interface TaskPullState {
  ref: TaskRef;
  /** The task's attempt, and the head that it pushed last. */
  run: string;
  headSha: string;
  /** When GitHub showed that head, by its own clock, ISO 8601; absent when that is not known. */
  headAt?: string;
  /** Our run whose verdict the task received last, with its head. */
  told?: string;
  /** Number of events sent to the task. */
  count: number;
}

/** One event of a thread, and the state it meets. */
export interface ThreadContext {
  state: ThreadState;
  event: Event;
  now: number;
}

export interface RunContext<K extends CouncilTrigger = CouncilTrigger> {
  state: ThreadState;
  run: Run<K>;
  step: Step;
  kind: RunKind<K>;
}

export type DiscussionContext = RunContext<DiscussionTrigger>;

export function isDiscussionContext(context: RunContext): context is DiscussionContext {
  return isDiscussionRun(context.run);
}

export function isOfKind<K extends CouncilTrigger>(
  context: RunContext,
  kind: K,
): context is RunContext<K> {
  return context.run.trigger === kind;
}

/** A kind of run: how it begins, how it handles results, and what people see of it. */
export interface RunKind<K extends CouncilTrigger = CouncilTrigger> {
  /** As people call it. */
  name: string;
  /** Default name of the label that starts it on an issue; none does where it is absent. */
  label?: string;
  /** The effect that reads what this kind of run needs, first and before each later move. */
  look(run: Run<K>): EffectData;
  /** It begins only when what is being written on the thread is written: people come first. */
  waitsForWrites?: true;
  /** Says that work begins, where nothing else shows it. */
  acknowledge?(context: RunContext<K>): void;
  /** Handles a result for one of its runs. */
  onEvent(context: RunContext<K>, data: ResultData): Outcome;
  /** Shows people the state of the run. */
  show(context: RunContext<K>): void;
  /** Tells how it ended: carries a verdict out, or says what stopped it (the run is `closed` then). */
  end(context: RunContext<K>): void;
}

/** Results that a run receives. */
export type ResultData = Extract<EventData, { kind: 'done' | 'failed' | 'timer' }>;

/** The latest run of a kind that has one run in a thread. */
export function runOf<K extends CouncilTrigger>(
  { runs }: Pick<ThreadState, 'runs'>,
  kind: K,
): Run<K> | undefined {
  return ofKind(runs[kind], kind);
}

/** Whether a run is neither concluded nor cancelled. */
export function isOpen(run: Run): boolean {
  return run.status === 'active' || run.status === 'blocked';
}

/** The lane in which everything that is written to one thread waits its turn. */
export function writeLane(thread: ThreadRef): string {
  return `write:${threadKey(thread)}`;
}
