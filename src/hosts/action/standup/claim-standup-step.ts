/** The claim job of a standup: whether the plan has ended, or a person asks before that, and no other run holds it. */
import { z } from 'zod';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { RecordOutcome } from '../../../domain/standup/look-back/record.ts';
import type { Basics } from '../../host-parts.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';
import { findNoKey } from '../job/signing-key.ts';
import { reserveClaim } from '../job/reserve-claim.ts';
import { readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { findApp } from '../steps/find-app.ts';
import type { StandupTicket } from './standup-ticket.ts';

export type ClaimedStandup =
  { kind: 'claimed'; ticket: StandupTicket } | { kind: 'nothing'; why: string };

const MAX_NUMBER = 2_000_000_000;

/** @throws ConfigError `action-input-invalid`; RefusedError `not-found` */
export async function claimStandupStep(
  basics: Basics,
  context: WorkflowContext,
  inputs: Inputs,
): Promise<ClaimedStandup> {
  const number = numberInput(inputs, 'plan', { most: MAX_NUMBER });
  if (number === undefined)
    throw new ConfigError({
      code: 'action-input-invalid',
      message:
        'The input `plan` is missing. Set it to the number of the issue that holds the plan.',
    });
  const noKey = findNoKey(basics.env);
  if (noKey !== undefined) return { kind: 'nothing', why: noKey.message };
  const isAsked = inputs['when'] === 'now';
  const outcome = endOfPlan(await readBody(context, number));
  if (outcome === undefined && !isAsked)
    return { kind: 'nothing', why: `The plan in #${number} has not ended yet.` };
  const thread = { ...context.repository, number };
  if (await findApp(context, thread, undefined))
    return { kind: 'nothing', why: 'The Quorum App is installed here and holds the standups.' };
  return reserve({ number, outcome: outcome ?? 'completed', isAsked }, { basics, context, inputs });
}

const Issue = z.object({ body: z.string().nullish() });

async function readBody(context: WorkflowContext, number: number): Promise<string> {
  const { owner, repo } = context.repository;
  const issue = await readOnce(context, `/repos/${owner}/${repo}/issues/${number}`, Issue);
  if (issue !== undefined) return issue.body ?? '';
  throw new RefusedError({
    code: 'not-found',
    message: `There is no issue #${number} in ${owner}/${repo}. Set the input \`plan\` to the plan's number.`,
  });
}

/** Undefined while a task can still go on without a person. */
function endOfPlan(body: string): RecordOutcome | undefined {
  const { tasks } = parsePlan(body);
  const open = tasks.filter(({ status }) => status !== 'completed');
  if (tasks.length === 0) return undefined;
  if (open.length === 0) return 'completed';
  return open.every(({ status }) => status === 'blocked') ? 'failed' : undefined;
}

interface Wanted {
  number: number;
  outcome: RecordOutcome;
  isAsked: boolean;
}

interface Job {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
}

/** Once for each way in which a plan ends; a person may ask as often as they start the workflow. */
async function reserve(
  { number: plan, outcome, isAsked }: Wanted,
  job: Job,
): Promise<ClaimedStandup> {
  const { workflowRun, repository } = job.context;
  const about = isAsked ? `run ${workflowRun}` : outcome;
  const claim = `standup ${threadKey({ ...repository, number: plan })} ${about}`;
  const message = `quorum: claim the standup of #${plan}`;
  const held = await reserveClaim({ event: claim, message, minutes: 45 }, job);
  if (held.kind === 'refused') return { kind: 'nothing', why: WHY[held.reason] };
  const { at, isNew, spentUsd } = held;
  const ticket = { version: 1, claim, isNew, at, plan, outcome, isAsked, spentUsd } as const;
  return { kind: 'claimed', ticket };
}

const WHY = {
  done: 'The standup of this plan was held already. Set the input `when` to `now` for another one.',
  taken: 'Another run of this workflow holds this standup.',
} as const;
