/** What of a change the voices of a run are shown, and what they are not. */
import type { Run } from '../../../../domain/run/state/run-record.ts';
import type { Diff } from '../../../../domain/diff/diff.ts';
import type { Evidence } from '../../../../domain/run/evidence.ts';
import type { PullLookResult } from '../../../../domain/event/result.ts';
import type { PullView } from '../../../../domain/review/review.ts';
import { partSize, planReading, unseenOf } from './plan-reading.ts';
import { leftOutBy } from '../../../../rules/change/scan-change.ts';

/** What the configuration leaves out nobody is shown. */
export function withoutIgnored(view: PullView, diff: Diff): Diff {
  const leftOut = leftOutBy(view);
  return { ...diff, files: diff.files.filter(({ path }) => leftOut(path) !== 'ignored') };
}

/** Settles once for each head in which parts it is read, where it does not fit into one prompt. */
export function planParts(
  run: Run<'pr_review'>,
  { view, contextTokens }: Pick<PullLookResult, 'view' | 'contextTokens'>,
  { judged, evidence }: { judged: Diff; evidence: Evidence },
): void {
  // A lead alone gives the verdict at once, on the riskiest part.
  const parts = run.settings.mode === 'single' ? 1 : view.config.review.maxParts;
  const reading = planReading(judged, evidence.signals, { parts, size: partSize(contextTokens) });
  if (reading === undefined) delete run.reading;
  else run.reading = reading;
}

/** For people: which files rules alone have read. */
export function unseenBy({ reading, participants }: Run<'pr_review'>, judged: Diff): string[] {
  if (reading === undefined) return [];
  return unseenOf(judged, reading, participants.length === 0 ? 0 : undefined);
}
