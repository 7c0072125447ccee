/** Which head people are asked to approve: channels show it with a button for as long as it waits for that. */
import { MERGE_COMMAND, readApprovals } from '../../policy/decide-merge.ts';
import type { MergeMove, MergeView } from '../../domain/task/merge-view.ts';
import type { TaskRun } from '../../domain/task/task.ts';

/** After these there is nothing to approve, or soon another head. */
const ENDS: ReadonlySet<MergeMove['kind']> = new Set([
  'over',
  'foreign-head',
  'foreign-base',
  'conflict',
  'rebuild',
]);

/**
 * Asks once everything else holds, so that nobody reads a change that is still being worked on. What was asked stays asked
 * while something else is missing for a time, because an approval holds for its head.
 */
export function noteApprovals(run: TaskRun, view: MergeView, move: MergeMove): void {
  const { headSha } = view.pull;
  if (ENDS.has(move.kind) || run.awaits?.headSha !== headSha) delete run.awaits;
  if (ENDS.has(move.kind)) return;
  const { missing, by } = readApprovals(run, view);
  if (missing.length === 0) {
    if (run.awaits !== undefined)
      run.awaits = { headSha, missing, ...(by !== undefined && { by }) };
  } else if (move.kind === 'wait' && move.missing.every((each) => isOfPeople(each, missing)))
    run.awaits = { headSha, missing };
}

/** `/pm merge` is an approval, and may come after it. */
function isOfPeople(missing: string, approvals: readonly string[]): boolean {
  return missing === MERGE_COMMAND || approvals.includes(missing);
}
