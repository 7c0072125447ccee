/**
 * Takes a plan further in an apply job, as the App does. It answers what people said, writes the plan's comment, starts tasks
 * in workflows of their own, and ends the plan. No model and no code of the repository runs here.
 */
import type { Performed } from '../../../act/ports.ts';
import {
  findKeptPlan,
  isKeptAlready,
  type KeptPlan,
  type KeptPlans,
} from '../../../domain/actions/kept/kept-plans.ts';
import type { KeptTasks } from '../../../domain/actions/kept/kept-tasks.ts';
import { TransientError } from '../../../domain/event/errors.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import type { PlanState } from '../../../domain/plan/plan-view.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { TaskOrder } from '../../../domain/task/task.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { findNoKey } from '../job/signing-key.ts';
import { believeLooks } from './believe-tasks.ts';
import { readKeptPlans, writeKeptPlan } from '../branch/kept-plans-branch.ts';
import {
  summarisePlan,
  openPlanPlace,
  performOnce,
  readPlanView,
  withPlanPerform,
  type AdvancedPlan,
  type AdvancingPlan,
  type PlanPlace,
} from './plan-job.ts';
import { playPlanThread, type PlanPlayed } from './play-plan-thread.ts';
import { seedOthers, seedPlan, type PlanRecords } from './seed-plan.ts';
import { startOrders } from './start-orders.ts';
import { findTaskWorkflow, NO_TASK_WORKFLOW } from './start-workflow.ts';

/** Nobody has said anything: the records and the plan's text are looked at again. */
export const READ_AGAIN: Omit<Extract<Trigger, { kind: 'edited' }>, 'thread'> = {
  kind: 'edited',
  actor: { id: 0, login: 'quorum', isBot: true },
};

/** What an apply job does for a plan. */
export const PLAN_KINDS: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'look-comment',
  'look-plan',
  'name-label',
  'comment',
  'reply',
  'react',
  'labels',
  'check',
  'plan-edit',
  'close',
]);

const TIMEOUT_MS = 6 * 60_000;
const MAX_TRIES = 3;

/** @throws RefusedError `action-state-unreadable`; TransientError `memory-contended` */
export async function advancePlan(of: AdvancingPlan): Promise<AdvancedPlan> {
  const { basics, context, thread, at } = of;
  const { repository } = context;
  const { github, secret } = openPlanPlace(of);
  const noKey = findNoKey(basics.env);
  if (noKey !== undefined) return advanceUnsigned(of, { github, secret, why: noKey.message });
  const place = { github, repository, branch: MEMORY_BRANCH };
  const done: Performed[] = [];
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const [plans, tasks] = await Promise.all([readKeptPlans(place), readKeptTasks(place)]);
    const instead = findKeptPlan(plans, thread, secret);
    const isFirst = of.isFirst && tries === 1;
    const played = await play({ ...of, isFirst }, { plans, tasks, instead, github, secret });
    done.push(...played.done);
    const { orders, workflow } = played;
    const { plan: state } = played.state;
    if (state === undefined) return summarisePlan(done, []);
    const kept = { ...toKeep(of, { state, orders, instead }), at };
    if (orders.length === 0 && isLook(of) && instead !== undefined && isKeptAlready(instead, kept))
      return summarisePlan(done, []);
    const written = await writeKeptPlan(place, { kept, secret, instead });
    if (written === undefined) continue;
    const starting = { context, place, secret, workflow, thread };
    const { lines, failed } = await startOrders(orders, written, starting);
    if (failed.length > 0) done.push(await say(failed.join('\n\n'), of, { github, secret }));
    return summarisePlan(done, lines);
  }
  throw new TransientError({
    code: 'memory-contended',
    message: `Another job keeps changing the record of the plan in #${thread.number}.`,
  });
}

/** Nobody has said anything. What people said is kept, whatever came of it. */
function isLook({ trigger }: AdvancingPlan): boolean {
  return trigger.kind === READ_AGAIN.kind && trigger.actor.id === READ_AGAIN.actor.id;
}

/** Without a key nobody can tell who approved: the plan's comment, or the answer to the comment, says what to do. */
async function advanceUnsigned(
  of: AdvancingPlan,
  { why, ...here }: PlanPlace & { why: string },
): Promise<AdvancedPlan> {
  if (of.trigger.kind === 'commented') return summarisePlan([await say(why, of, here)], [why]);
  const nothing = { plans: NO_PLANS, tasks: NO_TASKS, instead: undefined };
  const { done } = await play(of, { ...nothing, ...here, whyNoStart: why.replace(/\.$/, '') });
  return summarisePlan(done, [why]);
}

const NO_PLANS: KeptPlans = { version: 1, plans: {} };
const NO_TASKS: KeptTasks = { version: 1, tasks: {} };

/** One comment for each event. */
async function say(body: string, of: AdvancingPlan, here: PlanPlace): Promise<Performed> {
  const { claim, at, thread, isFirst } = of;
  return withPlanPerform(of, here, (perform) => {
    const run = derivedId(claim, Date.parse(at));
    const marker = { kind: 'notice' as const, run, key: 'plan' };
    const data = { kind: 'comment' as const, thread, marker, body };
    return perform({ id: `${run}/say`, key: threadKey(thread), run, at, data }, { isFirst });
  });
}

interface From extends PlanRecords, PlanPlace {
  /** Why no task can begin, whatever people say. */
  whyNoStart?: string;
}

async function play(
  of: AdvancingPlan,
  from: From,
): Promise<PlanPlayed & { workflow: string | undefined }> {
  const { basics, context, thread, claim, at, trigger } = of;
  return withPlanPerform(of, from, async (performs, store) => {
    const { github, tasks, secret } = from;
    const perform = believeLooks(performs, { github, thread, tasks, secret });
    const { view, isPlan } = await readPlanView(thread, at, perform);
    const { headSha } = view.repository;
    const workflow = isPlan ? await findTaskWorkflow(context, github, headSha) : undefined;
    const why = from.whyNoStart ?? (workflow === undefined ? NO_TASK_WORKFLOW : undefined);
    const performHere = performOnce(perform, of);
    const played = await playPlanThread({
      basics,
      store,
      thread,
      claim,
      at,
      trigger,
      seed: isPlan ? { plan: seedPlan(of, view, from) } : {},
      others: isPlan ? seedOthers(of, view, from) : {},
      carriesOut: PLAN_KINDS,
      perform: async (effect, attempt) => {
        const performed = await performHere(effect, attempt);
        return why === undefined ? performed : withoutStart(performed, why);
      },
      timeoutMs: TIMEOUT_MS,
    });
    return { ...played, workflow };
  });
}

/** Then no task begins, and the plan's comment says why. */
function withoutStart(performed: Performed, why: string): Performed {
  if (performed.effectKind !== 'look-plan') return performed;
  const { result } = performed;
  return { ...performed, result: { ...result, whyNoCoder: result.whyNoCoder ?? why } };
}

interface Ended {
  state: PlanState;
  orders: readonly TaskOrder[];
  instead: KeptPlan | undefined;
}

/** Before anything is started: a job that dies in between starts nothing twice. */
function toKeep({ basics, trigger }: AdvancingPlan, { state, orders, instead }: Ended) {
  const at = new Date(basics.clock.now()).toISOString();
  const fresh = orders.map(
    ({ ref, digest, persona }) => [String(ref.task), { digest, persona, at }] as const,
  );
  const isNew = state.approval !== undefined && state.approval.at !== instead?.state.approval?.at;
  const commentId = isNew && trigger.kind === 'commented' ? trigger.commentId : undefined;
  const approvedIn = commentId ?? (isNew ? undefined : instead?.approvedIn);
  return {
    state,
    started: { ...instead?.started, ...Object.fromEntries(fresh) },
    ...(approvedIn !== undefined && { approvedIn }),
  };
}
