/** What a pass still holds when models are about to be asked, and what was spent until then. */
import { isOpenClaim } from '../../../domain/actions/actions-state.ts';
import { spentBeside } from '../../../domain/actions/spending/settle-claim.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readActionsState } from '../branch/state-branch.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

export interface HeldNow {
  /** Whether this run of the workflow holds the claim, and nothing is done under it. */
  isOpen(claim: string): boolean;
  /** US dollars of the last 24 hours, without what this run has only reserved. */
  spentUsd: number;
}

export async function readHeldNow({
  basics,
  context,
}: {
  basics: Basics;
  context: WorkflowContext;
}): Promise<HeldNow> {
  const { repository, workflowRun } = context;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const state = await readActionsState(place);
  const now = basics.clock.now();
  return {
    isOpen: (event) => isOpenClaim(state, { event, workflowRun, now }),
    spentUsd: spentBeside(state, { workflowRun }, now),
  };
}
