/** How a commit came into the default branch: the pull request, who merged it, and who approved which head. */
import { z } from 'zod';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { MergedPull } from '../../../ports/github/github-history.ts';
import { present, toAuthor, Who, WHO } from './actors.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../client/ask-graphql.ts';
import { Review } from '../work/merge/merge-told.ts';
import { latestOf, toStanding } from '../work/person-reviews.ts';

const QUERY = `query broughtIn($owner: String!, $repo: String!, $oid: GitObjectID!) {
  ${THIS_REPOSITORY}
    defaultBranchRef { name }
    object(oid: $oid) { ... on Commit { associatedPullRequests(first: 5) { nodes {
      number merged baseRefName headRefOid
      mergeCommit { oid }
      mergedBy { ...who }
      reviews(last: 100) { nodes { state submittedAt author { ...who } commit { oid } } }
      timelineItems(last: 1, itemTypes: [AUTO_MERGE_ENABLED_EVENT, AUTO_REBASE_ENABLED_EVENT, AUTO_SQUASH_ENABLED_EVENT, ADDED_TO_MERGE_QUEUE_EVENT]) { totalCount }
    } } } }
  }
}
${WHO}`;

const Pull = z.object({
  number: z.number(),
  merged: z.boolean(),
  baseRefName: z.string(),
  headRefOid: z.string(),
  mergeCommit: z.object({ oid: z.string() }).nullish(),
  mergedBy: Who,
  reviews: z.object({ nodes: z.array(Review.nullable()).nullish() }).nullish(),
  timelineItems: z.object({ totalCount: z.number() }),
});
const Repository = z.object({
  defaultBranchRef: z.object({ name: z.string() }),
  object: z.object({
    associatedPullRequests: z.object({ nodes: z.array(Pull.nullable()).nullish() }),
  }),
});

export async function readBroughtIn(
  bound: SessionContext,
  ref: RepositoryRef,
  oid: string,
): Promise<MergedPull | undefined> {
  const fields = await readRepository(bound, ref, { text: QUERY, variables: { oid } });
  const told = Repository.safeParse(fields?.['repository']).data;
  if (told === undefined) return undefined;
  const pull = present(told.object.associatedPullRequests).find(
    ({ merged, baseRefName }) => merged && baseRefName === told.defaultBranchRef.name,
  );
  return pull?.mergeCommit ? toMerged(pull, pull.mergeCommit.oid) : undefined;
}

function toMerged(pull: z.infer<typeof Pull>, mergeSha: string): MergedPull {
  const standings = present(pull.reviews ?? undefined).flatMap(
    ({ state, submittedAt: at, author, commit }) =>
      toStanding({ by: toAuthor(author), state, sha: commit?.oid, at }),
  );
  return {
    number: pull.number,
    headSha: pull.headRefOid,
    mergeSha,
    mergedBy: toAuthor(pull.mergedBy),
    isAutomatic: pull.timelineItems.totalCount > 0,
    approvals: latestOf(standings).flatMap(({ by, state, commitSha: sha }) =>
      state === 'approved' && sha !== undefined ? [{ by, sha }] : [],
    ),
  };
}
