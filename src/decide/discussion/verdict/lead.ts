/** The lead's part: asked last, bounded by code, and read as data. */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { Verdict } from '../../../domain/run/council.ts';
import { ballotOf } from '../../../domain/run/ballot.ts';
import type { ModelCall } from '../../../domain/run/ledger.ts';
import type { DiscussionContext } from '../../run/thread-context.ts';
import { buildAsk } from '../ask/build-ask.ts';
import { boundVerdict } from './bounds.ts';
import { cleanVerdict } from '../clean.ts';
import { blockOnQuestion, conclude } from './conclude.ts';
import { findActive, queueNextRound, type Sight } from '../rounds.ts';
import { lookFor } from '../start-run.ts';
import { seatQuestions } from '../ask/seat.ts';
import { contributorsLeft, disputants, hasTooFewVotes } from './tally-votes.ts';

/** NW-8: another round over CHANGES only with this many contributions left. */
const ROUND_AFTER_CHANGES = 3;

/** Asks the lead for the verdict with everything in view. */
export function askLead(context: DiscussionContext, sight: Sight): void {
  const { run } = context;
  const persona = findActive(sight, run.lead?.handle);
  if (persona === undefined)
    return void blockOnQuestion(
      context,
      'The lead is not in the team any more. Who should decide this?',
    );
  if (hasTooFewVotes(run))
    return void blockOnQuestion(
      context,
      'Too few of the team could answer for a verdict. What should happen with this?',
    );
  run.relatedIssues = sight.evidence.relatedIssues.map((issue) => issue.number);
  run.ruleIds = sight.evidence.signals.map((signal) => signal.ruleId);
  const [question] = seatQuestions(context, sight, [{ persona, purpose: 'verdict' }]);
  if (question === undefined) return;
  run.phase = { kind: 'concluding', effectId: buildAsk(context, sight, question) };
  context.kind.show(context);
}

/** Takes the lead's structured answer; anything that is no verdict goes to a person. */
export function onVerdict(
  context: DiscussionContext,
  value: unknown,
  call: ModelCall | undefined,
): Outcome {
  const { run } = context;
  const parsed = ballotOf(run).verdict.safeParse(value);
  if (!parsed.success)
    return blockOnQuestion(context, 'The verdict could not be read. What should happen with this?');
  const verdict: Verdict = cleanVerdict(parsed.data, run);
  if (call !== undefined) run.model = call.model;
  if (wantsAnotherRound(run, verdict) && queueNextRound(run, disputants(run))) {
    lookFor(context, 'round');
    context.kind.show(context);
    return HANDLED;
  }
  if (run.settings.mode === 'single') run.leadAlone = verdict.verdict;
  conclude(context, boundVerdict(run, verdict));
  return HANDLED;
}

function wantsAnotherRound(run: DiscussionRun, verdict: Verdict): boolean {
  if (run.isBudgetExhausted || run.settings.mode === 'single') return false;
  if (verdict.anotherRound) return contributorsLeft(run) > 0;
  return verdict.verdict === 'CHANGES' && contributorsLeft(run) >= ROUND_AFTER_CHANGES;
}
