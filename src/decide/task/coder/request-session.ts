/** How a task asks its repository for a session of the Coder, until it has heard. */
import { emitEvent, emitTimer } from '../../run/decision.ts';
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import type { TaskContext } from '../task-context.ts';
import { enter } from '../transitions.ts';

/** The answer comes at once, unless an older worker passed the question over or died of it. */
const AGAIN_MS = 5 * 60_000;

/** Requests a new session, or repeats an earlier request. A repeated one counts once. */
export function requestSession(context: TaskContext, before?: number): Outcome {
  const { run, step } = context;
  const { ref, approvedBy, sessions } = run.order;
  if (sessions === undefined) return HANDLED;
  const timer = emitTimer(step, 'session', AGAIN_MS);
  const ask = before ?? run.step;
  enter(context, { kind: 'asking', ask, timer });
  const session = { by: approvedBy.id, limits: sessions };
  emitEvent(
    step,
    { kind: 'session-wanted', run: run.id, task: ref, session, ask },
    { key: `repository:${ref.plan.repositoryId}`, suffix: `session-${run.step}` },
  );
  return HANDLED;
}
