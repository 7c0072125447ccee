/** A pull request that somebody closes, and opens again: its branch stays, and the same attempt goes on (CB-17). */
import type { MergeView } from '../../domain/task/merge.ts';
import { isOfTask } from '../../domain/plan/plan-digest.ts';
import { threadOfPull, type TaskRun } from '../../domain/task/task.ts';
import { want } from '../decision.ts';
import type { EffectResults } from '../../domain/result.ts';
import { complete } from './end.ts';
import { lookMerge } from './pull.ts';
import { editPlanLines, tellPlan, type TaskScene } from './scene.ts';
import { claim, takeClaim } from './work.ts';

/** Something happened to a pull request that was shut. */
export function lookWhetherOpen({ run, step }: TaskScene): string | undefined {
  const { pull, isShut, order, branch } = run;
  if (isShut !== true || pull === undefined) return 'the task is over';
  const thread = threadOfPull(order.ref.plan, pull);
  const looking = want(step, { kind: 'look-merge', thread, branch, people: [] });
  run.phase = { kind: 'ended', looking };
  return undefined;
}

/** An open one is claimed again before anything else happens. */
export function takeReopened(scene: TaskScene, { pull }: MergeView): string | undefined {
  const { run } = scene;
  run.phase = { kind: 'ended' };
  if (pull.isMerged) return complete(scene, pull.mergeSha);
  if (pull.state === 'closed') return 'it is closed still';
  // Its hold ended with the block; the next one is claimed.
  delete run.lease;
  editPlanLines(scene, 'pending', `#${run.pull?.number ?? 0} was reopened`);
  claim(scene);
  return undefined;
}

/** Who holds it again looks whether it merges; nothing is written anew. */
export function takeClaimAgain(
  scene: TaskScene,
  result: EffectResults['claim'],
): string | undefined {
  const { run } = scene;
  if (result.outcome !== 'claimed') return takeClaim(scene, result);
  run.lease = result.lease;
  delete run.isShut;
  run.phase = { kind: 'reviewing' };
  editPlanLines(scene, 'in_progress', `#${run.pull?.number ?? 0}`);
  tellPlan(scene, 'in_review');
  return lookMerge(scene);
}

/**
 * A change that a review asked for, or a conflict, and that did not come to its end, is made by the next attempt: the pull
 * request stays what it is. What a review wants is made on the same head, what conflicts on the base as it is then.
 */
export function goOnWithPull(run: TaskRun, last: TaskRun | undefined): void {
  const isSame = isOfTask(last?.order.digest, run.order.digest) && last?.mergeSha === undefined;
  const { pull, headSha, from } = last ?? {};
  if (last === undefined || !isSame || pull === undefined || headSha === undefined) return;
  if (run.remade === undefined && from !== headSha) return;
  run.pull = pull;
  run.headSha = headSha;
  if (run.remade === undefined) run.from = headSha;
  run.refinements = last.refinements;
}
