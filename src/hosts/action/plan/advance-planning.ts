/**
 * The apply job of a planning. The App's reducer makes a plan, questions or an answer of the value that the agent job handed
 * on. Everything else is read again. No model and no code of the repository runs here.
 */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import type { ThreadState } from '../../../decide/run/thread-context.ts';
import { findKeptPlan } from '../../../domain/actions/kept/kept-plans.ts';
import {
  findPlanning,
  isSameSeed,
  type KeptPlanning,
  type PlanningSeed,
} from '../../../domain/actions/kept/kept-planning.ts';
import { toProposeResult, type ProposedWork } from '../../../domain/actions/proposed-work.ts';
import { rethrow } from '../../../domain/actions/task-work.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { findNoKey } from '../job/signing-key.ts';
import { advancePlan, PLAN_KINDS, READ_AGAIN } from './advance-plan.ts';
import { believeLooks } from './believe-tasks.ts';
import { readKeptPlans } from '../branch/kept-plans-branch.ts';
import { readPlannings, writePlanning } from '../branch/kept-planning-branch.ts';
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
import { playPlanThread } from './play-plan-thread.ts';
import { seedPlan } from './seed-plan.ts';

export interface AdvancingPlanning extends AdvancingPlan {
  /** Somebody answered the PM's questions; else the planning begins again. */
  isAnswer: boolean;
  /** What the agent job began with. */
  seed?: PlanningSeed | undefined;
  /** Undefined where the PM was not asked. */
  proposed: ProposedWork | undefined;
}

const KINDS: ReadonlySet<EffectKind> = new Set<EffectKind>([
  ...PLAN_KINDS,
  'look',
  'propose',
  'issue',
]);

const TIMEOUT_MS = 6 * 60_000;

/** @throws RefusedError `intents-refused` where another job has changed what the PM began with */
export async function advancePlanning(of: AdvancingPlanning): Promise<AdvancedPlan> {
  const { basics, context } = of;
  const { repository } = context;
  const { github, secret } = openPlanPlace(of);
  const place = { github, repository, branch: MEMORY_BRANCH };
  const isSigned = findNoKey(basics.env) === undefined;
  const kept = isSigned ? findPlanning(await readPlannings(place), of.thread, secret) : undefined;
  if (of.isAnswer && !isSameSeed(kept?.seed, of.seed)) throw changed('Nothing was written.');
  const { state, done } = await play(of, { github, secret, place, kept });
  if (isSigned) await keep(of, { state, place, secret, kept });
  const next = await showPlan(of, { state, kept });
  const { ids, written, told } = summarisePlan(done, []);
  return {
    ids: [...ids, ...next.ids],
    written: written + next.written,
    told: [...told, ...next.told],
  };
}

function changed(so: string): RefusedError {
  return new RefusedError({
    code: 'intents-refused',
    message: `${so} The planning in this thread has changed since, or its record has no signature of this repository. Ask again.`,
  });
}

interface Here extends PlanPlace {
  place: StatePlace;
  kept: KeptPlanning | undefined;
}

async function play(
  of: AdvancingPlanning,
  { place, kept, ...here }: Here,
): Promise<{ state: ThreadState; done: Performed[] }> {
  const { basics, thread, claim, at, trigger } = of;
  const { github, secret } = here;
  return withPlanPerform(of, here, async (performs, store) => {
    const [plans, tasks] = await Promise.all([readKeptPlans(place), readKeptTasks(place)]);
    const perform = believeLooks(performs, { github, thread, tasks, secret });
    const { view, isPlan } = await readPlanView(thread, at, perform);
    const records = { plans, tasks, instead: findKeptPlan(plans, thread, secret), secret };
    const performHere = performOnce(perform, of);
    return playPlanThread({
      basics,
      store,
      thread,
      claim,
      at,
      trigger,
      seed: { ...kept?.seed, ...(isPlan && { plan: seedPlan(of, view, records) }) },
      others: {},
      carriesOut: KINDS,
      perform: (effect, attempt) =>
        effect.data.kind === 'propose'
          ? answer(of.proposed)(effect, attempt)
          : performHere(effect, attempt),
      timeoutMs: TIMEOUT_MS,
    });
  });
}

/** What the agent job says that the PM proposed. */
function answer(proposed: ProposedWork | undefined): Perform {
  return async () => {
    if (proposed === undefined)
      return rethrow({ code: 'action-run-failed', message: 'The agent job has no proposal.' });
    if ('failed' in proposed) return rethrow(proposed.failed);
    return { effectKind: 'propose', result: toProposeResult(proposed), githubCalls: {} };
  };
}

interface Ended {
  state: ThreadState;
  kept: KeptPlanning | undefined;
}

/** Questions wait for their answer, and only one plan at a time grows from a thread. */
async function keep(
  { thread, at }: AdvancingPlanning,
  { state, kept, place, secret }: Ended & { place: StatePlace; secret: string },
): Promise<void> {
  const { planning, proposed } = state;
  const seed = { ...(planning && { planning }), ...(proposed && { proposed }) };
  if (isSameSeed(seed, kept?.seed)) return;
  if (await writePlanning(place, { thread, seed, at, secret, instead: kept })) return;
  throw changed('What was written so far stays.');
}

/** The plan's own comment shows the text that waits for approval. */
async function showPlan(of: AdvancingPlanning, { state, kept }: Ended): Promise<AdvancedPlan> {
  const { number } = state.proposed ?? { number: undefined };
  const isNew = number !== undefined && number !== kept?.seed.proposed?.number;
  if (!isNew && state.plan === undefined) return { ids: [], written: 0, told: [] };
  const thread = isNew ? { ...of.thread, number } : of.thread;
  return advancePlan({
    ...of,
    thread,
    claim: `${of.claim} plan`,
    trigger: { ...READ_AGAIN, thread },
  });
}
