/** Pinned names of our check runs, beside those of single gates (spec 13). */
import { gateCheck } from '../gates/receipt.ts';

export const MERGE_CHECK = 'quorum / merge';

/** All gates of a head in one check. A gate has a check of its own only where the base branch requires it by name. */
export const GATES_CHECK = 'quorum / gates';

/** The tests of a head that somebody allowed to be run (`/pm ok-to-run`). */
export const HEAD_TESTS_CHECK = 'quorum / tests';

/** Whether enough people approved an agent's pull request, by `action/approval-gate`. */
export const APPROVAL_CHECK = 'quorum / approval';

/** What is wrong in the settings. */
export const CONFIG_CHECK = 'quorum / config';

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

/** Whether our checks at a head say that it passed every gate; older heads have a check for each. */
export function provesGates(checks: readonly { name: string; conclusion: string }[]): boolean {
  const said = namesOfSuccess(checks);
  return said.has(GATES_CHECK) || said.has(gateCheck('4'));
}
