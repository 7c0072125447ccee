/** People come first: a person's word stops the talk, resumes it, or ends it (NW-10). */
import type { Trigger } from '../../domain/trigger.ts';
import { want, wantTimer } from '../decision.ts';
import { isOpen, writeLane, type Scene } from '../scene.ts';
import { endRun } from './end.ts';
import { renderReminder } from './render-notice.ts';
import { labelName } from './settings.ts';
import { lookFor } from './start.ts';
import { contributorsLeft } from './tally.ts';

/** After a question has waited so long, its owner is reminded once more, and then no further. */
export const REMINDERS_MS = [24 * 3_600_000, 72 * 3_600_000] as const;

/** In debounces: comments without end must not keep a verdict away for ever. */
const LONGEST_SILENCE = 10;

/** A comment came in. */
export function listenTo(
  scene: Scene,
  comment: Extract<Trigger, { kind: 'commented' }>,
): string | undefined {
  const { run, step } = scene;
  if (comment.isByBot || comment.actor.isBot) return 'an automated comment';
  if (comment.commentId <= run.heardCommentId) return 'this comment was in view already';
  if (run.status === 'blocked') {
    lookFor(scene, 'answer');
    return undefined;
  }
  if (run.phase.kind === 'looking' && run.phase.next === 'start')
    return 'it will be read with the first look';
  run.silentSince ??= step.now;
  if (
    run.phase.kind === 'listening' &&
    step.now - run.silentSince > LONGEST_SILENCE * run.settings.debounceMs
  )
    return 'people have been heard long enough for now';
  if (run.phase.kind === 'gathering') run.inFlight.push(...run.phase.waitingFor);
  // The talk stops here: nobody else is asked, and the lead goes on with this comment in view.
  run.queue = [];
  run.phase = {
    kind: 'listening',
    timer: wantTimer(step, 'debounce', run.settings.debounceMs),
    next: 'verdict',
  };
  scene.strategy.show(scene);
  return undefined;
}

/** The quiet after a comment, or a pause, is over. */
export function resumeAfterListening(scene: Scene, timer: string): string | undefined {
  const { run } = scene;
  if (run.phase.kind !== 'listening' || run.phase.timer !== timer) return 'somebody spoke since';
  const { next } = run.phase;
  delete run.silentSince;
  lookFor(scene, next === 'round' && contributorsLeft(run) === 0 ? 'verdict' : next);
  return undefined;
}

/** Something may have ended the run. Events come late and out of order: GitHub is asked what holds now. */
export function lookWhetherOver({ run, step, strategy }: Scene): undefined {
  run.recheck = want(step, strategy.look(run));
}

/** What that look found: the run is over for this reason, or what was announced does not hold any more. */
export function takeRecheck(scene: Scene, reason: string | undefined): string | undefined {
  delete scene.run.recheck;
  if (!isOpen(scene.run)) return 'the run came to its end meanwhile';
  return reason === undefined ? 'what was announced does not hold now' : cancelRun(scene, reason);
}

/** Ends a run without a verdict. Quietly: nothing was posted yet, so nothing is said. */
export function cancelRun(
  scene: Scene,
  reason: string,
  { quietly = false }: { quietly?: boolean } = {},
): string | undefined {
  const { run, step } = scene;
  const { thread } = run;
  run.status = 'closed';
  run.result = 'cancelled';
  run.endReason = reason;
  run.queue = [];
  delete run.needsYou;
  if (!quietly) {
    scene.strategy.show(scene);
    scene.strategy.retract(scene);
    const lane = { lane: writeLane(thread) };
    const asked = labelName(run.settings, 'needs-human');
    if (run.wasBlocked) want(step, { kind: 'labels', thread, add: [], remove: [asked] }, lane);
  }
  endRun(scene);
  return undefined;
}

/** The question is still open: the thread is read again before its owner is reminded. */
export function remind(scene: Scene, timer: string): string | undefined {
  const { run } = scene;
  if (run.status !== 'blocked' || run.needsYou === undefined) return 'the question is settled';
  if (run.reminderTimer !== timer) return 'a later question replaced this one';
  if (run.phase.kind === 'waiting') lookFor(scene, 'reminder');
  return undefined;
}

/** Reminds in a comment of its own, because edits notify nobody. */
export function postReminder(scene: Scene): undefined {
  const { run, step } = scene;
  const { needsYou, thread } = run;
  run.phase = { kind: 'waiting' };
  if (needsYou === undefined) return;
  needsYou.reminders += 1;
  const marker = { kind: 'notice' as const, run: run.id, key: `reminder-${step.run.step}` };
  want(
    step,
    { kind: 'comment', thread, marker, body: renderReminder(needsYou), isNew: true },
    { lane: writeLane(thread) },
  );
  const next = REMINDERS_MS[needsYou.reminders];
  if (next !== undefined) run.reminderTimer = wantTimer(step, 'reminder', next);
}
