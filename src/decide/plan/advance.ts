/** Which tasks of an approved plan could begin now, and who would: in the order of the plan, one task for each persona. */
import type { Config } from '../../domain/config/config.ts';
import { isApproved, type Approval } from '../../domain/plan/approval.ts';
import { claimable } from '../../policy/claimable.ts';
import { planDigest, taskDigest } from '../../domain/plan/plan-digest.ts';
import type { Plan, PlanTask } from '../../domain/plan/plan.ts';
import type { PlanState, PlanView } from '../../domain/plan/plan-view.ts';
import type { SessionLimits } from '../../domain/plan/sessions.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import { activeTeam } from '../../domain/persona/roster.ts';
import { taskKey, type TaskNews, type TaskOrder } from '../../domain/task/task.ts';
import { DEFAULT_LABELS } from '../../domain/repository/labels.ts';
import { emitEvent, type Step } from '../run/decision.ts';
import { assignPersona, canCode } from './assign-persona.ts';

/** A plan that was read just now. */
export interface PlanSight {
  plan: Plan;
  view: PlanView;
  digest: string;
}

export function sightOf(plan: Plan, view: PlanView): PlanSight {
  return { plan, view, digest: planDigest(plan) };
}

/** What is being worked on, as far as its task has told. */
export const BUSY: ReadonlySet<TaskState> = new Set([
  'claimed',
  'in_progress',
  'verifying',
  'in_review',
]);

export function busyOf({ tasks }: Pick<PlanState, 'tasks'>): TaskNews[] {
  return Object.values(tasks ?? {}).filter(({ state }) => BUSY.has(state));
}

/** What may begin, as soon as the repository has a place for it. */
export function findReady(state: PlanState, { plan, view, digest }: PlanSight, now: number) {
  const { approval } = state;
  if (!isApproved(approval, digest) || approval === undefined) return [];
  if ((view.whyNoCoder ?? view.whyUnsigned) !== undefined || isHeld(view)) return [];
  if (letsOthersChoose(state, view, now)) return [];
  const team = activeTeam(view.personas, { board: false }).filter(canCode);
  const busy = busyOf(state);
  let free = team.filter(({ handle }) => !busy.some((news) => news.persona === handle));
  return claimable(plan)
    .filter((task) => mayBegin(state, task, now))
    .flatMap((task) => {
      const assigned = assignPersona(free, task);
      if (assigned === undefined) return [];
      free = free.filter(({ handle }) => handle !== assigned.persona);
      return [orderOf(state, { task, approval, ...assigned, config: view.config })];
    });
}

/**
 * TG-4, fairness: after one of our tasks ended, waits one poll interval while leases of other instances show that they
 * are around.
 */
function letsOthersChoose({ othersAt, endedAt }: PlanState, { config }: PlanView, now: number) {
  if (othersAt === undefined || endedAt === undefined) return false;
  const areAround = now < Date.parse(othersAt) + config.plans.leaseMinutes * MINUTE_MS;
  return areAround && now < Date.parse(endedAt) + COOL_MS;
}

function isHeld({ issue, config }: PlanView): boolean {
  return issue.labels.includes(config.labels.hold ?? DEFAULT_LABELS.hold);
}

/** A poll interval. A task that somebody else holds, or that just ended without a result, is left alone for as long. */
export const COOL_MS = 60_000;

function mayBegin(state: PlanState, { number }: PlanTask, now: number): boolean {
  const news = state.tasks?.[String(number)];
  if (news === undefined) return true;
  // What is blocked waits for a person, whether or not the plan's text could be made to say so.
  if (BUSY.has(news.state) || news.state === 'blocked' || news.state === 'completed') return false;
  if (news.state !== 'released' && news.state !== 'pending') return true;
  const { waitsUntil, at } = news;
  return now >= (waitsUntil === undefined ? Date.parse(at) + COOL_MS : Date.parse(waitsUntil));
}

interface Begun {
  task: PlanTask;
  approval: Approval;
  /** Handle. */
  persona: string;
  why?: string;
  config: Config;
}

const MINUTE_MS = 60_000;

export function begin(step: Step, state: PlanState, order: TaskOrder): void {
  const { ref, digest, persona } = order;
  state.step += 1;
  const key = String(ref.task);
  const news: TaskNews = {
    task: ref.task,
    state: 'claimed',
    persona,
    attempt: state.tasks?.[key]?.attempt ?? 1,
    at: new Date(step.now).toISOString(),
  };
  state.tasks = { ...state.tasks, [key]: news };
  state.begun = { ...state.begun, [key]: digest };
  emitEvent(
    step,
    { kind: 'task-go', run: state.id, order },
    { key: taskKey(ref), suffix: `go-${state.step}-${ref.task}` },
  );
}

/** An approval that work on a task rests on. */
export function orderOf(
  { thread }: PlanState,
  { task, approval, persona, why, config }: Begun,
): TaskOrder {
  return {
    ref: { plan: thread, task: task.number },
    title: task.title,
    digest: taskDigest(task),
    approvedBy: approval.by,
    persona,
    ...(why !== undefined && { why }),
    maxAttempts: config.plans.maxAttempts,
    lease: {
      namespace: config.plans.leaseNamespace,
      lastsMs: config.plans.leaseMinutes * MINUTE_MS,
    },
    sessions: sessionLimits(config),
    ...(config.journal.enabled && { journal: config.memory.branch }),
  };
}

export function sessionLimits({ access }: Config): SessionLimits {
  return { perHour: access.codeRunsPerHour, perPersonPerHour: access.codeRunsPerUserPerHour };
}
