/** What is kept of a session: what it changed, as far as that is whole, and what it said. */
import type { CoderOutcome } from '../../../domain/task/coder-task.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import type { Worktree } from '../../../ports/git.ts';
import { MAX_PATCH_BYTES } from '../verify.ts';

/** Only a session that waits for an answer is taken up again. */
export function toKeep(report: CoderOutcome): CoderOutcome {
  return report.outcome === 'asked' ? report : { ...report, transcript: '' };
}

/** A larger half is not worth keeping; of what is kept, the next attempt is shown the beginning. */
const MAX_PARTIAL_BYTES = 200_000;

/** Only of a coder that came to its end, or will go on: half a change is no change, and kept apart. */
export async function changesIn(
  worktree: Worktree,
  { outcome }: CoderOutcome,
): Promise<Pick<CodeResult, 'patch' | 'isTooLarge' | 'files' | 'partial'>> {
  if (outcome === 'timed-out' || outcome === 'failed') {
    const { text: partial } = await worktree.patch({ maxBytes: MAX_PARTIAL_BYTES });
    return { ...NO_CHANGE, ...(partial !== '' && { partial }) };
  }
  if (outcome !== 'done' && outcome !== 'asked') return NO_CHANGE;
  const { text: patch, isTooLarge, files } = await worktree.patch({ maxBytes: MAX_PATCH_BYTES });
  return { patch, isTooLarge, files };
}

export const NO_CHANGE: Pick<CodeResult, 'patch' | 'isTooLarge' | 'files'> = {
  patch: '',
  isTooLarge: false,
  files: [],
};
