/** Open milestones with their issues, in one GraphQL query. */
import { z } from 'zod';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { MilestoneFacts } from '../../../domain/roadmap/milestones.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, THIS_REPOSITORY } from '../client/ask-graphql.ts';

const MOST = 10;
const MOST_ISSUES = 50;

const Issue = z.object({ number: z.number(), title: z.string(), state: z.string() });
const Answer = z.object({
  milestones: z.object({
    nodes: z.array(z.object({ title: z.string(), issues: z.object({ nodes: z.array(Issue) }) })),
  }),
});

const QUERY = `query Milestones($owner: String!, $repo: String!) {
  ${THIS_REPOSITORY} milestones(first: ${MOST}, states: OPEN, orderBy: { field: DUE_DATE, direction: ASC }) {
    nodes { title issues(first: ${MOST_ISSUES}) { nodes { number title state } } }
  } }
}`;

/** Undefined where GraphQL is not to be had, or does not answer whole. */
export async function fetchMilestones(
  bound: SessionContext,
  ref: RepositoryRef,
): Promise<MilestoneFacts[] | undefined> {
  const fields = await readRepository(bound, ref, { text: QUERY, variables: {} });
  const { data } = Answer.safeParse(fields?.['repository']);
  return data?.milestones.nodes.map(({ title, issues }) => ({
    title,
    issues: issues.nodes.map(({ number, title: about, state }) => ({
      number,
      title: about,
      isDone: state === 'CLOSED',
    })),
  }));
}
