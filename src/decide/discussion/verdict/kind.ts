/** Which words a run is closed with. */
import { QUESTIONS } from '../../../domain/run/ballot.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';

/** READY, CLOSE and DRAFT are for an issue that was asked about; everything else is approved, changed or left to a person. */
export function isIssueRun(run: Pick<DiscussionRun, 'trigger'>): boolean {
  return QUESTIONS[run.trigger] === 'issue';
}
