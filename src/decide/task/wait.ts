/** An open pull request waits. Its check says for what, and it is looked at again at growing intervals. */
import { HANDLED, type Outcome } from '../run/outcome.ts';
import { wantLook } from '../run/patience.ts';
import { showMerge } from './checks/task-checks.ts';
import { notifyPlan, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';

/** GitHub works out in the background whether a head merges. */
export const SOON_MS = 3_000;

interface Waiting {
  missing: string[];
  isSoon?: true | undefined;
  /** Also goes to the plan as the reason: only a person's action resolves it, not time or a comment. */
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
  enter(context, { kind: 'reviewing', timer });
  return HANDLED;
}
