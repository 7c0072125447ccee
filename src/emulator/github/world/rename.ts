/** Renames and moves repositories and accounts. */
import { toUser } from '../render/accounts.ts';
import type { Repository } from './world-model.ts';
import { account, findAccount, findRepository, fullName, type World } from './world.ts';
import { accountNamed, nameRepository } from './seed.ts';

/**
 * Renames or moves a repository; its old name leads to the new one, as on GitHub.
 * @throws Error for a name that the owner has already
 */
export function renameRepository(
  world: World,
  repository: Repository,
  to: { name?: string; owner?: string },
): void {
  const before = { name: repository.name, owner: account(world, repository.ownerId) };
  const wanted = `${to.owner ?? before.owner.login}/${to.name ?? repository.name}`;
  const known = findRepository(world, wanted);
  if (known !== undefined && known !== repository && fullName(world, known) === wanted)
    throw new Error(`${wanted} is taken`);
  repository.name = to.name ?? repository.name;
  if (to.owner !== undefined) repository.ownerId = accountNamed(world, to.owner).id;
  nameRepository(world, repository);
  const changes =
    to.owner === undefined
      ? { repository: { name: { from: before.name } } }
      : { owner: { from: { user: toUser(world, before.owner) } } };
  world.emit({
    event: 'repository',
    action: to.owner === undefined ? 'renamed' : 'transferred',
    repository,
    sender: account(world, repository.ownerId),
    payload: { changes },
  });
}

/** Renames an account: its former name, and those of its repositories, lead to the new ones until somebody takes them. */
export function renameAccount(world: World, login: string, to: string): void {
  const renamed = accountNamed(world, login);
  if (findAccount(world, to) !== undefined) throw new Error(`${to} is taken`);
  renamed.login = to;
  world.state.logins.delete(login.toLowerCase());
  world.state.logins.set(to.toLowerCase(), renamed.id);
  for (const repository of world.state.repositories.values())
    if (repository.ownerId === renamed.id) nameRepository(world, repository);
  for (const installation of world.state.installations.values()) {
    if (installation.accountId !== renamed.id) continue;
    world.emit({
      event: 'installation_target',
      action: 'renamed',
      installation,
      sender: renamed,
      payload: {
        account: toUser(world, renamed),
        changes: { login: { from: login } },
        target_type: renamed.type,
      },
    });
  }
}
