/** A pull request that somebody closes, and opens again: its branch stays, and the same attempt goes on (CB-17). */
import type { MergeView } from '../../domain/task/merge-view.ts';
import { isOfTask } from '../../domain/plan/plan-digest.ts';
import { threadOfPull, type TaskRun } from '../../domain/task/task.ts';
import { emitEffect } from '../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import { complete } from './end-attempt.ts';
import { lookMerge } from './follow-pull.ts';
import { editPlanLines, notifyPlan, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';
import { claim, onClaim } from './attempt-work.ts';

/** Something happened to a pull request that was shut. */
export function lookWhetherOpen({ run, step }: TaskContext): Outcome {
  const { pull, isShut, order, branch } = run;
  if (isShut !== true || pull === undefined) return ignore('the task is over');
  const thread = threadOfPull(order.ref.plan, pull);
  const looking = emitEffect(step, { kind: 'look-merge', thread, branch, people: [] });
  enter(run, { kind: 'ended', looking });
  return HANDLED;
}

/** An open one is claimed again before anything else happens. */
export function onReopened(context: TaskContext, { pull }: MergeView): Outcome {
  const { run } = context;
  enter(run, { kind: 'ended' });
  if (pull.isMerged) return complete(context, pull.mergeSha);
  if (pull.state === 'closed') return ignore('it is closed still');
  // Its hold ended with the block; the next one is claimed.
  delete run.lease;
  editPlanLines(context, 'pending', `#${run.pull?.number ?? 0} was reopened`);
  claim(context);
  return HANDLED;
}

/** Who holds it again looks whether it merges; nothing is written anew. */
export function onClaimAgain(context: TaskContext, result: EffectResults['claim']): Outcome {
  const { run } = context;
  if (result.outcome !== 'claimed') return onClaim(context, result);
  run.lease = result.lease;
  delete run.isShut;
  enter(run, { kind: 'reviewing' });
  editPlanLines(context, 'in_progress', `#${run.pull?.number ?? 0}`);
  notifyPlan(context, 'in_review');
  return lookMerge(context);
}

/**
 * A change that a review asked for, or a conflict, and that did not come to its end, is made by the next attempt: the pull
 * request stays what it is. What a review wants is made on the same head, what conflicts on the base as it is then.
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
