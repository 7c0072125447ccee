/** Branches that take commits with a verified signature only: commits that Quorum makes have none. */

/**
 * Of a push and of a merge, as servers of different ages say it (github.com/chdsbd/kodiak/issues/89), and of a merge by rebase
 * (github.com/chdsbd/kodiak/pull/275).
 */
const REFUSAL =
  /commits must have (?:verified|valid) signatures|base branch requires signed commits/i;

/** What GitHub's refusal means, for people; undefined when it is another one. */
export function saySignatureRefusal(said: string): string | undefined {
  if (!REFUSAL.test(said)) return undefined;
  return 'The branch takes only commits with verified signatures, and the commits that Quorum makes have none: leave `quorum/*` out of the rule, or merge the change yourself with signed commits.';
}
