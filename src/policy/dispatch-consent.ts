/**
 * Whether a person who starts a task by hand has seen the text that is worked on: the plan must not have changed since.
 */
import { parsePlan } from '../domain/plan/body/parse-plan.ts';
import type { BodyVersion } from '../domain/plan/body/body-versions.ts';
import { taskDigest } from '../domain/plan/plan-digest.ts';
import { ALLOWED, forbid, type Permit } from '../domain/run/permit/permit.ts';

export interface Dispatched {
  /** The plan's text as it is now. */
  body: string;
  /** Its last edits, oldest first, including the present text; empty where nobody edited it. */
  versions: readonly Pick<BodyVersion, 'text' | 'at'>[];
  /** Whether GitHub says that nobody has edited it. */
  isUnedited: boolean;
  task: number;
  /** When it was started, milliseconds since the epoch. */
  at: number;
}

export function permitDispatch({ body, versions, isUnedited, task, at }: Dispatched): Permit {
  const now = digestIn(body, task);
  if (now === undefined) return forbid(`the plan has no task ${task} that can be read`);
  if (isUnedited) return ALLOWED;
  // An edit within the same second may have come after it.
  const before = versions.findLast((version) => version.at < at);
  if (before === undefined) return forbid(`GitHub does not tell what task ${task} said then`);
  return digestIn(before.text, task) === now
    ? ALLOWED
    : forbid(`task ${task} was changed after this workflow was started`);
}

function digestIn(body: string, task: number): string | undefined {
  const { tasks, problems } = parsePlan(body);
  const found = problems.length > 0 ? undefined : tasks.find(({ number }) => number === task);
  return found === undefined ? undefined : taskDigest(found);
}
