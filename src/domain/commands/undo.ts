/** What a command did that can be taken back, and what it would be put back to. */
import type { Approval } from '../plan/approval.ts';
import type { TaskStatus } from '../plan/plan.ts';
import type { PlanState } from '../plan/plan-view.ts';
import type { Pause } from '../repository/repository-state.ts';

/** A task's two lines that people move. */
export interface TaskLines {
  status: TaskStatus;
  reason: string;
  assignee: string;
}

export type Undo =
  | { kind: 'hold' | 'unhold' }
  /** Approval or rejection of this text of a plan. */
  | { kind: 'answer'; digest: string; approval?: Approval; rejected?: PlanState['rejected'] }
  | { kind: 'task'; task: number; before: TaskLines; after: TaskLines }
  | { kind: 'model'; model?: string }
  | { kind: 'pause'; pause?: Pause }
  /** It cannot be: the rest of a sentence says what can be done instead. */
  | { kind: 'never'; why: string };

/** With the command that did it, as it was given. */
export type Done = Undo & {
  command: string;
  by: string;
  /** The comment that gave it; GitHub numbers them in their order. Absent in older ones, and for one on a diff. */
  comment?: number;
};
