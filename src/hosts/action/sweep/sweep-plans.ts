/** The plans loop in the apply job of a sweep: each plan goes on as after a merge, from its signed record alone. */
import { findKeptPlan, type KeptPlans } from '../../../domain/actions/kept/kept-plans.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { findNoKey } from '../job/signing-key.ts';
import { readKeptPlans } from '../branch/kept-plans-branch.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { believeSigned, openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { advancePlan, READ_AGAIN } from '../plan/advance-plan.ts';
import type { AdvancedPlan } from '../plan/plan-job.ts';
import { PLANS_SEEN } from './find-plans.ts';
import type { LoopReport } from './loop-report.ts';
import type { PlansTicket } from './sweep-ticket.ts';

interface Sweeping {
  basics: Basics;
  context: WorkflowContext;
}

export interface PlansSwept {
  written: number;
  report: LoopReport;
}

export async function sweepPlans(ticket: PlansTicket, sweeping: Sweeping): Promise<PlansSwept> {
  const { basics, context } = sweeping;
  const place = {
    github: openUnsigned(basics, context),
    repository: context.repository,
    branch: MEMORY_BRANCH,
  };
  const noKey = findNoKey(basics.env);
  const swept =
    noKey === undefined
      ? await advanceSigned(ticket, await readKeptPlans(place), sweeping)
      : { written: 0, report: { loop: LOOP, lines: [noKey.message] } };
  // A pass in which one failed is made again.
  if (swept.report.isFailed !== true)
    await updateActionsState(place, 'quorum: record a look at the plans', (state) => ({
      state: { ...state, cursors: { ...state.cursors, [PLANS_SEEN]: ticket.seen } },
      told: undefined,
    }));
  return swept;
}

const LOOP = 'plans';

/** What the claim job read was not checked, and anybody who may write can push to the branch: only signed plans go on. */
async function advanceSigned(
  { numbers, seen }: PlansTicket,
  plans: KeptPlans,
  sweeping: Sweeping,
): Promise<PlansSwept> {
  const { repository } = sweeping.context;
  const { markerSecret } = believeSigned(sweeping.basics, [], repository.repositoryId);
  const lines: string[] = [];
  let written = 0;
  let isFailed = false;
  for (const number of numbers) {
    const thread = { ...repository, number };
    if (findKeptPlan(plans, thread, markerSecret) === undefined) {
      lines.push(`#${number}: its record is not signed with this key.`);
      continue;
    }
    try {
      const advanced = await advanceOne(thread, seen, sweeping);
      written += advanced.written;
      lines.push(...advanced.told.map((line) => `#${number}: ${line}`));
    } catch (error) {
      // The other plans go on.
      isFailed = true;
      const { code, message } = toFailure(error);
      lines.push(`#${number}: ${message} (\`${code}\`)`);
    }
  }
  return { written, report: { loop: LOOP, lines, ...(isFailed && { isFailed }) } };
}

function advanceOne(
  thread: ThreadRef,
  seen: string,
  { basics, context }: Sweeping,
): Promise<AdvancedPlan> {
  const [, at = ''] = seen.split(' ');
  return advancePlan({
    basics,
    context,
    recorded: [],
    thread,
    claim: `sweep ${threadKey(thread)} ${seen}`,
    at,
    trigger: { ...READ_AGAIN, thread },
    isFirst: context.attempt === 1,
  });
}
