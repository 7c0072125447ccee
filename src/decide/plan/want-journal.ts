/** When the journal of a plan is written again: after what its readers look for. */
import type { PlanState } from '../../domain/plan/plan-view.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { createStep, emitEffect, type Decision } from '../run/decision.ts';
import type { ThreadContext } from '../run/thread-context.ts';

/** How a task ends, for now or finally. An open pull request already shows by its number. */
const ENDS: ReadonlySet<TaskState> = new Set(['completed', 'blocked', 'failed']);

/** What a reader of the journal would look for, each by a name: when there is a new one, the journal is written. */
export function journalMarks(plan: PlanState | undefined): string[] {
  if (plan === undefined) return [];
  const { isWaiting, approval, rejected, tasks = {} } = plan;
  return [
    ...(isWaiting === true ? ['waits'] : []),
    ...(approval === undefined ? [] : [`approved ${approval.digest}`]),
    ...(rejected === undefined ? [] : [`rejected ${rejected.digest}`]),
    ...Object.values(tasks).flatMap(({ task, attempt, state, pull }) => [
      ...(pull === undefined ? [] : [`task ${task} in #${pull.number}`]),
      ...(ENDS.has(state) ? [`task ${task} ${state} ${attempt}`] : []),
    ]),
  ];
}

interface Reduced extends ThreadContext {
  /** Of the plan before the event. */
  marks: readonly string[];
}

/** One write waits for each thread: a newer one replaces it. */
export function wantJournal(decision: Decision, { state, event, now, marks }: Reduced): Decision {
  const { plan } = state;
  if (plan === undefined || decision.state !== state) return decision;
  const isClosed = event.data.kind === 'done' && event.data.effectKind === 'close';
  if (!isClosed && journalMarks(plan).every((each) => marks.includes(each))) return decision;
  const { thread } = plan;
  const run = { id: plan.id, step: plan.journals ?? 0 };
  const step = createStep(event.key, run, now);
  emitEffect(
    step,
    { kind: 'write-journal', thread },
    { lane: `memory:${thread.repositoryId}`, slot: `journal:${threadKey(thread)}` },
  );
  plan.journals = run.step;
  const { ignored: _, ...rest } = decision;
  return { ...rest, effects: [...decision.effects, ...step.effects] };
}
