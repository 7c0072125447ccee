/** Seeds behind the embedded GitHub's interface: names instead of values of its model. */
import { install } from './installations.ts';
import type { App } from './world-model.ts';
import type { GitHubEmulator } from '../emulator-interface.ts';
import * as seeds from './seed.ts';
import { createApp } from './seed-apps.ts';
import { findAccount, repositoryNamed, type World } from './world.ts';

type Seeding = Pick<
  GitHubEmulator,
  | 'createUser'
  | 'createOrg'
  | 'accountType'
  | 'setPlan'
  | 'createTeam'
  | 'createUserToken'
  | 'createRepository'
  | 'importRepository'
  | 'createFork'
  | 'addCollaborator'
  | 'createApp'
  | 'app'
  | 'installApp'
>;

/** The knobs of {@link GitHubEmulator} that put something into the world. */
export function seeding(world: World): Seeding {
  return {
    createUser: (login, name) =>
      seeds.createAccount(world, { login, type: 'User', ...(name === undefined ? {} : { name }) }),
    accountType: (login) => findAccount(world, login)?.type,
    setPlan: (login, plan) => void (seeds.accountNamed(world, login).plan = plan),
    createOrg(login, members = {}) {
      const org = seeds.createAccount(world, { login, type: 'Organization' });
      for (const [member, role] of Object.entries(members))
        org.members.set(seeds.accountNamed(world, member).id, role);
      return org;
    },
    createTeam: (org, slug, members = []) => void seeds.createTeam(world, { org, slug, members }),
    createUserToken: (login, scopes) => seeds.createUserToken(world, login, scopes),
    createRepository: (seed) => seeds.createRepository(world, seed),
    importRepository: (owner, folder) => seeds.importRepository(world, owner, folder),
    createFork: (of, owner) => seeds.createFork(world, of, owner),
    addCollaborator: (name, login, permission) =>
      seeds.setCollaborator(world, name, { login, permission }),
    createApp: (seed) => createApp(world, seed),
    app: (idOrSlug) => appNamed(world, idOrSlug),
    installApp: (appId, login, names) =>
      install(world, {
        app: appNamed(world, appId),
        accountId: seeds.accountNamed(world, login).id,
        repositories: names?.map((name) => repositoryNamed(world, name)),
      }).id,
  };
}

function appNamed(world: World, idOrSlug: number | string): App {
  for (const app of world.state.apps.values())
    if (app.id === idOrSlug || app.slug === idOrSlug) return app;
  throw new Error(`no App ${idOrSlug} in the emulator`);
}
