/** The life of a task: which state may follow which, and the word that its plan's body shows for each (spec 04). */
import type { TaskStatus } from './plan.ts';

export const TASK_STATES = [
  'pending',
  'claimed',
  'in_progress',
  'verifying',
  'in_review',
  'completed',
  'released',
  'blocked',
  'failed',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** Anything else is refused. A claim that expired is released from any state of its work. */
const NEXT: Readonly<Record<TaskState, readonly TaskState[]>> = {
  pending: ['claimed', 'blocked'],
  claimed: ['in_progress', 'released', 'blocked'],
  in_progress: ['verifying', 'released', 'blocked', 'failed'],
  verifying: ['in_review', 'released', 'blocked', 'failed'],
  in_review: ['completed', 'in_progress', 'blocked', 'failed'],
  completed: [],
  released: ['pending'],
  blocked: ['pending'],
  failed: ['pending', 'blocked'],
};

const WORDS: Readonly<Record<TaskState, TaskStatus>> = {
  pending: 'pending',
  claimed: 'claimed',
  in_progress: 'in_progress',
  verifying: 'in_progress',
  in_review: 'in_progress',
  completed: 'completed',
  released: 'pending',
  blocked: 'blocked',
  failed: 'pending',
};

export function mayFollow(from: TaskState, to: TaskState): boolean {
  return NEXT[from].includes(to);
}

export function toWord(state: TaskState): TaskStatus {
  return WORDS[state];
}

/** Whether some legal step changes the body's word like that; leaving it as it is always may. */
export function mayWord(from: TaskStatus, to: TaskStatus): boolean {
  if (from === to) return true;
  return TASK_STATES.some(
    (state) => WORDS[state] === from && NEXT[state].some((next) => WORDS[next] === to),
  );
}
