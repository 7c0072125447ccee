/** A pull request that somebody closes, and opens again: its branch stays, and the same attempt goes on (CB-17). */
import type { MergeView } from '../../domain/task/merge-view.ts';
import { isOfTask } from '../../domain/plan/plan-digest.ts';
import { threadOfPull, type TaskRun } from '../../domain/task/task.ts';
import { emitEffect } from '../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import { complete } from './end-attempt.ts';
import { lookMerge } from './follow-pull.ts';
import { describeOpen } from './pull/describe-end.ts';
import { editPlanLines, notifyPlan, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';
import { claim, onClaim } from './attempt-work.ts';

/** Something happened to a pull request that was shut. */
export function lookWhetherOpen(context: TaskContext): Outcome {
  const { run, step } = context;
  const { pull, isShut, order, branch } = run;
  if (isShut !== true || pull === undefined) return ignore('the task is over');
  const thread = threadOfPull(order.ref.plan, pull);
  const looking = emitEffect(step, { kind: 'look-merge', thread, branch, people: [] });
  enter(context, { kind: 'ended', looking });
  return HANDLED;
}

/** An open one is claimed again before anything else happens. */
export function onReopened(context: TaskContext, { pull }: MergeView): Outcome {
  const { run } = context;
  enter(context, { kind: 'ended' });
  if (pull.isMerged) return complete(context, pull.mergeSha);
  if (pull.state === 'closed') return ignore('it is closed still');
  // Its hold ended with the block; the next one is claimed.
  delete run.lease;
  editPlanLines(context, 'pending', `#${run.pull?.number ?? 0} was reopened`);
  claim(context);
  return HANDLED;
}

/** With a new lease, checks whether the pull request merges. Nothing is rewritten. */
export function onClaimAgain(context: TaskContext, result: EffectResults['claim']): Outcome {
  const { run } = context;
  if (result.outcome !== 'claimed') return onClaim(context, result);
  run.lease = result.lease;
  delete run.isShut;
  enter(context, { kind: 'reviewing' });
  editPlanLines(context, 'in_progress', `#${run.pull?.number ?? 0}`);
  notifyPlan(context, 'in_review');
  describeOpen(context);
  return lookMerge(context);
}

/**
 * A change for a review or a conflict that did not finish is made by the next attempt, in the same pull request. A
 * review's change builds on the same head; a conflict's change builds on the base as it is then.
 */
export function resumeWithPull(run: TaskRun, last: TaskRun | undefined): void {
  const isSame = isOfTask(last?.order.digest, run.order.digest) && last?.mergeSha === undefined;
  const { pull, headSha, from } = last ?? {};
  if (last === undefined || !isSame || pull === undefined || headSha === undefined) return;
  if (run.remade === undefined && from !== headSha) return;
  run.pull = pull;
  run.headSha = headSha;
  if (run.remade === undefined) run.from = headSha;
  run.refinements = last.refinements;
}
