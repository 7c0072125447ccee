/** Closing a run: with a verdict, or with a question to a person. */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import type { RunResult } from '../../../domain/run/state/run-summary.ts';
import type { VerdictWord } from '../../../domain/run/council.ts';
import { emitEffect, emitTimer } from '../../run/decision.ts';
import { writeLane, type DiscussionContext } from '../../run/thread-context.ts';
import type { Bounded } from './bounds.ts';
import { endRun, reportOutcome } from '../../run/end-run.ts';
import { REMINDERS_MS } from '../listen-to-people.ts';
import { renderOwnerQuestion, renderSettled } from '../render/render-notice.ts';
import { verdictLine } from '../render/render-run.ts';
import { isIssueRun } from './kind.ts';

/** What each verdict makes of the run (NW-8, NW-9). */
const RESULTS: Readonly<Record<VerdictWord, RunResult>> = {
  READY: 'approved',
  APPROVE: 'approved',
  CLOSE: 'approved',
  DRAFT: 'changes_requested',
  CHANGES: 'changes_requested',
  HUMAN: 'human_needed',
};

/** Ends a run with a verdict. */
export function conclude(context: DiscussionContext, { verdict, because }: Bounded): void {
  const { run } = context;
  run.verdict = verdict;
  run.result = RESULTS[verdict.verdict];
  if (because !== undefined) run.bounded = because;
  if (verdict.verdict === 'HUMAN') waitForPerson(context, verdict.question ?? verdict.headline);
  else settle(context);
  context.kind.end(context);
  notifyAsked(context);
}

/** Edits of the live comment notify nobody. A person who must act, or was asked, gets a short comment of their own. */
function notifyAsked({ run, step }: DiscussionContext): void {
  if (!isIssueRun(run) || run.settings.style === 'thread') return;
  const { needsYou, answered, thread } = run;
  const asked = needsYou ?? answered;
  if (asked === undefined) return;
  const body =
    needsYou === undefined ? renderSettled(asked, verdictLine(run)) : renderOwnerQuestion(asked);
  const key = `${needsYou === undefined ? 'settled' : 'question'}-${step.run.step}`;
  const marker = { kind: 'notice' as const, run: run.id, key };
  emitEffect(
    step,
    { kind: 'comment', thread, marker, body, isNew: true },
    { lane: writeLane(thread), isUnheard: true },
  );
}

/** Stops with one clear question to a person. */
export function blockOnQuestion(context: DiscussionContext, question: string): Outcome {
  conclude(context, {
    verdict: {
      verdict: 'HUMAN',
      confidence: 0,
      headline: 'The team could not close this by itself',
      reasons: '',
      question,
      changes: [],
      anotherRound: false,
    },
  });
  return HANDLED;
}

function settle(context: DiscussionContext): void {
  const { run } = context;
  run.status = 'consensus';
  delete run.needsYou;
  delete run.reminderTimer;
  endRun(context);
}

/** A blocked run is not over: an answer resumes it. What it decided so far counts already. */
function waitForPerson(context: DiscussionContext, question: string): void {
  const { run, step } = context;
  run.status = 'blocked';
  run.wasBlocked = true;
  run.phase = { kind: 'waiting' };
  run.needsYou = {
    owner: run.settings.owner,
    question,
    since: new Date(step.now).toISOString(),
    reminders: 0,
  };
  run.reminderTimer = emitTimer(step, 'reminder', REMINDERS_MS[0]);
  reportOutcome(context);
}
