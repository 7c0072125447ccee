/** Pinned names of the check runs that a task's head has beside those of its gates (spec 13). */

export const MERGE_CHECK = 'quorum / merge';

/** The tests of a head that somebody allowed to be run (`/pm ok-to-run`). */
export const HEAD_TESTS_CHECK = 'quorum / tests';

/** The team's review as a whole. */
export const REVIEW_CHECK = 'quorum / review';

const VOICE = `${REVIEW_CHECK} / `;

/** What one persona says. */
export function voiceCheck(handle: string): string {
  return `${VOICE}${handle}`;
}

/** Whose word it is; undefined for any other name. */
export function handleOfCheck(name: string): string | undefined {
  return name.startsWith(VOICE) ? name.slice(VOICE.length) : undefined;
}

/** The names under which check runs say success. */
export function namesOfSuccess(
  checks: readonly { name: string; conclusion: string }[],
): ReadonlySet<string> {
  return new Set(
    checks.flatMap(({ name, conclusion }) => (conclusion === 'success' ? [name] : [])),
  );
}
