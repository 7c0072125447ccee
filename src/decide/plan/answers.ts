/** Tasks that wait for a person's answer, and what people said: a task whose question was answered may go on. */
import type { PlanEdit } from '../../domain/plan/body/edit-plan.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { taskKey } from '../../domain/task/task.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEvent, emitEffect, type Step } from '../run/decision.ts';
import { findAnswers } from '../task/coder/coder-questions.ts';
import type { PlanSight } from './advance.ts';

/** Numbers of the tasks that wait for an answer. */
export function asking({ tasks }: Pick<PlanState, 'tasks'>): number[] {
  return Object.values(tasks ?? {}).flatMap(({ task, asks }) => (asks === true ? [task] : []));
}

/** Gives each answer to its task, and lets it be claimed again. */
export function onAnswers(step: Step, state: PlanState, { view }: PlanSight): void {
  const { thread } = state;
  const answers = findAnswers(view.said ?? [], asking(state));
  if (answers.length === 0) return;
  for (const { task, by, text } of answers) {
    state.step += 1;
    const word = { kind: 'task-word', run: state.id, word: 'again', by, why: '' } as const;
    const key = taskKey({ plan: thread, task });
    emitEvent(step, { ...word, answer: text }, { key, suffix: `answer-${state.step}` });
    delete state.tasks?.[String(task)];
  }
  const edits = answers.map(({ task }): PlanEdit => ({ kind: 'status', task, status: 'pending' }));
  const lane = { lane: `plan:${threadKey(thread)}` };
  emitEffect(step, { kind: 'plan-edit', thread, edits }, { ...lane, isUnheard: true });
  // It is read again, as it will be then.
  state.looking = emitEffect(step, { kind: 'look-plan', thread }, lane);
}
