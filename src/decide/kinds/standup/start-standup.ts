/** Begins to look back, with the step in which a plan came to its end. */
import type { Event } from '../../../domain/event/event.ts';
import type { PlanState } from '../../../domain/plan/plan-view.ts';
import { runKey } from '../../../domain/run/state/run-record.ts';
import { OURSELVES, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { RecordOutcome } from '../../../domain/standup/look-back/record.ts';
import type { StandupSource } from '../../../domain/standup/standup-run.ts';
import { startRun } from '../../discussion/start-run.ts';
import type { Decision } from '../../run/decision.ts';
import type { RunKind, ThreadContext } from '../../run/thread-context.ts';

/** The plan's state, as far as a standup needs it. */
export interface PlanEnd {
  isComplete: boolean;
  isStuck: boolean;
}

export function endOf(plan: PlanState | undefined): PlanEnd {
  return { isComplete: plan?.isComplete === true, isStuck: plan?.isStuck === true };
}

/** Once for each way in which a plan ends: one that failed may be completed later. */
export function lookBackOnPlan(
  decision: Decision,
  { state, event, now }: ThreadContext,
  { before, runKind }: { before: PlanEnd; runKind: RunKind<'standup'> },
): Decision {
  const { plan } = state;
  const outcome = outcomeOf(before, endOf(plan));
  if (plan === undefined || outcome === undefined || decision.state !== state) return decision;
  const about = `${plan.id}/${outcome}`;
  if (runKey('standup', about) in state.runs) return decision;
  const begun = startRun(state, {
    event: { ...event, id: `${event.id}/standup` } satisfies Event,
    trigger: {
      kind: 'requested',
      by: 'reconcile',
      thread: plan.thread,
      actor: OURSELVES,
      label: '',
    },
    kind: 'standup',
    runKind,
    about,
    standup: { run: plan.id, outcome },
    label: '',
    now,
  });
  const { ignored: _, ...rest } = decision;
  return {
    ...rest,
    effects: [...decision.effects, ...begun.effects],
    events: [...decision.events, ...begun.events],
  };
}

/** A standup that its host begins, where no plan is followed: as in a workflow, whose store is thrown away. */
export function beginStandup(
  { state, event, now }: ThreadContext,
  {
    thread,
    source,
    runKind,
  }: { thread: ThreadRef; source: StandupSource; runKind: RunKind<'standup'> },
): Decision {
  return startRun(state, {
    event,
    trigger: { kind: 'requested', by: 'reconcile', thread, actor: OURSELVES, label: '' },
    kind: 'standup',
    runKind,
    about: source.run,
    standup: source,
    label: '',
    now,
  });
}

function outcomeOf(before: PlanEnd, after: PlanEnd): RecordOutcome | undefined {
  if (after.isComplete) return before.isComplete ? undefined : 'completed';
  return after.isStuck && !before.isStuck ? 'failed' : undefined;
}
