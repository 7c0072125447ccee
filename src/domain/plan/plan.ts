/** A plan as data: what its issue's body says, the place of each part, and its problems (TG-3). */

/** The five words that a body may hold; the finer state of a task is the App's own. */
export const TASK_STATUSES = ['pending', 'claimed', 'in_progress', 'completed', 'blocked'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Part of a body: offsets in UTF-16 units, end excluded. */
export interface Span {
  start: number;
  end: number;
}

export interface PlannedFile {
  /** Relative to the repository's root, `/` between its parts. */
  path: string;
  /** What changes there; may be empty. */
  note: string;
  /** Counted from 1. */
  line: number;
}

/** Fields of a task in the order in which they are written. */
export const FIELDS = [
  'status',
  'assignee',
  'estimate',
  'dependencies',
  'files',
  'description',
] as const;
export type FieldName = (typeof FIELDS)[number];

const LABELS: Readonly<Record<FieldName, string>> = {
  status: 'Status',
  assignee: 'Assignee',
  estimate: 'Estimate',
  dependencies: 'Dependencies',
  files: 'Files',
  description: 'Description',
};

/** A field as it begins. */
export function fieldLabel(name: FieldName): string {
  return `**${LABELS[name]}:**`;
}

/** The place of a field in the body. */
export interface FieldPlace {
  /** Counted from 1. */
  line: number;
  /** The first line of its value, without comments around it; empty, after the name, for a field without a value. */
  value: Span;
  /** From its name to where the next field or the task's end begins. */
  whole: Span;
}

export interface PlanTask {
  number: number;
  title: string;
  status: TaskStatus;
  /** The text after the status; may be empty. */
  statusReason: string;
  /** As written; empty when nobody is named. */
  assignee: string;
  estimate: string;
  /** Numbers of tasks of this plan, ascending, each once. */
  dependencies: number[];
  files: PlannedFile[];
  /** Markdown without the separator behind it. */
  description: string;
  /** Of its heading, counted from 1. */
  line: number;
  /** The line or lines of its heading, with their end. */
  heading: Span;
  /** From its heading to the next task or section. */
  whole: Span;
  fields: Partial<Record<FieldName, FieldPlace>>;
}

/** A box of the verification list. */
export interface PlanCheck {
  text: string;
  isTicked: boolean;
  /** Counted from 1. */
  line: number;
  /** The one character between the brackets. */
  box: Span;
}

export type PlanProblemCode =
  | 'duplicate-task'
  | 'unknown-dependency'
  | 'cycle'
  | 'missing-title'
  | 'bad-path'
  | 'bad-status'
  | 'no-tasks'
  | 'too-long';

export interface PlanProblem {
  code: PlanProblemCode;
  /** Counted from 1. */
  line: number;
  /** The problem and its fix, in one or two sentences. */
  message: string;
}

export interface Plan {
  /** The body that it was read from, byte for byte. */
  source: string;
  /** Without `[PLAN]`; empty when the body has no such heading. */
  title: string;
  /** Markdown; empty when there is no such section. */
  goal: string;
  context: string;
  /** In the order of the body, duplicates included. */
  tasks: PlanTask[];
  verification: PlanCheck[];
  /** In the order of lines. A plan with any is never acted on. */
  problems: PlanProblem[];
  /** Where the texts of these sections stand, headings excluded. */
  sections?: Partial<Record<'goal' | 'context', Span>>;
}

/** Number of the pull request that a task's line names as what came of it. */
export function pullNamedBy({ statusReason }: Pick<PlanTask, 'statusReason'>): number | undefined {
  const [, number] = /^#(\d+)$/.exec(statusReason) ?? [];
  return number === undefined ? undefined : Number(number);
}
