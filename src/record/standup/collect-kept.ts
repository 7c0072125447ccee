/** What a standup looks back on where no store outlives a job: the plan as it is, and the records of its tasks. */
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import type { TaskStatus } from '../../domain/plan/plan.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import type { TaskHistory } from '../../domain/standup/look-back/build-record.ts';
import type { StandupSource } from '../../domain/standup/standup-run.ts';
import type { TaskStream } from '../../domain/task/task.ts';
import type { CollectedRun } from './collect-run.ts';

interface Kept {
  /** Number of the plan's issue. */
  plan: number;
  /** Text of that issue. */
  body: string;
  source: StandupSource;
  /** Of the plan's tasks alone. */
  streams: readonly TaskStream[];
}

export function collectKept({ plan: thread, body, source, streams }: Kept): CollectedRun {
  const plan = parsePlan(body);
  const states = new Map(plan.tasks.map(({ number, status }) => [number, status]));
  const tasks = streams.flatMap(({ run }): TaskHistory[] => {
    const status = run === undefined ? undefined : states.get(run.order.ref.task);
    return run === undefined || status === undefined ? [] : [{ run, state: STATES[status] }];
  });
  const { run, outcome } = source;
  return { input: { run, thread, outcome, request: body, plan, tasks }, isAborted: false };
}

/** A plan's text knows fewer words than the App does. */
const STATES: Readonly<Record<TaskStatus, TaskState>> = {
  pending: 'pending',
  claimed: 'claimed',
  in_progress: 'in_progress',
  completed: 'completed',
  blocked: 'blocked',
};
