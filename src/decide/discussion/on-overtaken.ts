/**
 * GitHub knows more of a run than the restored store: the run takes over that state, without a comment or a model call.
 */
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import type { EventData } from '../../domain/event/event.ts';
import { ignored, emitTimer, type Decision } from '../run/decision.ts';
import { endRun } from '../run/end-run.ts';
import { REMINDERS_MS } from './listen-to-people.ts';
import {
  isDiscussionContext,
  type DiscussionContext,
  type ResultData,
  type RunContext,
  type ThreadContext,
} from '../run/thread-context.ts';

type Failed = Extract<EventData, { kind: 'failed' }>;

/** The refusal of an effect whose run is further on GitHub; undefined for all else. */
export function findOvertaken(data: ResultData): Failed | undefined {
  if (data.kind !== 'failed') return undefined;
  const { code } = data.failure;
  return code === 'run-ended' || code === 'run-waiting' ? data : undefined;
}

/** Takes a run as GitHub shows it. */
export function onOvertakenRun(context: RunContext, { failure }: Failed): Outcome {
  const { run } = context;
  if (run.status !== 'active' && run.status !== 'blocked')
    return ignore('the run has ended here as well');
  if (isDiscussionContext(context)) leaveDiscussion(context);
  if (run.trigger === 'pr_review') delete run.posting;
  // A person who asked by a command was answered then.
  delete run.askedIn;
  if (failure.code === 'run-waiting' && isDiscussionContext(context)) waitForPerson(context);
  else endOvertaken(context);
  return HANDLED;
}

function leaveDiscussion({ run }: DiscussionContext): void {
  run.queue = [];
  run.inFlight = [];
}

function endOvertaken(context: RunContext): void {
  const { run } = context;
  run.status = 'closed';
  run.result = 'cancelled';
  run.isOvertaken = true;
  run.endReason = 'it had ended before the store was restored from a backup';
  if (isDiscussionContext(context)) forgetQuestion(context);
  endRun(context);
}

function forgetQuestion({ run }: DiscussionContext): void {
  delete run.needsYou;
  delete run.reminderTimer;
}

/** What was said before is not in the store: once somebody answers, the team is asked again. */
function waitForPerson({ run, step }: DiscussionContext): void {
  if (run.status === 'blocked') return;
  run.status = 'blocked';
  run.wasBlocked = true;
  run.phase = { kind: 'waiting' };
  run.round = 1;
  run.lead = undefined;
  run.contributions = [];
  run.needsYou = {
    owner: run.settings.owner,
    question: 'The question in the comment of the team is still open.',
    since: new Date(step.now).toISOString(),
    reminders: 0,
  };
  run.reminderTimer = emitTimer(step, 'reminder', REMINDERS_MS[0]);
}

/** An answer or a plan that GitHub has already; undefined where the run is neither. */
export function onOvertakenAnswer({ state }: ThreadContext, { run }: Failed): Decision | undefined {
  const { talks, planning } = state;
  if (talks?.[run] !== undefined) delete talks[run];
  else if (planning?.id !== run) return undefined;
  else delete state.planning;
  return ignored(state, `${run} ended before the store was restored from a backup`);
}
