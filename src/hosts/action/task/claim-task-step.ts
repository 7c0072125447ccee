/** The claim job of a task: who started it may, the text is the one that they saw, and nobody else works on it. */
import { unsignedBaseOf } from '../../../domain/actions/unsigned-base.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { assignPersona, canCode } from '../../../decide/plan/assign-persona.ts';
import { activeTeam } from '../../../domain/persona/roster.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import { taskDigest } from '../../../domain/plan/plan-digest.ts';
import type { PlanTask } from '../../../domain/plan/plan.ts';
import type { PlanView } from '../../../domain/plan/plan-view.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { TaskOrder } from '../../../domain/task/task.ts';
import type { Perform } from '../../../act/perform.ts';
import type { KnownFacts } from '../../../act/task/coder/coding-runtime.ts';
import type { Store } from '../../../ports/store.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';
import { findNoKey } from '../job/signing-key.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readTaskState } from '../branch/task-state.ts';
import { believeSigned, openUnsigned, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { playTask } from './play-task.ts';
import { findConsent, refusalOfTask, type Consent } from './task-consent.ts';
import { reserveTask, type ReservedTask } from './reserve-task.ts';
import { openTaskPerform } from './task-ports.ts';
import type { TaskTicket } from './task-ticket.ts';
import { tellRefusal } from './tell-refusal.ts';

export type ClaimedTaskStep =
  | { kind: 'claimed'; ticket: TaskTicket }
  /** `isDone`: an earlier attempt of this run did it, which is no news. */
  | { kind: 'nothing'; why: string; isDone?: true };

const MINUTE_MS = 60_000;
const CLAIM_TIMEOUT_MS = 3 * MINUTE_MS;

interface Job {
  basics: Basics;
  context: WorkflowContext;
  inputs: Inputs;
  github: ReturnType<typeof openUnsigned>;
  place: StatePlace;
  store: Store;
  /** With what is known already. */
  open: (known: KnownFacts) => Promise<Perform>;
}

export async function claimTaskStep(
  basics: Basics,
  context: WorkflowContext,
  inputs: Inputs,
): Promise<ClaimedTaskStep> {
  const noKey = findNoKey(basics.env);
  if (noKey !== undefined) return nothing(noKey.message);
  // All inputs are read before GitHub is asked.
  const [number, task] = [needed(inputs, 'plan'), needed(inputs, 'task')];
  limitOf(inputs);
  const github = openUnsigned(basics, context);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const { repository } = context;
  const parts = { basics, github, store, repository, power: 'writes' } as const;
  const open: Job['open'] = (known) => openTaskPerform({ ...parts, markerSecret: '', known });
  const place = { github, repository, branch: MEMORY_BRANCH, seen: {} };
  const job = { basics, context, inputs, github, place, store, open };
  try {
    const plan: ThreadRef = { ...repository, number };
    const asked = { basics, context, github, plan, task };
    const consent = await findConsent(asked);
    if (typeof consent === 'string') {
      await tellIfPlan(() => lookAtPlan(plan, context.sender, job), asked, {
        refusal: { why: consent, isLasting: true },
        job,
      });
      return nothing(consent);
    }
    const lookedAt = basics.clock.now();
    const view = await lookAtPlan(plan, consent.by, job);
    const claimed = await claimOf(view, { asked, consent, lookedAt }, job);
    if (claimed.kind === 'nothing' && claimed.isDone !== true)
      await tellIfPlan(() => Promise.resolve(view), asked, {
        refusal: { why: claimed.why, isLasting: false },
        job,
      });
    return claimed;
  } finally {
    await store.close();
  }
}

type Asked = Parameters<typeof refusalOfTask>[2];

async function claimOf(
  view: PlanView,
  { asked, consent, lookedAt }: { asked: Asked; consent: Consent; lookedAt: number },
  job: Job,
): Promise<ClaimedTaskStep> {
  const why = await refusalOfTask(view, consent, asked);
  if (why !== undefined) return nothing(why);
  const order = orderOf(view, { plan: asked.plan, consent }, job);
  if (order === undefined) return nothing('No persona of this team writes code.');
  const reserved = await reserveTask(order, view, job);
  if ('why' in reserved) return { kind: 'nothing', ...reserved };
  return takeTask(order, { ...reserved, view, lookedAt }, job);
}

/** The summary has it in any case: an issue may be locked, or no issue at all. */
async function tellIfPlan(
  look: () => Promise<PlanView>,
  asked: Pick<Asked, 'plan' | 'task'>,
  { refusal, job }: { refusal: { why: string; isLasting: boolean }; job: Job },
): Promise<void> {
  try {
    const { issue, config } = await look();
    // A number may name any issue: only one that holds tasks hears of it.
    if (config.enabled && parsePlan(issue.body).tasks.length > 0)
      await tellOnPlan(asked, refusal, job);
  } catch (error) {
    job.basics.log.warn({ err: error }, 'the plan does not show why the task was not started');
  }
}

/** Under a marker that an apply job would make. */
async function tellOnPlan(
  { plan, task }: Pick<Asked, 'plan' | 'task'>,
  refusal: { why: string; isLasting: boolean },
  { basics, context, store }: Job,
): Promise<void> {
  const { repository } = context;
  const believing = believeSigned(basics, [], repository.repositoryId);
  const github = openWorkflowGitHub(basics, context, believing);
  const { markerSecret } = believing;
  const parts = { basics, github, store, repository, markerSecret, power: 'writes' } as const;
  const perform = await openTaskPerform(parts);
  await tellRefusal(context, { plan, task, ...refusal, now: basics.clock.now(), perform });
}

function nothing(why: string): ClaimedTaskStep {
  return { kind: 'nothing', why };
}

async function lookAtPlan(
  thread: ThreadRef,
  actor: Consent['by'],
  { place, open, basics }: Job,
): Promise<PlanView> {
  const { state } = await readTaskState(place);
  const unsignedBase = unsignedBaseOf(state, basics.clock.now());
  const perform = await open({ ...(unsignedBase !== undefined && { unsignedBase }) });
  const { id, login } = actor;
  const about = { thread, actor: { id, login }, isForOneTask: true } as const;
  const data = { kind: 'look-plan', ...about } as const;
  const at = new Date(basics.clock.now()).toISOString();
  const effect = { id: 'look', key: threadKey(thread), run: 'look', at, data };
  const looked = await perform(effect, { isFirst: false });
  if (looked.effectKind !== 'look-plan') throw new Error('A look brought something else');
  return looked.result;
}

interface Viewed {
  view: PlanView;
  /** Milliseconds since the epoch. */
  lookedAt: number;
}

/** The lease's ref is what keeps others away: another workflow, another attempt, or the App. */
async function takeTask(
  order: TaskOrder,
  {
    claim,
    at,
    isNew,
    spentUsd,
    earlier,
    view,
    lookedAt,
  }: Extract<ReservedTask, { claim: string }> & Viewed,
  job: Job,
): Promise<ClaimedTaskStep> {
  const { basics, store } = job;
  const { done, failed } = await playTask({
    basics,
    store,
    order,
    earlier,
    claim,
    at,
    known: [],
    carriesOut: ['claim'],
    perform: await job.open({ plan: { view, at: lookedAt } }),
    isFirst: isNew,
    timeoutMs: CLAIM_TIMEOUT_MS,
  });
  const [taken] = done;
  if (taken?.effectKind !== 'claim')
    return nothing(failed[0]?.failure.message ?? 'The task could not be claimed.');
  const claimed = taken.result;
  if (claimed.outcome !== 'claimed')
    return nothing(`Task ${order.ref.task} was not claimed: ${claimed.reason}.`);
  const about = { version: 1, claim, isNew, at, order, claimed, spentUsd } as const;
  return { kind: 'claimed', ticket: { ...about, ...(earlier !== undefined && { earlier }) } };
}

function orderOf(
  view: PlanView,
  { plan, consent }: { plan: ThreadRef; consent: Consent },
  { inputs }: Job,
): TaskOrder | undefined {
  const number = needed(inputs, 'task');
  const task = parsePlan(view.issue.body).tasks.find((one: PlanTask) => one.number === number);
  if (task === undefined) return undefined;
  const team = activeTeam(view.personas, { board: false }).filter(canCode);
  const assigned = assignPersona(team, task);
  if (assigned === undefined) return undefined;
  const { plans } = view.config;
  return {
    ref: { plan, task: number },
    title: task.title,
    digest: taskDigest(task),
    approvedBy: consent.by,
    ...assigned,
    maxAttempts: plans.maxAttempts,
    lease: { namespace: plans.leaseNamespace, lastsMs: limitOf(inputs) },
  };
}

/** The lease lasts as long as the workflow may: no job renews it. */
function limitOf(inputs: Inputs): number {
  return (numberInput(inputs, 'time-limit-minutes', { most: 360 }) ?? 120) * MINUTE_MS;
}

const MAX_NUMBER = 2_000_000_000;

function needed(inputs: Inputs, name: 'plan' | 'task'): number {
  const number = numberInput(inputs, name, { most: MAX_NUMBER });
  if (number !== undefined) return number;
  throw new ConfigError({
    code: 'action-input-invalid',
    message: `The input \`${name}\` is missing. Set it to a number.`,
  });
}
