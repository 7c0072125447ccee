/** Heads come and go: each is reviewed in the end, and nothing counts as told before GitHub has it. */
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { Posting } from '../../../domain/run/state/kind-state.ts';
import type { Event, EventData } from '../../../domain/event/event.ts';
import { EMPTY_LEDGER, type FindingsLedger } from '../../../domain/review/review.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { startRun } from '../../discussion/start-run.ts';
import { createStep, ignored, type Decision } from '../../run/decision.ts';
import {
  isOpen,
  runOf,
  type ThreadContext,
  type RunContext,
  type RunKind,
  type ThreadState,
} from '../../run/thread-context.ts';
import { followPush } from './look.ts';

type ReviewKind = RunKind<'pr_review'>;
type PullTrigger = Extract<Trigger, { kind: 'pull' }>;

/** A pull request that opened, or got a new head. */
export function startReview(
  threadContext: ThreadContext,
  trigger: PullTrigger,
  kind: ReviewKind,
): Decision {
  const { state, event, now } = threadContext;
  if (trigger.action === 'retargeted') forgetHead(state);
  else if (state.ledger?.reviewedSha === trigger.headSha)
    return ignored(state, 'this head was reviewed already');
  const going = runOf(state, 'pr_review');
  if (isReviewedBefore(going, trigger))
    return ignored(state, 'this head was reviewed before the store was restored');
  if (going !== undefined && mustWait(going)) {
    going.pushedSha = trigger.action === 'retargeted' ? '' : trigger.headSha;
    return ignored(state, `run ${going.id} is finished first`);
  }
  if (going === undefined || !isPassed(going, trigger)) return start(threadContext, trigger, kind);
  const step = createStep(event.key, going, now);
  followPush({ state, run: going, step, kind });
  return { state, effects: step.effects, events: step.events };
}

/** Whether GitHub has the review of this head, of which a restored store knows nothing else. */
function isReviewedBefore(
  run: Run<'pr_review'> | undefined,
  { action, headSha }: PullTrigger,
): boolean {
  if (run?.isOvertaken !== true || action === 'retargeted') return false;
  return (run.review?.headSha ?? run.headSha) === headSha;
}

/** What is known to have been reviewed was another change. */
function forgetHead({ ledger }: ThreadState): void {
  if (ledger !== undefined) ledger.reviewedSha = undefined;
}

/** Whether a run is about something that is not there any more. */
function isPassed(run: Run<'pr_review'>, { action, headSha }: PullTrigger): boolean {
  if (run.review === undefined || !isOpen(run)) return false;
  return action === 'retargeted' || run.review.headSha !== headSha;
}

/** It has read no head yet, or is telling what it found: a push is taken up after that. */
function mustWait({ status, review, posting }: Run<'pr_review'>): boolean {
  return posting !== undefined || (status === 'active' && review === undefined);
}

function start(threadContext: ThreadContext, trigger: PullTrigger, runKind: ReviewKind): Decision {
  const run = { kind: 'pr_review', label: '', runKind } as const;
  return startRun(threadContext.state, { ...threadContext, trigger, ...run });
}

/** A head that had to wait is reviewed now, unless it was read after all. */
export function reviewPushed(context: RunContext<'pr_review'>, event: Event): void {
  const { state, run, step, kind } = context;
  const { pushedSha, thread, actor } = run;
  if (pushedSha === undefined || mustWait(run)) return;
  delete run.pushedSha;
  if (pushedSha === run.review?.headSha) return;
  // Where the new commits are not known, the whole change is read again.
  const action = pushedSha === '' ? 'retargeted' : 'pushed';
  const trigger: PullTrigger = { kind: 'pull', action, thread, actor, headSha: pushedSha };
  const { effects, events } = startReview({ state, event, now: step.now }, trigger, kind);
  step.effects.push(...effects);
  step.events.push(...events);
}

type ResultData = Extract<EventData, { kind: 'done' | 'failed' }>;

/** What became of the review that was to be written. */
export function onPosted({ state, run }: RunContext<'pr_review'>, data: ResultData): Outcome {
  const { posting } = run;
  if (posting === undefined || posting.effectId !== data.effectId)
    return ignore('an earlier review');
  delete run.posting;
  if (data.kind === 'done') return HANDLED;
  delete run.said;
  state.ledger = untell(state.ledger ?? EMPTY_LEDGER, posting);
  // Which head it is now, the next look will tell.
  if (data.failure.code === 'head-moved') run.pushedSha ??= '';
  return HANDLED;
}

/**
 * Findings that were never posted are new to the next review. A finding that a person settled meanwhile stays settled.
 */
function untell(ledger: FindingsLedger, { reviewedSha, untold }: Posting): FindingsLedger {
  const isTold = new Set(untold);
  return {
    reviewedSha,
    findings: ledger.findings.filter(
      ({ finding, status }) => status === 'dismissed' || !isTold.has(finding.fingerprint),
    ),
  };
}
