/** Reserves an event for this run of the workflow, in the state on the memory branch that all runs share. */
import {
  claimEvent,
  type ActionsState,
  type ClaimVerdict,
} from '../../../domain/actions/actions-state.ts';
import { spentLastDay } from '../../../domain/actions/spending/book-spending.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from './action-specs.ts';
import { numberInput, type Inputs } from './read-inputs.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { openUnsigned } from './workflow-github.ts';
import type { WorkflowContext } from './workflow-context.ts';

export type ReservedClaim =
  | {
      kind: 'held';
      /** When it was first reserved, ISO 8601: the same for each attempt. */
      at: string;
      /** Nobody had it before. */
      isNew: boolean;
      /** Of the last day. */
      spentUsd: number;
      recorded: ActionsState['recorded'];
    }
  | Extract<ClaimVerdict, { kind: 'refused' }>;

interface WantedClaim {
  event: string;
  /** Of the commit. */
  message: string;
  /** Without the input `time-limit-minutes`, it is held for so long. */
  minutes: number;
}

interface Reserving {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
  /** With what this job has read of the state. */
  place?: StatePlace;
}

const MINUTE_MS = 60_000;

export function reserveClaim(
  { event, message, minutes }: WantedClaim,
  { basics, context, inputs, place: known }: Reserving,
): Promise<ReservedClaim> {
  const { workflowRun, attempt, repository } = context;
  const lifeMs = (numberInput(inputs, 'time-limit-minutes', { most: 360 }) ?? minutes) * MINUTE_MS;
  const own = { repository, branch: MEMORY_BRANCH };
  const place = known ?? { ...own, github: openUnsigned(basics, context) };
  return updateActionsState<ReservedClaim>(place, message, (state) => {
    const now = basics.clock.now();
    const request = { event, workflowRun, attempt, now, lifeMs };
    const { verdict, state: next } = claimEvent(state, request);
    if (verdict.kind === 'refused') return { state: next, told: verdict };
    const { claim, isNew } = verdict;
    const { recorded } = state;
    const spentUsd = spentLastDay(state, now);
    return { state: next, told: { kind: 'held', at: claim.at, isNew, spentUsd, recorded } };
  });
}
