/** Writes a new plan, in the form that the manual shows (TG-3). */
import { fieldLabel, type PlannedFile, type PlanTask } from '../plan.ts';

export type NewTask = Pick<PlanTask, 'number' | 'title' | 'dependencies' | 'description'> & {
  estimate?: string;
  files: Pick<PlannedFile, 'path' | 'note'>[];
};

export interface NewPlan {
  title: string;
  goal: string;
  context: string;
  tasks: readonly NewTask[];
  /** Boxes of the verification list; the usual three when absent. */
  verification?: readonly string[];
}

export const USUAL_CHECKS = ['All tasks completed', 'Tests pass', 'Integration works'];

export function renderPlan({ title, goal, context, tasks, verification }: NewPlan): string {
  const parts = [
    `# [PLAN] ${title}`,
    `## Goal\n\n${goal}`,
    `## Context\n\n${context}`,
    '## Tasks',
    renderTasks(tasks),
    `## Verification\n\n${(verification ?? USUAL_CHECKS).map((text) => `- [ ] ${text}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Tasks as they stand below each other, without anything before or behind. */
export function renderTasks(tasks: readonly NewTask[]): string {
  return tasks.map(renderTask).join('\n\n---\n\n');
}

function renderTask(task: NewTask): string {
  const { number, title, dependencies, description, estimate = '', files } = task;
  const needs = dependencies.map((other) => `Task ${other}`).join(', ') || 'none';
  const fields = [
    `${fieldLabel('status')} pending`,
    fieldLabel('assignee'),
    `${fieldLabel('estimate')} ${estimate}`.trimEnd(),
    `${fieldLabel('dependencies')} ${needs}`,
    fieldLabel('files'),
  ];
  const list = files.map(({ path, note }) => `- \`${path}\`${note === '' ? '' : ` - ${note}`}`);
  return [
    `### Task ${number}: ${title}`,
    fields.join('\n'),
    ...(list.length === 0 ? [] : [list.join('\n')]),
    `${fieldLabel('description')}\n\n${description}`,
  ].join('\n\n');
}
