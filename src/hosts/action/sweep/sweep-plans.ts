/** The plans loop in the apply job of a sweep: each plan goes on as after a merge, from its signed record alone. */
import { findKeptPlan } from '../../../domain/actions/kept-plans.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { findNoKey } from '../job/signing-key.ts';
import { readKeptPlans } from '../branch/kept-plans-branch.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { believeSigned, openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { advancePlan, READ_AGAIN } from '../plan/advance-plan.ts';
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

export async function sweepPlans(
  { numbers, seen }: PlansTicket,
  sweeping: Sweeping,
): Promise<PlansSwept> {
  const { basics, context } = sweeping;
  const noKey = findNoKey(basics.env);
  if (noKey !== undefined) return { written: 0, report: { loop: LOOP, lines: [noKey.message] } };
  const lines: string[] = [];
  let written = 0;
  let isFailed = false;
  for (const number of numbers)
    try {
      const advanced = await advanceOne(number, seen, sweeping);
      written += advanced.written;
      lines.push(...advanced.told.map((line) => `#${number}: ${line}`));
    } catch (error) {
      // The other plans go on, and the next pass tries this one again.
      isFailed = true;
      const { code, message } = toFailure(error);
      lines.push(`#${number}: ${message} (\`${code}\`)`);
    }
  if (isFailed) return { written, report: { loop: LOOP, lines, isFailed } };
  const github = openUnsigned(basics, context);
  const place = { github, repository: context.repository, branch: MEMORY_BRANCH };
  await updateActionsState(place, 'quorum: record a look at the plans', (state) => ({
    state: { ...state, cursors: { ...state.cursors, [PLANS_SEEN]: seen } },
    told: undefined,
  }));
  return { written, report: { loop: LOOP, lines } };
}

const LOOP = 'plans';

interface Advanced {
  written: number;
  told: readonly string[];
}

async function advanceOne(
  number: number,
  seen: string,
  { basics, context }: Sweeping,
): Promise<Advanced> {
  const { repository, attempt } = context;
  const thread = { ...repository, number };
  const { markerSecret: secret } = believeSigned(basics, [], repository.repositoryId);
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  // What the claim job read was not checked: anybody who may write can push to the branch.
  if (findKeptPlan(await readKeptPlans(place), thread, secret) === undefined)
    return { written: 0, told: ['its record is not signed with this key.'] };
  const [, at = ''] = seen.split(' ');
  return advancePlan({
    basics,
    context,
    recorded: [],
    thread,
    claim: `sweep ${threadKey(thread)} ${seen}`,
    at,
    trigger: { ...READ_AGAIN, thread },
    isFirst: attempt === 1,
  });
}
