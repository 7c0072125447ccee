/** Reads of pull requests in one session. */
import type { PullReader } from '../../../ports/github/pulls.ts';
import type { SessionContext } from '../bound.ts';
import { readChanges } from './read-changes.ts';
import { readFeedback } from './feedback/read-feedback.ts';
import { readReviewChecks } from './review-checks.ts';
import { fetchPullSurvey } from '../survey/survey-pull.ts';
import { readWirePull, toPullFacts } from './read-pull.ts';

export function createPullReader(bound: SessionContext): PullReader {
  return {
    survey: (ref, ask) => fetchPullSurvey(bound, ref, ask),
    pull: async (ref) => toPullFacts(await readWirePull(bound, ref, bound.places.last(ref))),
    changes: (ref, range) => readChanges(bound, ref, range),
    feedback: (ref) => readFeedback(bound, ref),
    reviewChecks: (ref, at) => readReviewChecks(bound, ref, at),
  };
}
