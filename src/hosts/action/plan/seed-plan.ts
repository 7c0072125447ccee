/** The plan as a job begins with it: what the record says, and what its tasks have come to since. */
import {
  findKeptPlan,
  type KeptPlan,
  type KeptPlans,
} from '../../../domain/actions/kept/kept-plans.ts';
import {
  isKeptByUs,
  recordsOfPlan,
  type KeptTasks,
} from '../../../domain/actions/kept/kept-tasks.ts';
import { newsOfTasks, placesOfOthers } from '../../../domain/actions/plan-in-workflow.ts';
import { parsePlan } from '../../../domain/plan/body/parse-plan.ts';
import type { PlansAtWork } from '../../../domain/plan/plans-at-work.ts';
import type { PlanState, PlanView } from '../../../domain/plan/plan-view.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { AdvancingPlan } from './plan-job.ts';

export interface PlanRecords {
  plans: KeptPlans;
  tasks: KeptTasks;
  /** Of this plan, where it is believed. */
  instead: KeptPlan | undefined;
  secret: string;
}

export function seedPlan(
  { basics, thread, at }: AdvancingPlan,
  view: PlanView,
  { tasks, instead, secret }: PlanRecords,
): PlanState {
  const id = derivedId(`plan ${threadKey(thread)}`, Date.parse(at));
  const state: PlanState = instead?.state ?? { id, step: 0, thread };
  const news = newsOfTasks({
    plan: parsePlan(view.issue.body),
    approval: state.approval,
    started: instead?.started ?? {},
    streams: recordsOfPlan(tasks, thread, secret).map(({ stream }) => stream),
    handles: new Set(view.personas.map(({ handle }) => handle)),
    unheld: new Set((view.unheld ?? []).map(({ task }) => task)),
    now: basics.clock.now(),
  });
  return { ...state, thread, tasks: news };
}

export function seedOthers(
  { basics, thread }: AdvancingPlan,
  { config }: PlanView,
  { plans, tasks, secret }: PlanRecords,
): PlansAtWork {
  const signed = Object.values(plans.plans).flatMap(({ state }) => {
    const found = findKeptPlan(plans, state.thread, secret);
    return found?.state.thread.repositoryId === thread.repositoryId ? [found] : [];
  });
  return placesOfOthers({
    streams: Object.values(tasks.tasks).flatMap((kept) =>
      isKeptByUs(kept, secret) ? [kept.stream] : [],
    ),
    plans: signed,
    except: thread.number,
    most: config.access.maxConcurrentThreads,
    now: basics.clock.now(),
  });
}
