/** `access.allowedTeams`: only people of the listed teams command the team, and nobody where GitHub does not tell who that is. */
import { expect, test } from 'vitest';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import { anIssue, say } from '../helpers/talking.ts';

async function aGuardedWorld(quorum = 'access:\n  allowedTeams: ["@acme/Core", docs]\n') {
  const world = await aWorld({ files: { '.github/quorum.yml': quorum } });
  for (const login of ['cora', 'core-fan', 'fan'])
    world.emulator.addCollaborator(REPO, world.emulator.createUser(login).login, 'write');
  world.emulator.createTeam('acme', 'core', ['cora', 'core-fan']);
  world.emulator.createTeam('acme', 'docs', ['eve']);
  return { world, number: await anIssue(world) };
}

/** A token has what the installation had when it was made. */
async function letTeamsBeRead(world: TestWorld): Promise<void> {
  const { emulator, installationId } = world;
  const { permissions } = emulator.installation(installationId);
  emulator.setPermissions(installationId, { ...permissions, members: 'read' });
  await world.stopApp();
  await world.startApp();
}

test('a member of a listed team gives commands, and a member of none does not', async () => {
  const { world, number } = await aGuardedWorld();
  await letTeamsBeRead(world);
  expect((await say(world, number, { by: 'cora', body: '/pm hold' })).labels).toContain('hold');
  // GitHub's search finds a member whose login has this one in it.
  const refused = await say(world, number, { by: 'fan', body: '/pm unhold' });
  expect(refused.labels).toContain('hold');
  expect(refused.answers[0]).toContain('only the people and teams under `access`');
});

test('where the App may not read teams nobody is let in, and the answer says which permission it takes', async () => {
  const { world, number } = await aGuardedWorld();
  const { labels, answers } = await say(world, number, { by: 'cora', body: '/pm hold' });
  expect(labels).not.toContain('hold');
  expect(answers[0]).toContain('cannot read who is in them');
  expect(answers[0]).toContain('`members: read`');
});

test('somebody who is listed by login is let in meanwhile, and `/pm config` names what is missing', async () => {
  const { world, number } = await aGuardedWorld(
    'access:\n  allowedTeams: [core]\n  allowedUsers: [ana]\n',
  );
  expect((await say(world, number, '/pm config')).answers[0]).toContain(
    '**To fix:** `access.allowedTeams` lists teams',
  );
  await letTeamsBeRead(world);
  expect((await say(world, number, '/pm config')).answers[0]).not.toContain('**To fix:**');
});

test('a repository without the setting asks for no team', async () => {
  const { world, number } = await aGuardedWorld('enabled: true\n');
  const queries: string[] = [];
  world.emulator.onExchange(
    ({ requestBody }) => void queries.push(JSON.stringify(requestBody ?? '')),
  );
  expect((await say(world, number, { by: 'cora', body: '/pm hold' })).labels).toContain('hold');
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.filter((query) => query.includes('team('))).toEqual([]);
});

test('an organisation that took the former names lets nobody in by a team of its own', async () => {
  const { world, number } = await aGuardedWorld();
  const { emulator } = world;
  await letTeamsBeRead(world);
  await say(world, number, { by: 'cora', body: '/pm status' });
  emulator.renameAccount('acme', 'acme-inc');
  emulator.createOrg('acme', { fan: 'admin' });
  emulator.createTeam('acme', 'core', ['fan']);
  const history = [{ message: 'feat: first', author: 'fan', files: { 'a.md': 'a\n' } }];
  await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
  const labelsAfter = async (login: string): Promise<number | undefined> => {
    await emulator.as(login).comment('acme-inc/tidy', number, '/pm hold');
    await world.idle();
    return emulator.repository('acme-inc/tidy').threads.get(number)?.labelIds.length;
  };
  expect(await labelsAfter('fan')).toBe(0);
  expect(await labelsAfter('cora')).toBe(1);
});
