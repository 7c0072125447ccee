/** Changes to a plan's body, spliced in: every byte that is not named stays as it is (TG-3). */
import { applyEdits, type TextEdit } from '../../markdown/markdown-tree.ts';
import { insertEdits, rewriteEdits } from './rewrite-plan.ts';
import type { NewPlan, NewTask } from './render-plan.ts';
import {
  FIELDS,
  fieldLabel,
  type FieldName,
  type Plan,
  type PlanTask,
  type TaskStatus,
} from '../plan.ts';

export type PlanEdit =
  | { kind: 'status'; task: number; status: TaskStatus; reason?: string }
  | { kind: 'assignee'; task: number; assignee: string }
  /** Ticks or unticks the verification box with this index, counted from 0. */
  | { kind: 'tick'; check: number; isTicked: boolean }
  /** Puts other tasks, goal and context in the place of those that are not completed. `from`: digest of what was read. */
  | { kind: 'rewrite'; from: string; plan: NewPlan }
  /** Puts tasks before all others. */
  | { kind: 'insert'; from: string; tasks: NewTask[] };

/** The new body. An edit of a task or box that is not there is left out: the caller read the plan before. */
export function editPlan(plan: Plan, edits: readonly PlanEdit[]): string {
  return applyEdits(
    plan.source,
    edits.flatMap((edit) => toTextEdit(plan, edit)),
  );
}

function toTextEdit(plan: Plan, edit: PlanEdit): TextEdit[] {
  if (edit.kind === 'rewrite') return rewriteEdits(plan, edit.plan);
  if (edit.kind === 'insert') return insertEdits(plan, edit.tasks);
  if (edit.kind === 'tick') {
    const check = plan.verification[edit.check];
    if (check === undefined || check.isTicked === edit.isTicked) return [];
    return [{ ...check.box, text: edit.isTicked ? 'x' : ' ' }];
  }
  const task = plan.tasks.find(({ number }) => number === edit.task);
  if (task === undefined) return [];
  const text = edit.kind === 'status' ? statusText(edit) : oneLine(edit.assignee);
  return [setField(plan.source, task, { name: edit.kind, text })];
}

function statusText({ status, reason }: Extract<PlanEdit, { kind: 'status' }>): string {
  const why = oneLine(reason ?? '');
  return why === '' ? status : `${status} (${why})`;
}

/** A line break would begin a field or a task of somebody's choice. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function setField(
  source: string,
  task: PlanTask,
  field: { name: FieldName; text: string },
): TextEdit {
  const place = task.fields[field.name];
  if (place === undefined) return addField(source, task, field);
  const { start, end } = place.value;
  const gap = /\s/.test(source[start - 1] ?? '') ? '' : ' ';
  if (field.text !== '') return { start, end, text: `${gap}${field.text}` };
  // The space before it came with the value.
  const isSpaced = end > start && source[start - 1] === ' ';
  return { start: isSpaced ? start - 1 : start, end, text: '' };
}

/** In a line of its own: before the first field that comes later in the usual order, else behind the heading. */
function addField(
  source: string,
  task: PlanTask,
  field: { name: FieldName; text: string },
): TextEdit {
  const eol = /\r\n|\r|\n/.exec(source)?.[0] ?? '\n';
  const written = `${fieldLabel(field.name)} ${field.text}`.trimEnd();
  const later = FIELDS.slice(FIELDS.indexOf(field.name) + 1)
    .map((name) => task.fields[name]?.whole.start)
    .find((start) => start !== undefined);
  const start = later ?? task.heading.end;
  const isAtLineStart = start === 0 || /[\r\n]/.test(source[start - 1] ?? '');
  const before = `${isAtLineStart ? '' : eol}${later === undefined ? eol : ''}`;
  return { start, end: start, text: `${before}${written}${eol}` };
}
