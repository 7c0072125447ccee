/** Puts people, repositories and Apps into the embedded GitHub, as tests and the demo need them. */
import path from 'node:path';
import { rename } from 'node:fs/promises';
import type { Permission } from '../../../domain/run/thread-ref.ts';
import { tryGit } from '../git/git-process.ts';
import { cloneBare, createBare, importHistory, type SeedCommit } from '../git/bare.ts';
import type { Account, Label, Repository, Team } from './world-model.ts';
import {
  account,
  findAccount,
  fullName,
  nextId,
  nowIso,
  repositoryNamed,
  toIso,
  nowMs,
  type World,
} from './world.ts';
import { mintUserToken } from './tokens.ts';

export interface RepositorySeed {
  owner: string;
  name: string;
  private?: boolean;
  description?: string;
  defaultBranch?: string;
  /** Files of the first commit, when there is no history or under it. */
  files?: Record<string, string | Buffer>;
  /** Commits on the default branch, oldest first, each on top of the one before. */
  history?: readonly {
    message: string;
    /** A login of the emulator, or a free name. Default: the owner. */
    author?: string;
    /** ISO time. Default: now. */
    date?: string;
    files: Record<string, string | Buffer | null>;
  }[];
}

const DEFAULT_LABELS: readonly [string, string, string][] = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['duplicate', 'cfd3d7', 'This issue or pull request already exists'],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['good first issue', '7057ff', 'Good for newcomers'],
  ['help wanted', '008672', 'Extra attention is needed'],
  ['invalid', 'e4e669', "This doesn't seem right"],
  ['question', 'd876e3', 'Further information is requested'],
  ['wontfix', 'ffffff', 'This will not be worked on'],
];

export function createAccount(
  world: World,
  init: { login: string; type: Account['type']; name?: string },
): Account {
  if (findAccount(world, init.login) !== undefined)
    throw new Error(`the emulator already has an account ${init.login}`);
  const user: Account = {
    id: nextId(world),
    login: init.login,
    type: init.type,
    plan: 'free',
    name: init.name ?? init.login,
    createdAt: nowIso(world),
    members: new Map(),
    teams: new Map(),
  };
  world.state.accounts.set(user.id, user);
  world.state.logins.set(user.login.toLowerCase(), user.id);
  return user;
}

export function accountNamed(world: World, login: string): Account {
  const found = findAccount(world, login);
  if (found === undefined) throw new Error(`no account ${login} in the emulator`);
  return found;
}

/** A team that may write to every repository of the organisation. */
export function createTeam(
  world: World,
  { org, slug, members = [] }: { org: string; slug: string; members?: readonly string[] },
): Team {
  const ids = members.map((login) => accountNamed(world, login).id);
  const team: Team = { id: nextId(world), slug, members: new Set(ids) };
  accountNamed(world, org).teams.set(slug, team);
  return team;
}

/** A token of a user, as `Authorization: token …`. */
export function createUserToken(
  world: World,
  login: string,
  scopes: readonly string[] = ['repo', 'workflow'],
): string {
  return mintUserToken(world, accountNamed(world, login).id, [...scopes]);
}

export async function createRepository(world: World, seed: RepositorySeed): Promise<Repository> {
  const repository = register(world, seed, undefined);
  await createBare(repository.gitDir, repository.defaultBranch);
  const commits = toCommits(world, seed);
  if (commits.length > 0)
    await importHistory(repository.gitDir, `refs/heads/${repository.defaultBranch}`, commits);
  return repository;
}

/** A fork under another owner, with the original's branches. */
export async function createFork(world: World, of: string, owner: string): Promise<Repository> {
  const original = repositoryNamed(world, of);
  const { name, private: isPrivate, defaultBranch } = original;
  const fork = register(world, { owner, name, private: isPrivate, defaultBranch }, original.id);
  await cloneBare(original.gitDir, fork.gitDir, defaultBranch);
  return fork;
}

/** Branches and tags as they are in a folder on this disk. @throws where it is no git repository with a commit */
export async function importRepository(
  world: World,
  owner: string,
  folder: string,
): Promise<Repository> {
  const from = path.resolve(folder);
  const name = path.basename(from).replaceAll(/[^\w.-]+/g, '-');
  const repository = register(world, { owner, name }, undefined);
  const { gitDir } = repository;
  await createBare(gitDir, repository.defaultBranch);
  const asked = ['ls-remote', '--symref', '--end-of-options', from, 'HEAD'];
  const { code, stdout } = await tryGit(gitDir, asked);
  const said = stdout.toString();
  if (code !== 0 || said === '') throw new Error(`${from} is no git repository with a commit`);
  repository.defaultBranch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(said)?.[1] ?? 'main';
  await cloneBare(from, gitDir, repository.defaultBranch);
  return repository;
}

function register(world: World, seed: RepositorySeed, forkOf: number | undefined): Repository {
  const id = nextId(world);
  const at = nowIso(world);
  const repository: Repository = {
    id,
    ownerId: accountNamed(world, seed.owner).id,
    name: seed.name,
    description: seed.description ?? null,
    private: seed.private ?? false,
    defaultBranch: seed.defaultBranch ?? 'main',
    archived: false,
    forkOf,
    gitDir: `${world.dir}/${id}.git`,
    createdAt: at,
    updatedAt: at,
    pushedAt: at,
    collaborators: new Map(),
    labels: DEFAULT_LABELS.map(([name, color, description]): Label => ({
      id: nextId(world),
      name,
      color,
      description,
      isDefault: true,
    })),
    threads: new Map(),
    lastNumber: 0,
    statuses: [],
    checkSuites: [],
    checkRuns: [],
    workflowRuns: [],
    dispatches: [],
  };
  world.state.repositories.set(id, repository);
  nameRepository(world, repository);
  return repository;
}

/** Enters the current name; earlier names stay and lead here. */
export function nameRepository(world: World, repository: Repository): void {
  world.state.repositoryNames.set(fullName(world, repository).toLowerCase(), repository.id);
}

function toCommits(world: World, seed: RepositorySeed): SeedCommit[] {
  const person = (author: string, date: string): SeedCommit['author'] => {
    const user = findAccount(world, author);
    const email =
      user === undefined
        ? `${author.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@example.test`
        : `${user.id}+${user.login}@users.noreply.github.com`;
    return { name: user?.name ?? author, email, date };
  };
  const now = toIso(nowMs(world));
  const first = { message: 'Initial commit', files: seed.files ?? {} };
  const steps = seed.files === undefined ? (seed.history ?? []) : [first, ...(seed.history ?? [])];
  return steps.map((step) => {
    const author = 'author' in step ? step.author : undefined;
    const date = 'date' in step ? step.date : undefined;
    return {
      message: step.message,
      files: step.files,
      author: person(author ?? seed.owner, date ?? seed.history?.[0]?.date ?? now),
    };
  });
}

/** Gives a person a role in a repository, or takes it away with `none`. */
export function setCollaborator(
  world: World,
  name: string,
  grant: { login: string; permission: Permission },
): void {
  const repository = repositoryNamed(world, name);
  const { id } = accountNamed(world, grant.login);
  if (grant.permission === 'none') repository.collaborators.delete(id);
  else repository.collaborators.set(id, grant.permission);
}

/** Deletes a repository: it is gone from every list, name and disk. */
export async function deleteRepository(world: World, repository: Repository): Promise<void> {
  world.emit({
    event: 'repository',
    action: 'deleted',
    repository,
    sender: account(world, repository.ownerId),
    payload: {},
  });
  world.state.repositories.delete(repository.id);
  for (const [name, id] of world.state.repositoryNames)
    if (id === repository.id) world.state.repositoryNames.delete(name);
  world.state.deletedRepositories.set(repository.id, repository);
  await rename(repository.gitDir, removedDir(repository));
}

/** As its owner may for 90 days; no webhook tells Apps of it. */
export async function restoreRepository(world: World, id: number): Promise<void> {
  const repository = world.state.deletedRepositories.get(id);
  if (repository === undefined) throw new Error(`no deleted repository ${id} in the emulator`);
  world.state.deletedRepositories.delete(id);
  await rename(removedDir(repository), repository.gitDir);
  world.state.repositories.set(id, repository);
  nameRepository(world, repository);
}

function removedDir({ gitDir, id }: Repository): string {
  return `${gitDir}.deleted-${id}`;
}
