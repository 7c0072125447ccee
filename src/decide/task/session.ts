/** How a task asks its repository for a session of the Coder, until it has heard. */
import { say, wantTimer } from '../decision.ts';
import type { TaskScene } from './scene.ts';

/** The answer comes at once, unless an older worker passed the question over or died of it. */
const AGAIN_MS = 5 * 60_000;

/** For a new one; or once more for the one that was asked for, which counts only once. */
export function askForSession({ run, step }: TaskScene, before?: number): undefined {
  const { ref, approvedBy, sessions } = run.order;
  if (sessions === undefined) return undefined;
  const timer = wantTimer(step, 'session', AGAIN_MS);
  const ask = before ?? run.step;
  run.phase = { kind: 'asking', ask, timer };
  const session = { by: approvedBy.id, limits: sessions };
  say(
    step,
    { kind: 'session-wanted', run: run.id, task: ref, session, ask },
    { key: `repository:${ref.plan.repositoryId}`, suffix: `session-${run.step}` },
  );
  return undefined;
}
