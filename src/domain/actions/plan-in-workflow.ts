/** What a job knows of a plan's tasks where no store outlives it: from the plan's text, and from signed records. */
import type { Plan, PlanTask } from '../plan/plan.ts';
import type { Approval } from '../plan/approval.ts';
import type { PlanState } from '../plan/plan-view.ts';
import type { PlansAtWork } from '../plan/plans-at-work.ts';
import type { TaskNews, TaskRun, TaskStream } from '../task/task.ts';
import { UNPROVEN } from './believed-tasks.ts';
import type { KeptPlan, StartedTask } from './kept/kept-plans.ts';

/** GitHub takes its time to start a workflow: a task that was started within it counts as begun. */
export const STARTING_MS = 10 * 60_000;
/** A workflow of a task takes no longer. */
const WORKING_MS = 3 * 3_600_000;
/** Nothing but a person ends this wait. */
const FOR_A_PERSON = '9999-12-31T00:00:00.000Z';
const WAITS = 'its last attempt has ended; `/pm approve` starts it again';

export interface KnownTasks {
  plan: Plan;
  approval: Approval | undefined;
  started: Readonly<Record<string, StartedTask>>;
  /** Records of the tasks of this plan. */
  streams: readonly TaskStream[];
  /** Handles of the team. */
  handles: ReadonlySet<string>;
  /** Tasks that somebody is said to work on, and that no lease holds. */
  unheld: ReadonlySet<number>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The latest news of each task, by its number, as the App would have heard it. */
export function newsOfTasks(known: KnownTasks): Record<string, TaskNews> {
  const runs = new Map(
    known.streams.flatMap(({ run }) => (run === undefined ? [] : [[run.order.ref.task, run]])),
  );
  const found = known.plan.tasks.flatMap((task) => {
    const news = newsOf(task, runs.get(task.number), known);
    return news === undefined ? [] : [[String(task.number), news] as const];
  });
  return Object.fromEntries(found);
}

function newsOf(task: PlanTask, run: TaskRun | undefined, known: KnownTasks): TaskNews | undefined {
  if (task.status === 'completed') return run?.mergeSha === undefined ? undefined : merged(run);
  if (task.status === 'pending') return newsOfPending(task, run, known);
  if (task.status === 'blocked') return newsOfBlocked(task, known);
  if (run !== undefined && isOpen(run)) return { ...toNews(run), state: 'in_review' };
  const isHeld = known.handles.has(task.assignee) && !known.unheld.has(task.number);
  if (!isHeld) return undefined;
  const at = run?.startedAt ?? new Date(known.now).toISOString();
  return { task: task.number, state: 'claimed', persona: task.assignee, attempt: 1, at };
}

/** What a person blocked is in the text; what this job takes as blocked is said in the comment alone. */
function newsOfBlocked({ number, statusReason }: PlanTask, { now }: KnownTasks) {
  if (statusReason !== UNPROVEN) return undefined;
  const at = new Date(now).toISOString();
  return { task: number, state: 'blocked', persona: '', attempt: 1, reason: UNPROVEN, at } as const;
}

/** Approved and not begun, being started, or tried before: then a person says that it may be tried again. */
function newsOfPending(
  { number }: PlanTask,
  run: TaskRun | undefined,
  { started, approval, now }: KnownTasks,
): TaskNews | undefined {
  const start = started[String(number)];
  if (start !== undefined && now - Date.parse(start.at) < STARTING_MS) {
    const { persona, at } = start;
    return { task: number, state: 'claimed', persona, attempt: 1, at };
  }
  const at = lastOf(start?.at, run?.startedAt);
  if (at === undefined || isSaidSince(approval, at)) return undefined;
  const tried = run === undefined ? { persona: start?.persona ?? '', attempt: 1 } : triedBy(run);
  return {
    task: number,
    state: 'released',
    ...tried,
    waitsUntil: FOR_A_PERSON,
    reason: WAITS,
    at,
  };
}

function triedBy({ order, attempt }: TaskRun): Pick<TaskNews, 'persona' | 'attempt'> {
  return { persona: order.persona, attempt };
}

/** After another approval, tasks that waited for a person may begin again. */
export function freeApproved(plan: PlanState, before: Approval | undefined): PlanState {
  const { approval, tasks = {} } = plan;
  if (approval === undefined || approval.at === before?.at) return plan;
  const left = Object.entries(tasks).filter(([, { waitsUntil }]) => waitsUntil !== FOR_A_PERSON);
  return { ...plan, tasks: Object.fromEntries(left) };
}

function lastOf(...moments: (string | undefined)[]): string | undefined {
  return moments
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
}

function isSaidSince(approval: Approval | undefined, at: string): boolean {
  return approval !== undefined && Date.parse(approval.at) > Date.parse(at);
}

function merged(run: TaskRun): TaskNews {
  return {
    ...toNews(run),
    state: 'completed',
    ...(run.mergeSha !== undefined && { mergeSha: run.mergeSha }),
  };
}

function toNews({ order, attempt, pull, startedAt: at }: TaskRun): Omit<TaskNews, 'state'> {
  const { ref, persona } = order;
  return { task: ref.task, persona, attempt, ...(pull !== undefined && { pull }), at };
}

function isOpen({ pull, phase }: TaskRun): boolean {
  return pull !== undefined && phase.kind !== 'ended';
}

interface OtherPlans {
  /** Of all plans of this repository. */
  streams: readonly TaskStream[];
  plans: readonly Pick<KeptPlan, 'state' | 'started'>[];
  /** Number of the plan that asks. */
  except: number;
  most: number;
  now: number;
}

/** What other plans of the repository have at work: they share its places. */
export function placesOfOthers({ streams, plans, except, most, now }: OtherPlans): PlansAtWork {
  const places: Record<string, PlansAtWork[string]> = {};
  const add = (thread: PlansAtWork[string]['thread'], at: string): void => {
    const key = String(thread.number);
    const busy = (places[key]?.busy ?? 0) + 1;
    const counts = { busy, needs: busy, places: busy, left: busy, total: busy };
    places[key] = { thread, ...counts, most, said: 0, plan: 'kept', passed: 0, at };
  };
  const runs = streams.flatMap(({ run }) => (run === undefined ? [] : [run]));
  for (const run of runs)
    if (isOpen(run) && run.order.ref.plan.number !== except) add(run.order.ref.plan, run.startedAt);
  for (const { state, started } of plans)
    for (const [task, { at }] of Object.entries(started)) {
      const { thread } = state;
      if (thread.number === except || now - Date.parse(at) > WORKING_MS) continue;
      const isKept = runs.some(
        ({ order: { ref }, startedAt }) =>
          ref.plan.number === thread.number && String(ref.task) === task && startedAt >= at,
      );
      if (!isKept) add(thread, at);
    }
  return places;
}
