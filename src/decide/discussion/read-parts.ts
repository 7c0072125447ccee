/** Going from part to part of what is too large for one prompt: as long as the caps leave enough for the verdict too. */
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import type { Purpose } from '../../domain/run/council.ts';
import { severityRank } from '../../domain/review/finding.ts';
import { sumCost } from '../../domain/run/ledger.ts';
import type { MoneyLeft, Reading } from '../../domain/review/reading.ts';
import { latestPositions } from './verdict/tally-votes.ts';

type Asked = Reading['asked'];
/** What decides whether it goes on. */
export type Going = Pick<
  DiscussionRun,
  'reading' | 'calls' | 'round' | 'isOffline' | 'isBudgetExhausted'
>;

/** Whom to ask now: about a further part everybody who was asked about the first one. */
export function askForPart({ reading, calls }: DiscussionRun, next: () => Asked): Asked {
  if (reading === undefined) return next();
  if (reading.at === 0) reading.asked = next();
  reading.callsBefore = calls.length;
  delete reading.money;
  return reading.asked;
}

/** Notes that a persona answered on a part, and what the caps leave after that. */
export function noteHeard(
  { reading }: DiscussionRun,
  { part, money }: { part: number | undefined; money: MoneyLeft | undefined },
): void {
  if (reading === undefined || part === undefined) return;
  if (!reading.heard.includes(part)) reading.heard.push(part);
  // No other reservation is open when the last persona answers, so the highest amount is the right one.
  if (money !== undefined && money.leftUsd >= (reading.money?.leftUsd ?? -Infinity))
    reading.money = money;
}

/**
 * Turns to the next part, if there is one that is worth asking about. The persona that speaks next begins with the
 * first.
 */
export function turnToNextPart(run: Going): boolean {
  const { reading } = run;
  if (reading === undefined || run.round > 1) return false;
  const isLast = reading.at + 1 >= reading.parts.length;
  // Rules have read everything: without a model there is nothing to be asked about the rest.
  const isWorthIt = !isLast && !run.isOffline && reading.heard.includes(reading.at);
  if (isWorthIt && canAfford(run, reading)) {
    reading.at += 1;
    return true;
  }
  if (isWorthIt) reading.stopped = 'budget';
  reading.at = 0;
  return false;
}

/** As much again as this part has cost, and the verdict after it. Of calls without a known price the caps say nothing. */
function canAfford({ calls, isBudgetExhausted }: Going, reading: Reading): boolean {
  if (isBudgetExhausted || reading.stopped !== undefined) return false;
  if (reading.money === undefined) return false;
  const { usd } = sumCost(calls.slice(reading.callsBefore));
  const { leftUsd, verdictUsd = usd } = reading.money;
  return leftUsd >= usd + verdictUsd;
}

/** The part that a question is about: later rounds and the verdict are shown where the worst was found. */
export function partFor(run: DiscussionRun, purpose: Purpose): number | undefined {
  const { reading } = run;
  if (reading === undefined) return undefined;
  return purpose !== 'verdict' && run.round === 1 ? reading.at : worstPart(run, reading);
}

function worstPart(run: DiscussionRun, { parts }: Reading): number {
  const findings = latestPositions(run).flatMap(({ position }) => position?.findings ?? []);
  const [worst] = findings
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
    .flatMap(({ place }) =>
      parts.flatMap((files, at) => (files.some(({ path }) => path === place?.path) ? [at] : [])),
    );
  return worst ?? 0;
}
