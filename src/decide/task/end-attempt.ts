/** How an attempt ends: its task is given back, tried again, put before a person, or done. */
import type { EffectResults } from '../../domain/event/result.ts';
import type { TaskState } from '../../domain/plan/task-state.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { attemptName, roundsOf, threadOfPull } from '../../domain/task/task.ts';
import { emitEffect, emitEvent } from '../run/decision.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { describeClose, describeMerge } from './pull/describe-end.ts';
import { planLane, toPlanEdit, notifyPlan, type TaskContext } from './task-context.ts';
import { enter } from './transitions.ts';

/** TG-4, LOOP: no setting makes it more (spec 12, rule 11); `plans.maxAttempts` may make it less. */
const MAX_ATTEMPTS = 3;

/** What a review asked for, and why each attempt failed. */
const MAX_NOTES = 20 + MAX_ATTEMPTS;

/**
 * An attempt failed: the task is tried again, or a person is asked when it failed too often. The end of what was printed
 * (`log`) is for the next attempt, and for people below the plan.
 */
export function failAttempt(context: TaskContext, reason: string, log?: string): Outcome {
  const { stream, run } = context;
  stream.failures += 1;
  const printed = log === undefined ? '' : `\n\nEnd of the output:\n\n${log}`;
  if (log !== undefined) run.log = log;
  run.notes = [...run.notes, `${reason}${printed}`].slice(-MAX_NOTES);
  if (stream.failures >= Math.min(MAX_ATTEMPTS, run.order.maxAttempts ?? MAX_ATTEMPTS)) {
    const why = stream.failures === 1 ? reason : `failed ${stream.failures} times, last: ${reason}`;
    return end(context, { state: 'blocked', status: 'blocked', reason: why });
  }
  return end(context, { state: 'failed', status: 'pending', reason });
}

/** Blocks on a person's action. This does not count as a failed attempt. */
export function blockAttempt(context: TaskContext, reason: string): Outcome {
  return end(context, { state: 'blocked', status: 'blocked', reason });
}

/** Somebody closed its pull request: what was made stays, and goes on when that is reopened (CB-17). */
export function closeTask(context: TaskContext): Outcome {
  const { run } = context;
  run.isShut = true;
  const pull = `#${run.pull?.number ?? 0}`;
  const why = `${pull} was closed without being merged: reopen it and it goes on`;
  const outcome = blockAttempt(context, why);
  describeClose(context);
  return outcome;
}

const ENDINGS = { release: 'pending', block: 'blocked', complete: 'completed' } as const;

/** Somebody ended it by what they wrote into the plan: their words stay as they are. */
export function endByHand(
  context: TaskContext,
  word: keyof typeof ENDINGS,
  reason: string,
): Outcome {
  const status = ENDINGS[word];
  const state = status === 'pending' ? 'released' : status;
  return end(context, { state, status, reason, isWritten: true });
}

/** It is given back as it was; `waitsMs`: nobody begins it again by themselves before that. */
export function releaseTask(
  context: TaskContext,
  reason: string,
  { waitsMs }: { waitsMs?: number } = {},
): Outcome {
  if (waitsMs !== undefined)
    context.run.waitsUntil = new Date(context.step.now + waitsMs).toISOString();
  return end(context, { state: 'released', status: 'pending', reason });
}

/** Merged: the plan has one task less to do. If a person or the merge queue merged it, its branch may still exist. */
export function complete(
  context: TaskContext,
  mergeSha: string | undefined,
  { deleteBranch = false }: { deleteBranch?: boolean } = {},
): Outcome {
  const { run, stream } = context;
  stream.failures = 0;
  if (mergeSha !== undefined) run.mergeSha = mergeSha;
  const reason = run.pull === undefined ? undefined : `#${run.pull.number}`;
  const outcome = end(context, { state: 'completed', status: 'completed', reason, deleteBranch });
  describeMerge(context);
  return outcome;
}

interface Ending {
  state: 'blocked' | 'failed' | 'released' | 'completed';
  status: 'blocked' | 'pending' | 'completed';
  reason: string | undefined;
  /** Somebody wrote it into the plan by hand. */
  isWritten?: boolean;
  deleteBranch?: boolean;
}

/**
 * The plan gets the event only when its text shows the new state too, so that its next reader sees the task as it is.
 */
function end(context: TaskContext, ending: Ending): Outcome {
  const { run, step } = context;
  const { state, status, reason, isWritten = false, deleteBranch = false } = ending;
  const why = reason === undefined ? {} : { reason };
  delete run.awaits;
  if (run.lease === undefined) return finishAttempt(context, { state, ...why });
  const shown = reason === undefined ? '' : short(reason);
  const { plan, task } = run.order.ref;
  const names = Array.from({ length: roundsOf(run) + 1 }, (_, n) => attemptName(run.id, n));
  const { lease, order, branch: name, headSha: sha } = run;
  // First what is true, then what shows it: who took over meanwhile is not written over.
  const release = {
    kind: 'release' as const,
    thread: plan,
    task,
    lease,
    leaseAt: order.lease,
    names,
    ...(deleteBranch && sha !== undefined && { branch: { name, sha } }),
    end: { status, reason: shown },
  };
  const lane = planLane(run);
  const released = emitEffect(step, release, isWritten ? lane : { ...lane, isUnheard: true });
  // The last of the two is waited for.
  const effectId = isWritten ? released : emitEffect(step, toPlanEdit(run, status, shown), lane);
  enter(context, { kind: 'closing', effectId, state, ...why });
  return HANDLED;
}

/** A claim that came through after its attempt was ended is held by nobody for long. */
export function dropClaim({ run, step }: TaskContext, result: EffectResults['claim']): Outcome {
  if (result.outcome !== 'claimed') return ignore('nothing waits for it');
  const { ref, digest, persona, lease: leaseAt } = run.order;
  const { plan: thread, task } = ref;
  const { lease } = result;
  const reason = `given back by ${run.cancelled?.by ?? 'the team'}`;
  const words = { status: 'pending' as const, reason };
  const order = { ...planLane(run), isUnheard: true as const };
  emitEffect(step, { kind: 'release', thread, task, lease, leaseAt, names: [], end: words }, order);
  const edits = [
    { kind: 'status' as const, task, ...words },
    { kind: 'assignee' as const, task, assignee: '' },
  ];
  const only = { task, digest, assignee: persona };
  emitEffect(step, { kind: 'plan-edit', thread, edits, only, holds: { lease, leaseAt } }, order);
  return HANDLED;
}

/** Nothing is done any more for this attempt. */
export function finishAttempt(
  context: TaskContext,
  { state, reason }: { state: TaskState; reason?: string },
): Outcome {
  const { run } = context;
  enter(context, { kind: 'ended' });
  if (state === 'completed') notifyMerged(context);
  notifyPlan(context, state, {
    ...(reason === undefined ? {} : { reason }),
    ...(run.mergeSha === undefined ? {} : { mergeSha: run.mergeSha }),
    ...(run.asked === undefined || state !== 'blocked' ? {} : { asks: true as const }),
    ...(run.lacksTests === true && state === 'blocked' ? { lacksTests: true as const } : {}),
    ...(run.waitsUntil === undefined ? {} : { waitsUntil: run.waitsUntil }),
    ...(run.log === undefined ? {} : { log: run.log }),
  });
  return HANDLED;
}

/** GitHub tells us of no merge of our own. */
function notifyMerged({ run, step }: TaskContext): void {
  const { pull, mergeSha, order } = run;
  if (pull === undefined || mergeSha === undefined) return;
  const thread = threadOfPull(order.ref.plan, pull);
  emitEvent(
    step,
    { kind: 'merged', run: run.id, task: order.ref, thread },
    { key: threadKey(thread), suffix: 'merged' },
  );
}

/** The body is people's: it gets a line, the comment has the rest. */
const LONGEST = 120;

function short(reason: string): string {
  const flat = reason.replaceAll(/\s+/g, ' ').replaceAll('(', '[').replaceAll(')', ']');
  if (flat.length <= LONGEST) return flat;
  const cut = flat.slice(0, LONGEST - 1);
  // Code that is cut is code no more, and what follows in the body would be: it goes whole.
  const isOpen = cut.split('`').length % 2 === 0;
  return `${isOpen ? cut.slice(0, cut.lastIndexOf('`')) : cut}…`;
}
