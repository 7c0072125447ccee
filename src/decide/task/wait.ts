/** An open pull request waits: its check says what for, and it is looked at again, ever more rarely. */
import { HANDLED, type Outcome } from '../run/outcome.ts';
import { wantLook } from '../run/patience.ts';
import { showMerge } from './task-checks.ts';
import { notifyPlan, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';

/** GitHub works out in the background whether a head merges. */
export const SOON_MS = 3_000;

interface Waiting {
  missing: string[];
  isSoon?: true | undefined;
  /** What the plan is told as well: no time and no word brings it on, only what a person does. */
  stuck?: string;
  /** Whose check says so; the one that went through the gates when absent. */
  headSha?: string | undefined;
  /** Nothing is missing, and others do the rest. */
  says?: string;
}

export function waitForPerson(context: TaskContext, stuck: string, headSha?: string): Outcome {
  return wait(context, { missing: [stuck], stuck, headSha });
}

export function wait(
  context: TaskContext,
  { missing, isSoon, stuck, headSha, says }: Waiting,
): Outcome {
  const { run, step } = context;
  const told = says === undefined ? missing : [says];
  const isNews = JSON.stringify(run.missing) !== JSON.stringify(told);
  if (isNews) showMerge(context, { missing, headSha, says });
  if (run.stuck !== stuck)
    notifyPlan(context, 'in_review', stuck === undefined ? {} : { reason: stuck });
  if (stuck === undefined) delete run.stuck;
  else run.stuck = stuck;
  run.missing = told;
  const looks = Math.max((run.refusals ?? 1) - 1, isNews ? 0 : (run.looks ?? 0) + 1);
  run.looks = looks;
  const timer = wantLook(step, looks, isSoon === true ? { firstMs: SOON_MS } : {});
  enter(run, { kind: 'reviewing', timer });
  return HANDLED;
}
