/** Who is in which team, in one query: GraphQL tells accounts by their numeric ids, REST asks for one login and one team. */
import { z } from 'zod';
import type { GitHubTeams } from '../../../ports/github.ts';
import type { SessionContext } from '../bound.ts';
import { askGraphql } from '../client/ask-graphql.ts';

/** GitHub looks for the words of a query in names too, so that others come before the one who is meant. */
const MOST_FOUND = 100;

const Team = z.object({
  members: z.object({ nodes: z.array(z.object({ databaseId: z.number() })) }),
});

export function createTeams(bound: SessionContext): GitHubTeams {
  return {
    membership: async (ref, user, slugs) => {
      const { owner } = bound.places.last(ref);
      const told = await askGraphql(bound, toQuery(owner, user.login, slugs));
      // One team that cannot be read makes all of it unknown: a shorter list would be a no that nobody gave.
      if (told === undefined || told.failed.length > 0) return undefined;
      const organization = z.record(z.string(), z.unknown()).safeParse(told.fields['organization']);
      if (!organization.success) return undefined;
      return slugs.filter((_, n) => {
        const team = Team.safeParse(organization.data[`t${n}`]);
        return (
          team.success && team.data.members.nodes.some(({ databaseId }) => databaseId === user.id)
        );
      });
    },
  };
}

function toQuery(owner: string, login: string, slugs: readonly string[]) {
  const names = slugs.map((_, n) => `$s${n}: String!`).join(', ');
  const teams = slugs.map(
    (_, n) =>
      `t${n}: team(slug: $s${n}) { members(first: ${MOST_FOUND}, query: $login) { nodes { databaseId } } }`,
  );
  return {
    text: `query($owner: String!, $login: String!, ${names}) { organization(login: $owner) { ${teams.join(' ')} } }`,
    variables: { owner, login, ...Object.fromEntries(slugs.map((slug, n) => [`s${n}`, slug])) },
  };
}
