/** Whether what a person says of a pull request is about this head: the one they named, or the one that GitHub showed. */
import { ALLOWED, forbid, type Permit } from '../domain/run/permit/permit.ts';
import { isBefore } from '../domain/plan/approval.ts';

/** CMD-09: a head that GitHub showed only afterwards is approved by nobody. */
export function mayApproveHead(said: {
  headSha: string;
  /** When GitHub showed this head on the pull request, ISO 8601. */
  headAt: string | undefined;
  named: string | undefined;
  saidAt: string;
}): Permit {
  const { headSha, headAt, named, saidAt } = said;
  if (named !== undefined)
    return headSha.startsWith(named.toLowerCase()) ? ALLOWED : forbid('You named another commit.');
  if (isBefore(headAt, saidAt)) return ALLOWED;
  return forbid('The head of this pull request was not shown here before your comment.');
}
