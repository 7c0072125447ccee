/** The progress of a plan in the demonstration: the state of its tasks, and which of them wait for a person. */
import { readState } from '../../decide/run/decision.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { taskKey, threadOfPull, type TaskRun, type TaskStream } from '../../domain/task/task.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { isIdle, latestRun, threadState } from '../../hosts/follow-runs.ts';
import { NEW_TASKS } from '../project/new-plan.ts';
import type { Watched } from '../story.ts';
import type { World } from '../open-world.ts';

export interface TaskSight {
  number: number;
  title: string;
  /** Undefined until it is begun. */
  run: TaskRun | undefined;
  /** What the plan heard of it last. */
  state: string;
  reason?: string;
}

export interface PlanLook {
  plan: PlanState | undefined;
  tasks: TaskSight[];
  watched: Watched[];
  /** Whether nothing of it is left to be carried out. */
  isIdle: boolean;
}

export async function readPlanProgress({ store }: World, key: string): Promise<PlanLook> {
  const { plan } = await threadState(store, key);
  const seen = await Promise.all(NEW_TASKS.map((_, at) => lookAtTask(store, plan, at + 1)));
  const keys = [key, ...seen.flatMap((each) => each.keys)];
  return {
    plan,
    tasks: seen.map(({ sight }) => sight),
    watched: seen.map(({ watched }) => watched),
    isIdle: await isIdle({ store, keys }),
  };
}

interface SeenTask {
  sight: TaskSight;
  watched: Watched;
  /** Streams that work for it goes through. */
  keys: string[];
}

async function lookAtTask(
  store: World['store'],
  plan: PlanState | undefined,
  number: number,
): Promise<SeenTask> {
  const key = plan === undefined ? undefined : taskKey({ plan: plan.thread, task: number });
  const run = key === undefined ? undefined : await taskRun(store, key);
  const pullKey = pullKeyOf(run);
  const sight = toSight(number, plan, run);
  const review = pullKey === undefined ? undefined : await latestRun(store, pullKey);
  return {
    sight,
    watched: { name: `task ${number}`, title: sight.title, run: review, says: taskStage(sight) },
    keys: [key, pullKey].filter((each) => each !== undefined),
  };
}

function toSight(number: number, plan: PlanState | undefined, run: TaskRun | undefined): TaskSight {
  const { state = 'pending', reason } = plan?.tasks?.[String(number)] ?? {};
  const title = NEW_TASKS[number - 1]?.title ?? '';
  return { number, title, run, state, ...(reason === undefined ? {} : { reason }) };
}

function pullKeyOf(run: TaskRun | undefined): string | undefined {
  return run?.pull && threadKey(threadOfPull(run.order.ref.plan, run.pull));
}

async function taskRun(store: World['store'], key: string): Promise<TaskRun | undefined> {
  return readState<TaskStream>((await store.load(key))?.state, { v: 1, failures: 0 }).run;
}

/** Merged, or before a person who can do more than approve. */
export function isOver({ state }: TaskSight): boolean {
  return state === 'completed' || state === 'blocked';
}

/** Whether its pull request was reviewed, and what is missing is known. */
export function isReviewed({ state, run }: TaskSight): boolean {
  return (
    state === 'in_review' &&
    run?.review !== undefined &&
    run.review.headSha === run.headSha &&
    run.missing !== undefined &&
    run.phase.kind === 'reviewing' &&
    run.phase.looking === undefined
  );
}

const STAGES: Readonly<Record<TaskRun['phase']['kind'], string>> = {
  claiming: 'takes the lease',
  asking: 'asks for the Coder',
  coding: 'writes the change',
  verifying: 'is at the gates: branch, scope, changes, tests',
  publishing: 'pushes and opens the pull request',
  reviewing: 'is in review',
  merging: 'merges',
  closing: 'ends this attempt',
  ended: 'ends this attempt',
};

/** Where a task is, in the few words that follow its number. */
export function taskStage(sight: TaskSight): string {
  const { run, state, reason = '', number } = sight;
  if (run === undefined) return waitsFor(number);
  const pull = run.pull === undefined ? '' : ` #${run.pull.number}`;
  if (state === 'completed') return `merged as${pull}`;
  if (state === 'blocked') return `blocked: ${reason}`;
  if (isReviewed(sight)) return `${pull.trim()} ${missingIn(run)}`;
  return `${run.order.persona} ${STAGES[run.phase.kind]}${pull}`;
}

/** Right after the last approval nothing is missing any more, and the merge is not asked for yet. */
function missingIn({ missing = [] }: TaskRun): string {
  return missing.length === 0
    ? 'has all that it needs to merge'
    : `waits for ${missing.join(', ')}`;
}

function waitsFor(number: number): string {
  const needs = NEW_TASKS[number - 1]?.dependencies ?? [];
  return needs.length === 0 ? 'may begin' : `waits for task ${needs.join(', ')}`;
}
