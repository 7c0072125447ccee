/** Which Apps have a check run of one name on a commit, as a part of the query that reads a branch. */
import { z } from 'zod';
import type { CheckOnCommit, ChecksOn } from '../../../ports/github/memory-branch.ts';
import type { Told } from '../client/ask-graphql.ts';

/** Of those with a check run of that name, each App has one or few; with more of them REST tells. */
const MOST_SUITES = 100;

export const CHECKS_DECLARED = ', $checkedSha: GitObjectID!, $checkName: String!';
export const CHECKS_FIELD = `checked: object(oid: $checkedSha) { ... on Commit {
  checkSuites(first: ${MOST_SUITES}, filterBy: { checkName: $checkName }) { pageInfo { hasNextPage } nodes {
    app { slug } checkRuns(first: 1, filterBy: { checkName: $checkName }) { nodes { databaseId } }
  } }
} }`;

export function checksVariables({ sha, name }: ChecksOn): Record<string, unknown> {
  return { checkedSha: sha, checkName: name };
}

const FAILED = /^repository\.checked(?:\.|$)/;

/** Whether only the checks are missing by it. */
export function isOfChecks(failedPath: string): boolean {
  return FAILED.test(failedPath);
}

const Suites = z.object({
  checkSuites: z.object({
    pageInfo: z.object({ hasNextPage: z.literal(false) }),
    nodes: z.array(
      z.object({
        app: z.object({ slug: z.string() }).nullish(),
        checkRuns: z.object({ nodes: z.array(z.object({ databaseId: z.number() })) }),
      }),
    ),
  }),
});
const Answer = z.object({ checked: Suites });

/** Undefined where the answer does not tell all of them, each with its App. */
export function toChecks({ fields, failed }: Told): CheckOnCommit[] | undefined {
  if (failed.some(isOfChecks)) return undefined;
  const told = Answer.safeParse(fields['repository']);
  if (!told.success) return undefined;
  const suites = told.data.checked.checkSuites.nodes;
  const found = suites.flatMap(({ app, checkRuns }) => checkRuns.nodes.map(() => app?.slug));
  const known = found.flatMap((slug) => (slug === undefined ? [] : [{ app: slug }]));
  return known.length === found.length ? known : undefined;
}
