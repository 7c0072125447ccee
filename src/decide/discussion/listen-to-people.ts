/** People come first: a person's word stops the talk, resumes it, or ends it (NW-10). */
import { type Permit } from '../../domain/run/permit/permit.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import type { Trigger } from '../../domain/event/trigger.ts';
import { isDiscussionRun } from '../../domain/run/state/run-record.ts';
import { emitEffect, emitTimer } from '../run/decision.ts';
import {
  isOpen,
  writeLane,
  type DiscussionContext,
  type RunContext,
} from '../run/thread-context.ts';
import { endRun } from '../run/end-run.ts';
import { renderReminder } from './render/render-notice.ts';
import { labelName } from '../run/run-settings.ts';
import { lookFor } from './start-run.ts';
import { contributorsLeft } from './verdict/tally-votes.ts';

/** How long a question waits before each reminder to its owner. There are no further ones. */
export const REMINDERS_MS = [24 * 3_600_000, 72 * 3_600_000] as const;

/** In debounces: comments without end must not keep a verdict away for ever. */
const LONGEST_SILENCE = 10;

/** A comment came in. */
export function listenTo(
  context: DiscussionContext,
  comment: Extract<Trigger, { kind: 'commented' }>,
): Outcome {
  const { run, step } = context;
  if (comment.isByBot || comment.actor.isBot) return ignore('an automated comment');
  if (comment.commentId <= run.heardCommentId) return ignore('this comment was in view already');
  if (run.status === 'blocked') {
    lookFor(context, 'answer');
    return HANDLED;
  }
  const { phase } = run;
  if ((phase.kind === 'looking' || phase.kind === 'listening') && phase.next === 'start')
    return ignore('it will be read with the first look');
  run.silentSince ??= step.now;
  if (
    run.phase.kind === 'listening' &&
    step.now - run.silentSince > LONGEST_SILENCE * run.settings.debounceMs
  )
    return ignore('people have been heard long enough for now');
  if (run.phase.kind === 'gathering') run.inFlight.push(...run.phase.waitingFor);
  // The talk stops here: nobody else is asked, and the lead goes on with this comment in view.
  run.queue = [];
  run.phase = {
    kind: 'listening',
    timer: emitTimer(step, 'debounce', run.settings.debounceMs),
    next: 'verdict',
  };
  context.kind.show(context);
  return HANDLED;
}

/** The quiet after a comment, or a pause, is over. */
export function resumeAfterListening(context: DiscussionContext, timer: string): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'listening' || run.phase.timer !== timer)
    return ignore('somebody spoke since');
  const { next } = run.phase;
  delete run.silentSince;
  lookFor(context, next === 'round' && contributorsLeft(run) === 0 ? 'verdict' : next);
  return HANDLED;
}

/** Something may have ended the run. Events come late and out of order: GitHub is asked what holds now. */
export function lookWhetherOver({ run, step, kind }: DiscussionContext): Outcome {
  run.recheck = emitEffect(step, kind.look(run));
  return HANDLED;
}

/** What that look found: the run may not go on, or what was announced does not hold any more. */
export function onRecheck(context: DiscussionContext, permit: Permit): Outcome {
  delete context.run.recheck;
  if (!isOpen(context.run)) return ignore('the run came to its end meanwhile');
  if (permit.kind === 'allowed') return ignore('what was announced does not hold now');
  return cancelRun(context, permit.reason, { quietly: context.run.written === undefined });
}

/** Ends a run without a verdict. Quietly: nothing was posted yet, so nothing is said. */
export function cancelRun(
  context: RunContext,
  reason: string,
  { quietly = false }: { quietly?: boolean } = {},
): Outcome {
  const { run, step } = context;
  const { thread } = run;
  run.status = 'closed';
  run.result = 'cancelled';
  run.endReason = reason;
  if (isDiscussionRun(run)) {
    run.queue = [];
    delete run.needsYou;
  }
  if (!quietly) {
    context.kind.end(context);
    const lane = { lane: writeLane(thread) };
    const asked = labelName(run.settings, 'needs-human');
    if (isDiscussionRun(run) && run.wasBlocked)
      emitEffect(step, { kind: 'labels', thread, add: [], remove: [asked] }, lane);
  }
  endRun(context);
  return HANDLED;
}

/** The question is still open: the thread is read again before its owner is reminded. */
export function remind(context: DiscussionContext, timer: string): Outcome {
  const { run } = context;
  if (run.status !== 'blocked' || run.needsYou === undefined)
    return ignore('the question is settled');
  if (run.reminderTimer !== timer) return ignore('a later question replaced this one');
  if (run.phase.kind === 'waiting') lookFor(context, 'reminder');
  return HANDLED;
}

/** Reminds in a comment of its own, because edits notify nobody. */
export function postReminder(context: DiscussionContext): Outcome {
  const { run, step } = context;
  const { needsYou, thread } = run;
  run.phase = { kind: 'waiting' };
  if (needsYou === undefined) return HANDLED;
  needsYou.reminders += 1;
  const marker = { kind: 'notice' as const, run: run.id, key: `reminder-${step.run.step}` };
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body: renderReminder(needsYou), isNew: true },
    { lane: writeLane(thread) },
  );
  const next = REMINDERS_MS[needsYou.reminders];
  if (next !== undefined) run.reminderTimer = emitTimer(step, 'reminder', next);
  return HANDLED;
}
