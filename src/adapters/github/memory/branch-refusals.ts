/** Tells a lost race on a branch from a rule of the repository that refuses the write, by GitHub's own words. */
import { ConflictError, RefusedError, type QuorumError } from '../../../domain/event/errors.ts';
import type { MemoryPlace } from '../../../ports/github/memory-branch.ts';
import { githubMessageOf } from '../client/github-failure.ts';

const RACE =
  /not a fast[ -]forward|reference already exists|reference does not exist|object does not exist|updated meanwhile/i;
/**
 * Protected branches and rulesets.
 *
 * @see https://github.com/googleapis/repo-automation-bots/issues/5551
 * @see https://github.com/satisfactory-factories/application/issues/67
 * @see https://github.com/dependabot/dependabot-core/pull/3998
 */
const RULE =
  /protected (?:branch|ref)|rule violations?|through a pull request|not authori[sz]ed to push|required status check|approving review|creations being restricted/i;
const EMPTY = /repository is empty/i;

/** Whether the branch is not where it was read. */
export function isLostRace(error: QuorumError): boolean {
  return mayBeLostRace(error) && RACE.test(githubMessageOf(error));
}

/** Whether GitHub refused the move of the branch for its state, or for a rule that it does not name. */
export function mayBeLostRace(error: QuorumError): boolean {
  return error instanceof ConflictError || error.code === 'github-invalid';
}

/** Whether a rule of the repository refuses the write, rather than a lost race. */
export function isRefusedByRule(error: QuorumError): boolean {
  const isRefusal = mayBeLostRace(error) || error.code === 'github-forbidden';
  return isRefusal && RULE.test(githubMessageOf(error));
}

/** Whether the repository has no commit: GitHub makes no objects there through the API. */
export function isEmptyRepository(error: QuorumError): boolean {
  return error instanceof ConflictError && EMPTY.test(githubMessageOf(error));
}

/** The refusal for people, with what they can do. */
export function toRefusal({ branch }: MemoryPlace, error: QuorumError): RefusedError {
  const [folder] = branch.split('/');
  const fix = isEmptyRepository(error)
    ? 'Push a first commit to the default branch.'
    : `Leave \`${branch}\` out of the branch protection rule or ruleset, or let the App bypass it. A branch named \`${folder}\` also prevents it.`;
  return new RefusedError({
    code: 'memory-refused',
    message: `GitHub refuses to update the branch ${branch}: ${githubMessageOf(error)}`,
    details: fix,
    cause: error,
  });
}
