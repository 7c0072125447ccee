/** What GraphQL tells of an organisation: its teams, and who is in them. */
import type { Team } from '../world/world-model.ts';
import { holds } from '../world/permissions.ts';
import { account, findAccount, nodeId } from '../world/world.ts';
import { connection, toActor, unresolved, type Paging, type Scene } from './answer-parts.ts';
import { forbidden } from './repository-fields.ts';

export function toOrganization(scene: Scene, login: string): object {
  const organization = findAccount(scene.world, login);
  if (organization?.type !== 'Organization')
    throw unresolved(`an Organization with the login of '${login}'`);
  return {
    id: nodeId('O', organization.id),
    databaseId: organization.id,
    login: organization.login,
    team: ({ slug }: { slug: string }) => {
      refuseUnpermitted(scene);
      const team = organization.teams.get(slug.toLowerCase());
      return team === undefined ? null : toTeam(scene, team);
    },
  };
}

function refuseUnpermitted({ actor }: Scene): void {
  if (actor.kind === 'installation' && !holds(actor, { permissions: ['members'], level: 'read' }))
    throw forbidden();
}

function toTeam({ world }: Scene, { id, slug, members }: Team): object {
  return {
    id: nodeId('T', id),
    databaseId: id,
    slug,
    name: slug,
    members: ({ query = '', ...paging }: Paging & { query?: string | null }) => {
      const wanted = (query ?? '').toLowerCase();
      const people = [...members]
        .map((each) => account(world, each))
        .filter(({ login, name }) => `${login} ${name}`.toLowerCase().includes(wanted));
      return connection(people.map(toActor), paging);
    },
  };
}
