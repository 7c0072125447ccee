/** What happened in a run, as a standup looks back on it (LS-3): facts only, from what was recorded. */
import type { Gate } from '../../gates/receipt.ts';
import type { TaskState } from '../../plan/task-state.ts';
import type { Cost } from '../../run/ledger.ts';

/** How a run may have ended. One that a person aborted has no standup (LS-1). */
export type RecordOutcome = 'completed' | 'failed';

/** Something that a persona did. */
export interface RecordStep {
  /** Number of the task; absent for work on the plan itself. */
  task?: number;
  title: string;
  /** Handle. */
  persona: string;
  kind: 'plan' | 'task' | 'review';
  /** What came of it, whole: the prompt cuts it for others. */
  result: string;
  /** Where the task was at the end; absent for steps that are no task. */
  state?: TaskState;
}

/** All that one gate said of one task. */
export interface RecordGate {
  task: number;
  gate: Gate;
  /** As people read it: `tests`. */
  name: string;
  /** How often it was asked, and how often it did not pass. */
  attempts: number;
  failed: number;
  /** Whether it passed in the end. */
  passed: boolean;
  ms: number;
  /** What it said when it did not pass for the last time; empty when it always passed. */
  why: string;
}

/** A test, or a file of tests, and how long it took in the last run of its gate. */
export interface RecordTest {
  task: number;
  name: string;
  ms: number;
  /** Of the gate's whole run. */
  gateMs: number;
}

export interface RecordTask {
  task: number;
  title: string;
  persona: string;
  state: TaskState;
  attempts: number;
  /** How often it went back to the coder, be it for a review or for a gate. */
  fixCycles: number;
  /** As the plan has it; empty when it has none. */
  estimate: string;
  /** Time of models and gates; waiting is not work. */
  workMs: number;
  /** From its last claim to its end, where that is known. */
  elapsedMs?: number;
  /** Paths that the plan names for it. */
  planned: string[];
  /** Paths that it changed. */
  touched: string[];
}

/** A question that a task asked on its way. */
export interface RecordQuestion {
  task: number;
  persona: string;
  question: string;
  answer: string;
  /** Places, or the login of a person. */
  source: string;
  isEscalated: boolean;
}

/** A reviewer asked for something, and a person went on without it. */
export interface RecordOverruled {
  task: number;
  /** Handles of those who asked. */
  voices: string[];
  /** Login of the person, where it is known. */
  by: string;
  what: string;
  /** Why, in the person's words; empty when nothing was said. */
  why: string;
  path?: string;
  line?: number;
}

/** Something that the diff leaves for later. */
export interface RecordTodo {
  task: number;
  persona: string;
  path: string;
  /** Of the change that added it; later changes may have moved it. */
  line: number;
  text: string;
}

export interface RecordNote {
  task: number;
  text: string;
}

export interface StandupRecord {
  /** The run that is looked back on. */
  run: string;
  /** Number of its issue. */
  thread: number;
  outcome: RecordOutcome;
  /** The issue's own words, as they were written. */
  request: string;
  /** The plan's body; empty when there was no plan. */
  planText: string;
  steps: RecordStep[];
  tasks: RecordTask[];
  gates: RecordGate[];
  tests: RecordTest[];
  questions: RecordQuestion[];
  overruled: RecordOverruled[];
  todos: RecordTodo[];
  notes: RecordNote[];
  /** Files that tasks changed, each with the numbers of those tasks, ascending. */
  files: { path: string; tasks: number[] }[];
  fixCycles: number;
  cost: Cost;
  /** Who did at least one step, once each, in the order of their first (LS-2). */
  team: string[];
  /** What is not known of this run, for people and models. */
  unknown: string[];
}

/** All words of a record that a message may quote. */
export function recordTexts(record: StandupRecord): string[] {
  return [
    record.request,
    record.planText,
    ...record.steps.flatMap(({ title, result }) => [title, result]),
    ...record.gates.map(({ why }) => why),
    ...record.tests.map(({ name }) => name),
    ...record.questions.flatMap(({ question, answer, source }) => [question, answer, source]),
    ...record.overruled.flatMap(({ what, why }) => [what, why]),
    ...record.todos.map(({ text }) => text),
    ...record.notes.map(({ text }) => text),
  ];
}
