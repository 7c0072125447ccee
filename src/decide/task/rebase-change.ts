/** A change is moved onto the present base: by git where the two fit together, else by the coder. */
import type { EffectResults } from '../../domain/event/result.ts';
import type { TaskRun } from '../../domain/task/task.ts';
import { HANDLED, type Outcome } from '../run/outcome.ts';
import { blockAttempt } from './end-attempt.ts';
import type { TaskContext } from './task-context.ts';
import { waitForPerson } from './wait.ts';
import { code, onPublished, onVerified, verify } from './attempt-work.ts';

/** How often a change that conflicts with its base is written again before a person has to look. */
const MAX_CONFLICTS = 2;
/** So often it is brought onto a base with other workflow files; then a person looks. */
const MAX_REBUILDS = 3;

const TOO_OFTEN =
  'the base changed its workflow files again, and an App may not merge what is behind them: a person has to update the branch, or merge it';

/** The same change on the base as it is now goes through the gates again. */
export function rebuildChange(context: TaskContext, baseSha: string): Outcome {
  const { run } = context;
  const { base, rebuilds = 0 } = run;
  if (base === undefined || rebuilds >= MAX_REBUILDS)
    return run.pull === undefined
      ? blockAttempt(context, TOO_OFTEN)
      : waitForPerson(context, TOO_OFTEN);
  run.rebuilds = rebuilds + 1;
  run.base = { ...base, sha: baseSha };
  verify(context, { isRebuilt: true });
  return HANDLED;
}

/** What the gates say, of the change as it was or on another base. */
export function onProved(context: TaskContext, result: EffectResults['verify']): Outcome {
  const { run } = context;
  if (result.conflict !== undefined) return rebase(context, run.base?.sha ?? '');
  if (result.rebuilt !== undefined && run.change !== undefined)
    run.change = { ...run.change, ...result.rebuilt };
  if (result.isJournalOff === true) run.isJournalOff = true;
  else delete run.isJournalOff;
  return onVerified(context, result);
}

export function onPushed(context: TaskContext, result: EffectResults['publish']): Outcome {
  if (result.outdated !== undefined) return rebuildChange(context, result.outdated.baseSha);
  return onPublished(context, result);
}

/**
 * The coder writes the change again on the present base, with the contents of the branch as data. Then all checks run
 * again.
 */
export function rebase(context: TaskContext, baseSha: string): Outcome {
  const { run } = context;
  const { base, pull, headSha, conflicts = 0 } = run;
  if (base === undefined || headSha === undefined || conflicts >= MAX_CONFLICTS)
    return waitForPerson(
      context,
      'it conflicts with the base: a person has to resolve the conflict',
    );
  run.conflicts = conflicts + 1;
  run.base = { ...base, sha: baseSha };
  run.remade = headSha;
  run.notes = [
    `#${pull?.number ?? 0} now conflicts with the base. Make the whole change again on the files as they are here. The old change is below, and \`git diff ${baseSha}...${headSha}\` shows it.`,
    ...openAsks(run),
  ];
  code(context, baseSha);
  return HANDLED;
}

/** What the review of this head still wants. */
function openAsks({ review, headSha }: TaskRun): string[] {
  const isAgreed = review?.verdict === 'APPROVE' && review.open === undefined;
  const isOpen = review?.headSha === headSha && !isAgreed;
  return isOpen ? (review?.asks ?? []) : [];
}
