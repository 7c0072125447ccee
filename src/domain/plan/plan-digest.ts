/** What a yes is bound to: a digest of everything in a plan that says what is to be done (CB-4). */
import { valueDigest } from '../digest.ts';
import type { Plan } from './plan.ts';
import type { NewTask } from './render-plan.ts';

/** Hexadecimal digits of a digest that people see and may type. */
const SHOWN = 12;

/** Of one task's instructions. Status, assignee and estimate are no part: they change while it is worked on. */
export function taskDigest({
  number,
  title,
  dependencies,
  files,
  description,
}: Pick<NewTask, 'number' | 'title' | 'dependencies' | 'files' | 'description'>): string {
  const paths = files.map(({ path, note }) => ({ path, note }));
  return valueDigest({ number, title, dependencies, paths, description }).slice(0, SHOWN);
}

/** Of the whole plan's; ticks of the verification list are no part. */
export function planDigest({ title, goal, context, tasks, verification }: Plan): string {
  const checks = verification.map(({ text }) => text);
  const digests = tasks.map(taskDigest);
  return valueDigest({ title, goal, context, tasks: digests, checks }).slice(0, SHOWN);
}
