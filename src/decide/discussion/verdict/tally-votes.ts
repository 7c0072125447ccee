/** Counting: code tallies the votes and says what is disputed; no model does. */
import type { Contribution, Position, VerdictWord } from '../../../domain/run/council.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { Refutation } from '../../../domain/review/refutation.ts';

/** At this confidence a vote for going on contradicts somebody else's serious finding. */
const SURE = 0.6;
const GO = new Set<VerdictWord>(['READY', 'APPROVE']);
const MATERIAL = new Set(['critical', 'high']);

/** Each voice's latest word in the run. */
export function latestPositions(run: Pick<DiscussionRun, 'contributions'>): Contribution[] {
  const latest = new Map<string, Contribution>();
  for (const contribution of run.contributions)
    if (contribution.outcome === 'said') latest.set(contribution.handle, contribution);
  return [...latest.values()];
}

/** Findings of rules that a position takes back; only those on a change can. */
export function refutesOf(position: Position): readonly Refutation[] {
  return 'refutes' in position ? (position.refutes ?? []) : [];
}

export function saidBy(run: DiscussionRun, handle: string): Contribution | undefined {
  return latestPositions(run).find((each) => each.handle === handle);
}

/** Handles on both sides of a material finding that somebody else is sure to go on over; empty when nothing is disputed. */
export function disputants(run: DiscussionRun): string[] {
  const positions = latestPositions(run);
  const raising = positions.filter(({ position }) =>
    position?.findings.some((finding) => MATERIAL.has(finding.severity)),
  );
  const goingOn = positions.filter(
    ({ position }) =>
      position !== undefined && GO.has(position.vote) && position.confidence >= SURE,
  );
  const opposed = raising.filter((each) => !GO.has(each.position?.vote ?? 'HUMAN'));
  if (opposed.length === 0 || goingOn.length === 0) return [];
  return [...new Set([...opposed, ...goingOn].map((each) => each.handle))];
}

/** Too few votes: more than half of those asked never answered. A SKIP is an answer. */
export function hasTooFewVotes(run: DiscussionRun): boolean {
  if (run.participants.length === 0) return false;
  const answered = new Set(
    run.contributions.filter((each) => each.outcome !== 'absent').map((each) => each.handle),
  );
  return answered.size * 2 < run.participants.length;
}

/** Contributions that may still be made, one kept for the lead (NW-5b). */
export function contributorsLeft(run: DiscussionRun): number {
  const made = run.contributions.filter((each) => each.outcome !== 'absent').length;
  return Math.max(0, run.settings.maxContributions - 1 - made);
}

/** Same words, whatever the case, spacing and punctuation. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether somebody has said just this already. */
export function isRepeated(run: DiscussionRun, said: { line: string; reasons: string }): boolean {
  const words = normalised(`${said.line} ${said.reasons}`);
  return run.contributions.some(
    ({ position }) =>
      position !== undefined && normalised(`${position.line} ${position.reasons}`) === words,
  );
}
