/** Before anything is written: the claim must still be this workflow's. */
import { holdsClaim, type ActionsState } from '../../../domain/actions/actions-state.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import type { WorkflowContext } from './workflow-context.ts';

/** @throws RefusedError `claim-lost` */
export function refuseLostClaim(
  state: ActionsState,
  event: string,
  { basics, context }: { basics: Basics; context: WorkflowContext },
): void {
  const { workflowRun } = context;
  if (holdsClaim(state, { event, workflowRun, now: basics.clock.now() })) return;
  throw new RefusedError({
    code: 'claim-lost',
    message: 'Nothing was written. The claim has expired, or another run has taken it.',
    details: 'Raise `time-limit-minutes` if the jobs need more time.',
  });
}
