/** The comment that reports a plan that is done: who writes it, and who adds to it. */
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from './decision.ts';

/** Marks the report of a plan that is done. */
export function reportMarker({ id }: PlanState) {
  return { kind: 'report' as const, run: id, key: 'complete' };
}

/** Adds a line to the report that is there. */
export function showInReport(step: Step, state: PlanState, line: string): void {
  const { summary, thread } = state;
  if (summary === undefined) return;
  const { body, report } = summary;
  emitEffect(
    step,
    {
      kind: 'comment',
      thread,
      marker: reportMarker(state),
      body: `${body}\n\n<sub>${line}</sub>`,
      report,
    },
    { lane: `plan:${threadKey(thread)}`, isUnheard: true },
  );
}
