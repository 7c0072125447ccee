/** What an approval is bound to: a digest of everything in a plan that says what is to be done (CB-4). */
import { valueDigest } from '../persona/digest.ts';
import type { Plan } from './plan.ts';
import type { NewTask } from './body/render-plan.ts';

/**
 * Hexadecimal digits of a digest: 160 bits. The author of a plan chooses its text, so two texts of one digest must be
 * out of reach. At the 12 digits of older versions a pair costs 2^24 attempts.
 */
export const DIGEST_DIGITS = 40;
/** Of the digests that older versions kept. */
const OLD_DIGITS = 12;

/** Of one task's instructions. Status, assignee and estimate are no part: they change while it is worked on. */
export function taskDigest({
  number,
  title,
  dependencies,
  files,
  description,
}: Pick<NewTask, 'number' | 'title' | 'dependencies' | 'files' | 'description'>): string {
  const paths = files.map(({ path, note }) => ({ path, note }));
  return valueDigest({ number, title, dependencies, paths, description }).slice(0, DIGEST_DIGITS);
}

/** Of the whole plan's; ticks of the verification list are no part. */
export function planDigest({ title, goal, context, tasks, verification }: Plan): string {
  const checks = verification.map(({ text }) => text);
  const digests = tasks.map(taskDigest);
  return valueDigest({ title, goal, context, tasks: digests, checks }).slice(0, DIGEST_DIGITS);
}

/** Whether a digest that was kept is of this task's text; one of an older version is compared as far as it goes. */
export function isOfTask(kept: string | undefined, digest: string): boolean {
  if (kept === undefined) return false;
  return kept.length === OLD_DIGITS ? digest.startsWith(kept) : kept === digest;
}
