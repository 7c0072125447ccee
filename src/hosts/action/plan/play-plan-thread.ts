/** Plays a plan's thread in one job, by the App's reducers. It returns the tasks that they begin. */
import type { Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import { decide, type Reducer } from '../../../decide/route.ts';
import { readState } from '../../../decide/run/decision.ts';
import { THREAD_STATE_VERSION, type ThreadState } from '../../../decide/run/thread-context.ts';
import { freeApproved } from '../../../domain/actions/plan-in-workflow.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import type { PlanState } from '../../../domain/plan/plan-view.ts';
import type { PlansAtWork } from '../../../domain/plan/plans-at-work.ts';
import {
  NEW_REPOSITORY,
  type RepositoryState,
} from '../../../domain/repository/repository-state.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { TaskOrder } from '../../../domain/task/task.ts';
import type { Store } from '../../../ports/store.ts';
import { threadState } from '../../follow-runs.ts';
import type { Basics } from '../../host-parts.ts';
import { playEvent, type EventPlay } from '../job/play-event.ts';

export interface PlanPlay {
  basics: Basics;
  store: Store;
  thread: ThreadRef;
  /** Key of the claim: ids derive from it. */
  claim: string;
  /** ISO 8601. */
  at: string;
  trigger: Trigger;
  /** What is known of the plan, and of the PM's work on one. */
  seed: Pick<ThreadState, 'plan' | 'planning' | 'proposed'>;
  /** What other plans have at work. */
  others: PlansAtWork;
  /** What this job may do; anything else that the plan wants is left out. */
  carriesOut: ReadonlySet<EffectKind>;
  perform: Perform;
  timeoutMs: number;
}

export interface PlanPlayed {
  state: ThreadState;
  /** Tasks that may begin now. */
  orders: TaskOrder[];
  done: Performed[];
}

/** @throws RefusedError `action-run-failed` where an event was not decided, or what it rests on could not be read */
export async function playPlanThread(play: PlanPlay): Promise<PlanPlayed> {
  const { store, thread, at, trigger } = play;
  const key = threadKey(thread);
  const keys = [key, repositoryKey(thread)] as const;
  const orders = new Map<number, TaskOrder>();
  const done: Performed[] = [];
  const decideHere = reducerOf(play, orders);
  // Every attempt of the job decides at one moment, so that its ids are the same in each.
  const moment = { now: Date.parse(at) };
  const played: EventPlay = {
    ...play,
    keys,
    data: { kind: 'trigger', trigger },
    decide: (state, event) => decideHere(state, event, moment),
    perform: async (effect, attempt) => {
      const performed = await play.perform(effect, attempt);
      done.push(performed);
      return performed;
    },
    what: 'the plan',
  };
  return playEvent(played, async () => {
    await refuseUnread(store, keys);
    return { state: await threadState(store, key), orders: [...orders.values()], done };
  });
}

const LOOKS: ReadonlySet<EffectKind> = new Set<EffectKind>(['look', 'look-comment', 'look-plan']);

/** The App would look again later. A job ends here, and a green one would mark as done what a person said. */
async function refuseUnread({ records }: Store, keys: readonly string[]): Promise<void> {
  const ended = await Promise.all(
    keys.flatMap((key) =>
      (['dead', 'refused'] as const).map((status) => records.effects({ key, status, limit: 20 })),
    ),
  );
  const failed = ended.flat().find(({ data }) => LOOKS.has(data.kind));
  if (failed === undefined) return;
  throw new RefusedError({
    code: 'action-run-failed',
    message: `The plan could not be read: ${failed.reason ?? 'the look failed'}. Run the failed job again.`,
  });
}

function repositoryKey({ repositoryId }: ThreadRef): string {
  return `repository:${repositoryId}`;
}

/** The plan's thread and its repository, which gives places to tasks; nothing else lives in this job. */
function reducerOf(
  { thread, seed: known, others, carriesOut }: PlanPlay,
  orders: Map<number, TaskOrder>,
): Reducer {
  const seeds: Readonly<Record<string, ThreadState | RepositoryState>> = {
    [threadKey(thread)]: { v: THREAD_STATE_VERSION, runs: {}, ...known },
    [repositoryKey(thread)]: { ...NEW_REPOSITORY, plansAtWork: others },
  };
  return (state, event, moment) => {
    const seed = seeds[event.key];
    if (seed === undefined) return { state, effects: [], events: [], ignored: 'not of the plan' };
    const decision = decide(state ?? seed, event, moment);
    for (const { data } of decision.events)
      if (data.kind === 'task-go') orders.set(data.order.ref.task, data.order);
    return {
      ...decision,
      ...(event.key === threadKey(thread) && { state: freed(decision.state, known.plan) }),
      effects: decision.effects.filter(({ data }) => carriesOut.has(data.kind)),
      events: decision.events.filter(({ key, data }) => key in seeds && data.kind !== 'timer'),
    };
  };
}

function freed(state: unknown, before: PlanState | undefined): unknown {
  const now = readState<ThreadState>(state, { v: THREAD_STATE_VERSION, runs: {} });
  return now.plan === undefined
    ? state
    : { ...now, plan: freeApproved(now.plan, before?.approval) };
}
