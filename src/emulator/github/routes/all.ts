/** Every operation that the embedded GitHub serves. */
import type { Limits } from '../behave/limits.ts';
import type { Route } from '../router.ts';
import { actionRoutes } from './actions.ts';
import { appRoutes } from './apps.ts';
import { branchRoutes } from './branches.ts';
import { checkRoutes } from './checks.ts';
import { commentRoutes } from './comments.ts';
import { contentRoutes } from './contents.ts';
import { gitRoutes } from './git-data.ts';
import { graphqlRoutes } from './graphql.ts';
import { issueRoutes } from './issues.ts';
import { labelRoutes } from './labels.ts';
import { manifestRoutes } from './manifests.ts';
import { pullRoutes } from './pulls.ts';
import { reactionRoutes } from './reactions.ts';
import { reviewCommentRoutes } from './review-comments.ts';
import { statusRoutes } from './statuses.ts';
import { commitRoutes } from './commits.ts';
import { refRoutes } from './refs.ts';
import { mergeRoutes } from './merges.ts';
import { reviewerRoutes } from './requested-reviewers.ts';
import { deliveryRoutes } from './deliveries.ts';
import { repositoryRoutes } from './repos.ts';
import { reviewRoutes } from './reviews.ts';
import { serverRoutes } from './server.ts';

export function allRoutes(limits: Limits): Route[] {
  return [
    ...serverRoutes(limits),
    ...appRoutes,
    ...deliveryRoutes,
    ...repositoryRoutes,
    ...issueRoutes,
    ...commentRoutes,
    ...labelRoutes,
    ...reactionRoutes,
    ...pullRoutes,
    ...mergeRoutes,
    ...reviewerRoutes,
    ...reviewRoutes,
    ...reviewCommentRoutes,
    ...gitRoutes,
    ...refRoutes,
    ...contentRoutes,
    ...commitRoutes,
    ...branchRoutes,
    ...checkRoutes,
    ...statusRoutes,
    ...actionRoutes,
    ...manifestRoutes,
    ...graphqlRoutes(),
  ];
}
