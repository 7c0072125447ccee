/** What GraphQL tells of the owner of a repository: of an organisation also its teams, and who is in them. */
import type { Account, Team } from '../world/world-model.ts';
import { holds } from '../world/permissions.ts';
import { account, nodeId } from '../world/world.ts';
import { connection, toActorNode, type Paging, type ResolverContext } from './answer-parts.ts';

export function toOwner(context: ResolverContext, owner: Account): object {
  if (owner.type !== 'Organization') return toActorNode(owner);
  return {
    ...toActorNode(owner),
    team: ({ slug }: { slug: string }) => {
      refuseUnpermitted(context);
      const team = owner.teams.get(slug.toLowerCase());
      return team === undefined ? null : toTeam(context, team);
    },
  };
}

function refuseUnpermitted({ actor }: ResolverContext): void {
  if (actor.kind === 'installation' && !holds(actor, { permissions: ['members'], level: 'read' }))
    throw new Error('Resource not accessible by integration');
}

function toTeam({ world }: ResolverContext, { id, slug, members }: Team): object {
  return {
    id: nodeId('T', id),
    databaseId: id,
    slug,
    name: slug,
    members: ({ query, ...paging }: Paging & { query?: string | null }) => {
      const wanted = (query ?? '').toLowerCase();
      const people = [...members]
        .map((each) => account(world, each))
        .filter(({ login, name }) => `${login} ${name}`.toLowerCase().includes(wanted));
      return connection(people.map(toActorNode), paging);
    },
  };
}
