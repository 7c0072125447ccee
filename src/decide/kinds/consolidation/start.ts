/** Begins to consolidate a persona's memory, after a reflection wrote to it. */
import type { Event } from '../../../domain/event/event.ts';
import { runKey } from '../../../domain/run/state/run-record.ts';
import { startRun } from '../../discussion/start-run.ts';
import { isOpen, type RunContext, type RunKind } from '../../run/thread-context.ts';

/** Starts one run for each persona, once, with the step in which the reflection ended. */
export function consolidateAfter(
  { state, run, step }: RunContext<'reflection'>,
  event: Event,
  runKind: RunKind<'consolidation'>,
): void {
  const due = run.phase.kind === 'ended' ? (run.due ?? []) : [];
  delete run.due;
  const { thread, actor } = run;
  for (const handle of due) {
    const last = state.runs[runKey('consolidation', handle)];
    if (last !== undefined && isOpen(last)) continue;
    const { effects, events } = startRun(state, {
      event: { ...event, id: `${event.id}/consolidation/${handle}` },
      trigger: { kind: 'requested', by: 'reconcile', thread, actor, label: '' },
      kind: 'consolidation',
      runKind,
      about: handle,
      handle,
      label: '',
      now: step.now,
    });
    step.effects.push(...effects);
    step.events.push(...events);
  }
}
