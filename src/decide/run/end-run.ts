/** The end of a run: the value meter, and a word to the repository that keeps count. */
import {
  isDiscussionRun,
  verdictOf,
  type DiscussionRun,
} from '../../domain/run/state/run-record.ts';
import type { ValueMeter } from '../../domain/run/state/run-summary.ts';
import { toRepositoryRef } from '../../domain/run/thread-ref.ts';
import { sumCost } from '../../domain/run/ledger.ts';
import { emitEvent, emitEffect } from './decision.ts';
import { writeLane, type RunContext } from './thread-context.ts';
import { reactionAt } from './answers/where-asked.ts';

/** Shows the outcome on the comment with the command. */
function answerCommand({ run, step }: RunContext): void {
  const { askedIn, thread } = run;
  if (askedIn === undefined) return;
  const add = run.status === 'closed' ? 'confused' : '+1';
  emitEffect(step, reactionAt(askedIn, { thread, add, remove: 'eyes' }), {
    lane: writeLane(thread),
  });
  delete run.askedIn;
}

/** Marks the run as over and tells how it went. */
export function endRun(context: RunContext): void {
  const { run, step } = context;
  run.phase = { kind: 'ended' };
  run.endedAt = new Date(step.now).toISOString();
  reportOutcome(context);
}

/** Tells the repository's stream how a run went: at its end, and whenever it stops for a person. */
export function reportOutcome(context: RunContext): void {
  const { run, step } = context;
  answerCommand(context);
  const meter = isDiscussionRun(run) ? measure(run) : undefined;
  if (isDiscussionRun(run) && meter !== undefined) run.meter = meter;
  emitEvent(
    step,
    {
      kind: 'run-ended',
      run: run.id,
      repository: toRepositoryRef(run.thread),
      summary: {
        run: run.id,
        trigger: run.trigger,
        key: step.key,
        status: run.status,
        result: run.result,
        verdict: verdictOf(run)?.verdict,
        meter,
        endedAt: new Date(step.now).toISOString(),
      },
    },
    // A blocked run can end more than once: each time is news.
    { key: `repository:${run.thread.repositoryId}`, suffix: `ended-${run.step}` },
  );
}

/** What the lead alone would have decided, and what the council made of it (03, value meter). */
function measure(run: DiscussionRun): ValueMeter | undefined {
  if (run.verdict === undefined) return undefined;
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  return {
    leadAlone: run.leadAlone,
    verdict: run.verdict.verdict,
    changed: run.leadAlone !== undefined && run.leadAlone !== run.verdict.verdict,
    costUsd: usd,
    isCostPartlyUnknown: isPartlyUnknown,
  };
}
