/** Who is in which team, in one query: GraphQL tells accounts by their numeric ids, REST asks for one login and one team. */
import { z } from 'zod';
import type { GitHubTeams } from '../../../ports/github/github.ts';
import type { SessionContext } from '../bound.ts';
import { readRepository, THIS_REPOSITORY, type Query } from '../client/ask-graphql.ts';

/** GitHub's search also finds accounts whose login or name contains the words, so the one meant may not come first. */
const MOST_FOUND = 100;

const Answer = z.object({ owner: z.looseObject({ __typename: z.literal('Organization') }) });
const Team = z.object({
  members: z.object({ nodes: z.array(z.object({ databaseId: z.number() })) }),
});

export function createTeams(bound: SessionContext): GitHubTeams {
  return {
    membership: async (ref, user, slugs) => {
      // The owner is asked for through the repository, whose id says that it is the right one.
      const fields = await readRepository(bound, ref, toQuery(user.login, slugs));
      const answer = Answer.safeParse(fields?.['repository']);
      if (!answer.success) return undefined;
      return slugs.filter((_, n) => {
        const team = Team.safeParse(answer.data.owner[`t${n}`]);
        return (
          team.success && team.data.members.nodes.some(({ databaseId }) => databaseId === user.id)
        );
      });
    },
  };
}

function toQuery(login: string, slugs: readonly string[]): Query {
  const names = slugs.map((_, n) => `$s${n}: String!`).join(', ');
  const teams = slugs.map(
    (_, n) =>
      `t${n}: team(slug: $s${n}) { members(first: ${MOST_FOUND}, query: $login) { nodes { databaseId } } }`,
  );
  return {
    text: `query($owner: String!, $repo: String!, $login: String!, ${names}) {
      ${THIS_REPOSITORY} owner { __typename ... on Organization { ${teams.join(' ')} } } }
    }`,
    variables: { login, ...Object.fromEntries(slugs.map((slug, n) => [`s${n}`, slug])) },
  };
}
