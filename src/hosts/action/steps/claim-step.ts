/** The claim job: finds out what the event asks for and reserves it. No model and no code of the repository runs here. */
import { z } from 'zod';
import type { ClaimVerdict } from '../../../domain/actions/actions-state.ts';
import { findKeptTask } from '../../../domain/actions/kept/kept-tasks.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import { findAppKnowing, readStateAndChecks } from './find-app.ts';
import { findPlanningOf } from './find-planning.ts';
import { isOfPlan } from './is-of-plan.ts';
import { sayAppActs } from './leave-to-app.ts';
import { findTrigger, type NamedThread, type ThreadTrigger } from './find-trigger.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { KEPT_TASKS_FILE } from '../branch/kept-tasks-branch.ts';
import { readKnownTaskState } from '../branch/task-state.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';
import { reserveClaim } from '../job/reserve-claim.ts';
import { openUnsigned, readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

export type Claimed = { kind: 'claimed'; ticket: ClaimTicket } | { kind: 'nothing'; why: string };

const TASK_FILES = [KEPT_TASKS_FILE.path];
const MAX_NUMBER = 2_000_000_000;

export async function claimStep(
  basics: Basics,
  context: WorkflowContext,
  inputs: Inputs,
): Promise<Claimed> {
  const { clock } = basics;
  const named = await findNamed(context, inputs);
  if (named === 'none')
    return { kind: 'nothing', why: 'The run that ended is not of a pull request from a fork.' };
  const at = new Date(clock.now()).toISOString();
  const found = findTrigger(context, named, at);
  if (found.kind === 'ignored') return { kind: 'nothing', why: `Nothing to do: ${found.reason}.` };
  const { trigger, says } = found;
  const planning = await findPlanningOf(basics, context, trigger);
  const isForUs = trigger.kind !== 'commented' || trigger.address !== undefined;
  if (!isForUs && planning === undefined)
    return { kind: 'nothing', why: 'The comment does not address the team.' };
  const headSha = await headOf(context, trigger);
  const place = placeOf(basics, context);
  const isPull = trigger.kind === 'pull';
  const checks = isPull ? await readStateAndChecks(place, { headSha }, TASK_FILES) : undefined;
  if (await findAppKnowing(context, { thread: trigger.thread, headSha }, checks))
    return { kind: 'nothing', why: await sayAppActs({ basics, context }) };
  const comment = commentOf(context, trigger);
  const isPlan = planning === undefined && (await isAboutPlan(basics, context, trigger));
  const about = { trigger, says, headSha, comment, isPlan, planning, place };
  return reserve({ basics, context, inputs, ...about });
}

/** The settings are read only where the label may have another name. */
async function isAboutPlan(
  basics: Basics,
  context: WorkflowContext,
  trigger: ThreadTrigger,
): Promise<boolean> {
  if (isOfPlan(context, trigger)) return true;
  if (!mayHoldPlan(context.payload)) return false;
  const [{ openModelFreePorts }, { readConfig }] = await Promise.all([
    import('../job/model-free-ports.ts'),
    import('../../../act/recover/read-config.ts'),
  ]);
  const { ports, readSettings, close } = await openModelFreePorts(basics, context);
  try {
    const { labels } = await readConfig(context.repository, { ports, readSettings });
    return labels.plan !== undefined && isOfPlan(context, trigger, labels.plan);
  } finally {
    await close();
  }
}

const WithPlan = z.object({
  issue: z.object({ body: z.string(), labels: z.array(z.unknown()).min(1) }),
});

function mayHoldPlan(payload: unknown): boolean {
  const { data } = WithPlan.safeParse(payload);
  return data !== undefined && parsePlan(data.issue.body).tasks.length > 0;
}

export interface Reservation {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
  trigger: ThreadTrigger;
  says: string;
  headSha: string | undefined;
  /** When the comment that is answered was changed last. */
  comment: ClaimTicket['comment'];
  /** It is about a plan. */
  isPlan?: boolean;
  planning?: ClaimTicket['planning'];
  /** With what this job has read of the state. */
  place?: StatePlace;
}

/** Takes the event for this workflow, where no other has it. */
export async function reserve(of: Reservation): Promise<Claimed> {
  const { basics, context, trigger, says, headSha, comment } = of;
  const { thread } = trigger;
  const message = `quorum: claim an event of #${thread.number}`;
  const place = of.place ?? placeOf(basics, context);
  if (trigger.kind === 'pull') await readKnownTaskState(place);
  const held = await reserveClaim({ event: says, message, minutes: 45 }, { ...of, place });
  if (held.kind === 'refused') return { kind: 'nothing', why: WHY[held.reason] };
  const task = trigger.kind === 'pull' ? await findTaskOf(place, thread) : undefined;
  return {
    kind: 'claimed',
    ticket: {
      version: 1,
      claim: says,
      isNew: held.isNew,
      at: held.at,
      thread: { ...thread, installationId: 0 },
      ...(headSha === undefined ? {} : { headSha }),
      ...(comment === undefined ? {} : { comment }),
      ...(task === undefined ? {} : { task }),
      ...(of.isPlan === true ? { isPlan: true as const } : {}),
      ...(of.planning === undefined ? {} : { planning: of.planning }),
      recorded: held.recorded[thread.number] ?? [],
      spentUsd: held.spentUsd,
      trigger,
    },
  };
}

function placeOf(basics: Basics, context: WorkflowContext): StatePlace {
  const github = openUnsigned(basics, context);
  return { github, repository: context.repository, branch: MEMORY_BRANCH, seen: {} };
}

/** A hint: without a secret this job cannot tell whether the record is genuine. */
async function findTaskOf(place: StatePlace, { number }: ThreadRef): Promise<ClaimTicket['task']> {
  const { tasks } = await readKnownTaskState(place);
  const run = findKeptTask(tasks, number)?.stream.run;
  return run === undefined ? undefined : { run: run.id, ref: run.order.ref };
}

const WHY: Readonly<Record<Extract<ClaimVerdict, { kind: 'refused' }>['reason'], string>> = {
  done: 'Another run of this workflow has done this already.',
  taken: 'Another run of this workflow is working on this.',
};

const Pull = z.object({ head: z.object({ sha: z.string() }) });

async function headOf(
  context: WorkflowContext,
  trigger: ThreadTrigger,
): Promise<string | undefined> {
  if (trigger.kind === 'pull' && trigger.headSha !== '') return trigger.headSha;
  if (trigger.kind !== 'pull' && !isOnPull(context.payload)) return undefined;
  const { owner, repo, number } = trigger.thread;
  const pull = await readOnce(context, `/repos/${owner}/${repo}/pulls/${number}`, Pull);
  if (pull === undefined)
    throw new RefusedError({
      code: 'no-pull-requests',
      message: `There is no pull request #${number} in ${owner}/${repo}.`,
    });
  return pull.head.sha;
}

const OnPull = z.object({
  issue: z.object({ pull_request: z.unknown().optional() }).optional(),
  pull_request: z.unknown().optional(),
});

function isOnPull(payload: unknown): boolean {
  const { issue, pull_request: pull } = OnPull.parse(payload);
  return pull !== undefined || issue?.pull_request !== undefined;
}

const WithComment = z.object({ comment: z.object({ id: z.number(), updated_at: z.string() }) });

function commentOf(context: WorkflowContext, trigger: ThreadTrigger): ClaimTicket['comment'] {
  if (trigger.kind !== 'commented') return undefined;
  const { comment } = WithComment.parse(context.payload);
  const isOnDiff = context.event === 'pull_request_review_comment';
  return { id: comment.id, updatedAt: comment.updated_at, isOnDiff };
}

/** A thread that an input names, or the pull request of the fork whose workflow has ended. */
async function findNamed(
  context: WorkflowContext,
  inputs: Inputs,
): Promise<NamedThread | 'none' | undefined> {
  if (context.event === 'workflow_run') return findForkPull(context);
  if (context.event !== 'workflow_dispatch') return undefined;
  const pull = numberInput(inputs, 'pr', { most: MAX_NUMBER });
  if (pull !== undefined) return { kind: 'pull', number: pull };
  const issue = numberInput(inputs, 'issue', { most: MAX_NUMBER });
  if (issue !== undefined) return { kind: 'issue', number: issue };
  throw new ConfigError({
    code: 'action-input-invalid',
    message: 'The event names no thread. Set the input `pr` or `issue`.',
  });
}

const EndedRun = z.object({
  workflow_run: z.object({
    event: z.string(),
    head_sha: z.string(),
    head_branch: z.string().nullish(),
    head_repository: z.object({ id: z.number(), owner: z.object({ login: z.string() }) }).nullish(),
  }),
});
const Pulls = z.array(
  z.object({
    number: z.number(),
    head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  }),
);

/**
 * Nothing that the fork's run left is read: no artifact and no output. GitHub says which commit of which repository it
 * was about, and which open pull request has that commit as its head now.
 */
async function findForkPull(context: WorkflowContext): Promise<NamedThread | 'none'> {
  const { workflow_run: run } = EndedRun.parse(context.payload);
  const { head_repository: head, head_branch: branch, head_sha: headSha } = run;
  const { repositoryId, owner, repo } = context.repository;
  if (run.event !== 'pull_request' || head == null || branch == null) return 'none';
  if (head.id === repositoryId) return 'none';
  const query = new URLSearchParams({ state: 'open', head: `${head.owner.login}:${branch}` });
  const path = `/repos/${owner}/${repo}/pulls?${query.toString()}`;
  const found = (await readOnce(context, path, Pulls)) ?? [];
  const pull = found.find((one) => one.head.sha === headSha && one.head.repo?.id === head.id);
  return pull === undefined ? 'none' : { kind: 'pull', number: pull.number, headSha };
}
