/** Somebody has done with a plan: what its tasks left on GitHub goes. */
import type { Event } from '../../domain/event/event.ts';
import type { TaskStream } from '../../domain/task/task.ts';
import { createStep, ignored, emitEffect, type Decision } from '../run/decision.ts';
import { taskLane } from './task-context.ts';

/** A merged one's went with the merge, or stays because the configuration says so. */
export function tidy(stream: TaskStream, event: Event, now: number): Decision {
  const { run, heads } = stream;
  if (run === undefined || heads === undefined) return ignored(stream, 'it has no branch');
  if (run.phase.kind !== 'ended') return ignored(stream, `run ${run.id} works on it`);
  if (run.mergeSha !== undefined) return ignored(stream, 'it is merged');
  const step = createStep(event.key, run, now);
  const { branch, order } = run;
  emitEffect(step, { kind: 'drop-branch', thread: order.ref.plan, branch, heads }, taskLane(run));
  return { state: stream, effects: step.effects, events: [] };
}
