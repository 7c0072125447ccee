/** Every operation that the embedded GitHub serves. */
import type { Limits } from '../behave/rate-limits.ts';
import type { Route } from '../router.ts';
import { actionRoutes } from './check/action-routes.ts';
import { dispatchRoutes } from './check/dispatch-routes.ts';
import { appRoutes } from './app-routes.ts';
import { branchRoutes } from './git/branch-routes.ts';
import { checkRoutes } from './check/check-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { contentRoutes } from './git/content-routes.ts';
import { gitRoutes } from './git/git-data-routes.ts';
import { graphqlRoutes } from './graphql-routes.ts';
import { issueRoutes } from './issue-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { manifestRoutes } from './manifest-routes.ts';
import { pullRoutes } from './pull/pull-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { reviewCommentRoutes } from './pull/review-comment-routes.ts';
import { statusRoutes } from './check/status-routes.ts';
import { commitRoutes } from './git/commit-routes.ts';
import { refRoutes } from './git/ref-routes.ts';
import { mergeRoutes } from './pull/merge-routes.ts';
import { reviewerRoutes } from './pull/reviewer-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewRoutes } from './pull/review-routes.ts';
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
    ...dispatchRoutes,
    ...manifestRoutes,
    ...graphqlRoutes(),
  ];
}
