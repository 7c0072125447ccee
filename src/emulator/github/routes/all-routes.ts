/** Every operation that the embedded GitHub serves. */
import type { Limits } from '../behave/rate-limits.ts';
import type { Route } from '../router.ts';
import { actionRoutes } from './action-routes.ts';
import { appRoutes } from './app-routes.ts';
import { branchRoutes } from './branch-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { contentRoutes } from './content-routes.ts';
import { gitRoutes } from './git-data-routes.ts';
import { graphqlRoutes } from './graphql-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { manifestRoutes } from './manifest-routes.ts';
import { pullRoutes } from './pull-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { reviewCommentRoutes } from './review-comment-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { commitRoutes } from './commit-routes.ts';
import { refRoutes } from './ref-routes.ts';
import { mergeRoutes } from './merge-routes.ts';
import { reviewerRoutes } from './reviewer-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { serverRoutes } from './server-routes.ts';

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
