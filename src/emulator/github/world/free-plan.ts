/** What GitHub's Free plan withholds from private repositories, refused in GitHub's own words. */
import { HttpError } from '../behave/http-error.ts';
import type { Repository } from './world-model.ts';
import { account, type World } from './world.ts';

function isWithheld(world: World, repository: Repository): boolean {
  return repository.private && account(world, repository.ownerId).plan === 'free';
}

/**
 * Branch protection and rulesets: also reading them is refused.
 *
 * @see https://github.com/github/branch-deploy/pull/345
 * @see https://github.com/NousResearch/hermes-agent/pull/111974
 */
export function refuseRules(world: World, repository: Repository): void {
  if (isWithheld(world, repository))
    throw new HttpError(
      403,
      'Upgrade to GitHub Pro or make this repository public to enable this feature.',
    );
}

/**
 * @see https://github.com/cynkra/fledge/issues/260
 * @see https://github.com/OpenHands/OpenHands/issues/6560
 */
export function refuseDrafts(world: World, repository: Repository): void {
  if (isWithheld(world, repository))
    throw new HttpError(422, 'Draft pull requests are not supported in this repository.');
}
