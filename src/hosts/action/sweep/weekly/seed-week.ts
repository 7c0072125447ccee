/** What workflows have kept, as the store of an App has it: plans with their tasks, tensions, and what was spent. */
import { findKeptPlan, type KeptPlan } from '../../../../domain/actions/kept/kept-plans.ts';
import { recordsOfPlan, type KeptTasks } from '../../../../domain/actions/kept/kept-tasks.ts';
import { newsOfTasks } from '../../../../domain/actions/plan-in-workflow.ts';
import { spentBetween } from '../../../../domain/actions/spending/book-spending.ts';
import { weekAt } from '../../../../domain/digest/week.ts';
import { QuorumError } from '../../../../domain/event/errors.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { threadKey, type RepositoryRef } from '../../../../domain/run/thread-ref.ts';
import type { Store } from '../../../../ports/store.ts';
import type { ActPorts } from '../../../../act/ports.ts';
import type { openWorkflowGitHub } from '../../job/workflow-github.ts';
import { readKeptPlans } from '../../branch/kept-plans-branch.ts';
import { readKeptTasks } from '../../branch/kept-tasks-branch.ts';
import { readActionsState } from '../../branch/state-branch.ts';
import { readKeptStandups } from '../../branch/standups-branch.ts';
import { MEMORY_BRANCH } from '../../job/action-specs.ts';
import { seedSpent } from '../../job/seed-spent.ts';
import type { WeekPlay } from './play-week.ts';

/** Each is read once a week. */
const MOST_PLANS = 30;

/** Returns the store with the kept threads in it. */
export async function seedWeek(
  { basics, context, github, secret, ticket }: WeekPlay,
  store: Store,
): Promise<ActPorts['store']> {
  const { repository } = context;
  const place = { github, repository, branch: MEMORY_BRANCH };
  const [state, { kept: standups }] = await Promise.all([
    readActionsState(place),
    readKeptStandups(place, secret),
  ]);
  const { from: end } = weekAt(Date.parse(ticket.at), ticket.setting);
  const usd = spentBetween(state, ticket.since, new Date(end).toISOString());
  await seedSpent(store, { repository, usd, now: basics.clock.now() });
  const { tensions } = standups.values;
  if (tensions !== undefined)
    await store.standups.replace(repository.repositoryId, 'tensions', {
      expected: 0,
      value: tensions,
    });
  const plans = await readPlans(place, { secret, now: basics.clock.now() });
  const threads = new Map(
    plans.map((plan) => [threadKey(plan.thread), { v: 1, runs: {}, plan }] as const),
  );
  return withThreads(store, threads);
}

type GitHub = ReturnType<typeof openWorkflowGitHub>;

interface Place {
  github: GitHub;
  repository: RepositoryRef;
  branch: string;
}

interface Reading {
  secret: string;
  now: number;
}

async function readPlans(place: Place, reading: Reading): Promise<PlanState[]> {
  const { repositoryId } = place.repository;
  const [plans, tasks] = await Promise.all([readKeptPlans(place), readKeptTasks(place)]);
  const signed = Object.values(plans.plans)
    .flatMap(({ state: { thread } }) => findKeptPlan(plans, thread, reading.secret) ?? [])
    .filter(({ state }) => state.thread.repositoryId === repositoryId);
  const newest = signed.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, MOST_PLANS);
  if (newest.length === 0) return [];
  const { code } = place.github.at(place.repository);
  const closed = await code.threads(place.repository, { state: 'closed' });
  const mergedAt = new Map(closed.map(({ number, closedAt }) => [number, closedAt]));
  const of = { ...reading, place, mergedAt };
  const read = await Promise.all(newest.map((kept) => findWithTasks(kept, tasks, of)));
  return read.flat();
}

interface ReadingTasks extends Reading {
  place: Place;
  /** By the number of the pull request, ISO 8601. */
  mergedAt: ReadonlyMap<number, string | undefined>;
}

/** A job has no time to wait whether GitHub only lags, and an issue as old as a record of its plan does not. */
const GONE: ReadonlySet<string> = new Set(['github-not-found', 'github-moved', 'github-lagging']);

/** Empty where the plan's issue was deleted or transferred: its record stays, and must not stop every later digest. */
async function findWithTasks(
  kept: KeptPlan,
  tasks: KeptTasks,
  of: ReadingTasks,
): Promise<PlanState[]> {
  try {
    return [await withTasks(kept, tasks, of)];
  } catch (error) {
    if (error instanceof QuorumError && GONE.has(error.code)) return [];
    throw error;
  }
}

/** The record has no news of its tasks: their own records have. */
async function withTasks(
  { state, started }: KeptPlan,
  tasks: KeptTasks,
  { secret, now, place, mergedAt }: ReadingTasks,
): Promise<PlanState> {
  const { thread } = state;
  const { body } = await place.github.at(thread).read.issue(thread);
  const news = newsOfTasks({
    plan: parsePlan(body),
    approval: state.approval,
    started,
    streams: recordsOfPlan(tasks, thread, secret).map(({ stream }) => stream),
    handles: new Set(Object.values(started).map(({ persona }) => persona)),
    unheld: new Set(),
    now,
  });
  const dated = Object.entries(news).map(([task, one]) => {
    const at = one.pull && mergedAt.get(one.pull.number);
    return [task, one.state === 'completed' ? { ...one, at: at ?? one.at } : one] as const;
  });
  return { ...state, tasks: Object.fromEntries(dated) };
}

/** The store of a job has no streams of threads. */
function withThreads(store: Store, threads: ReadonlyMap<string, object>): ActPorts['store'] {
  const { records, erasure, standups } = store;
  return {
    records,
    erasure,
    standups,
    append: (events) => store.append(events),
    load: async (key) => {
      const state = threads.get(key);
      return state === undefined ? store.load(key) : { version: 1, state };
    },
  };
}
