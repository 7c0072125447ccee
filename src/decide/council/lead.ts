/** The lead's part: asked last, bounded by code, and read as data. */
import type { CouncilRun, Verdict } from '../../domain/council.ts';
import { ChangeVerdict, IssueVerdict } from '../../domain/council.ts';
import type { ModelCall } from '../../domain/ledger.ts';
import type { Scene } from '../scene.ts';
import { askOf } from './ask.ts';
import { boundVerdict } from './bounds.ts';
import { cleanVerdict } from './clean.ts';
import { block, conclude } from './conclude.ts';
import { isIssueRun } from './kind.ts';
import { findActive, queueNextRound, type Sight } from './rounds.ts';
import { lookFor } from './start.ts';
import { seatQuestions } from './seat.ts';
import { contributorsLeft, disputants, hasTooFewVotes } from './tally.ts';

/** NW-8: another round over CHANGES only with this many contributions left. */
const ROUND_AFTER_CHANGES = 3;

/** Asks the lead for the verdict with everything in view. */
export function askLead(scene: Scene, sight: Sight): void {
  const { run } = scene;
  const persona = findActive(sight, run.lead?.handle);
  if (persona === undefined)
    return block(scene, 'The lead is not in the team any more. Who should decide this?');
  if (hasTooFewVotes(run))
    return block(
      scene,
      'Too few of the team could answer for a verdict. What should happen with this?',
    );
  run.relatedIssues = sight.evidence.relatedIssues.map((issue) => issue.number);
  run.ruleIds = sight.evidence.signals.map((signal) => signal.ruleId);
  const [question] = seatQuestions(scene, sight, [{ persona, purpose: 'verdict' }]);
  if (question === undefined) return;
  run.phase = { kind: 'concluding', effectId: askOf(scene, sight, question) };
  scene.strategy.show(scene);
}

/** Takes the lead's structured answer; anything that is no verdict goes to a person. */
export function takeVerdict(
  scene: Scene,
  value: unknown,
  call: ModelCall | undefined,
): string | undefined {
  const { run } = scene;
  const parsed = (isIssueRun(run) ? IssueVerdict : ChangeVerdict).safeParse(value);
  if (!parsed.success)
    return block(scene, 'The verdict could not be read. What should happen with this?');
  const verdict: Verdict = cleanVerdict(parsed.data, run);
  if (call !== undefined) run.model = call.model;
  if (wantsAnotherRound(run, verdict) && queueNextRound(run, disputants(run))) {
    lookFor(scene, 'round');
    scene.strategy.show(scene);
    return undefined;
  }
  if (run.settings.mode === 'single') run.leadAlone = verdict.verdict;
  conclude(scene, boundVerdict(run, verdict));
  return undefined;
}

function wantsAnotherRound(run: CouncilRun, verdict: Verdict): boolean {
  if (run.isBudgetExhausted || run.settings.mode === 'single') return false;
  if (verdict.anotherRound) return contributorsLeft(run) > 0;
  return verdict.verdict === 'CHANGES' && contributorsLeft(run) >= ROUND_AFTER_CHANGES;
}
