/** Which words a run is closed with. */
import type { CouncilRun } from '../../domain/council.ts';

/** READY, CLOSE and DRAFT are for an issue that was asked about; everything else is approved, changed or left to a person. */
export function isIssueRun(run: Pick<CouncilRun, 'trigger'>): boolean {
  return run.trigger === 'issue_review';
}
