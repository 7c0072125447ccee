/** Branches that take commits with a verified signature only: commits that Quorum makes have none. */

const REFUSAL = /commits must have verified signatures/i;

/** What GitHub's refusal means, for people; undefined when it is another one. */
export function saySignatureRefusal(said: string): string | undefined {
  if (!REFUSAL.test(said)) return undefined;
  return 'The branch takes only commits with verified signatures, and the commits that Quorum makes have none: leave `quorum/*` out of the rule, or merge the change yourself with signed commits.';
}
