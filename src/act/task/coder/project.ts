/** What a project needs is put into a worktree before anybody works or tests there: installed once for a base, then copied (CB-5). */
import { createHash } from 'node:crypto';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Config } from '../../../domain/config/config.ts';
import { tailOfLog } from '../../../domain/gates/log-tail.ts';
import { isManifest, onlyFetches, toolEnv } from '../../../domain/gates/project-tools.ts';
import type { TestCommand } from '../../../domain/gates/test-command.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { CommandResult, CommandWanted } from '../../../ports/commands.ts';
import type { Worktree } from '../../../ports/git.ts';
import type { ActPorts } from '../../ports.ts';
import { requireCodingRuntime } from './coding-runtime.ts';

export interface ProjectWanted {
  repository: RepositoryRef;
  /** Whose commands these are: what is kept for others was installed there, and nowhere else. */
  baseSha: string;
  /** Of the attempt's worktrees. */
  name: string;
  branch: string;
  found: TestCommand;
  config: Config;
  /** Paths that the worktree has otherwise than the commit that it was opened at. */
  changed: readonly string[];
  /** Ends what is done for this worktree; what is installed for others as well goes on. */
  signal?: AbortSignal;
}

/** How its own programs find what was installed. */
export type Project = Required<Pick<CommandWanted, 'readable' | 'env'>>;

/** Fills the worktree. RefusedError `project-not-ready` with the command and how it ended. */
export type FillProject = (worktree: Worktree, wanted: ProjectWanted) => Promise<Project>;

/** Fetching what a project needs, in milliseconds. */
const INSTALL_MS = 10 * 60_000;
const MOST_MANIFESTS = 100;

export function createProjects(ports: ActPorts): FillProject {
  const underWay = new Map<string, Promise<void>>();
  /** Two tasks of one base wait for the same installation. */
  const once = async (key: string, make: () => Promise<void>): Promise<void> => {
    const making = underWay.get(key) ?? make().finally(() => underWay.delete(key));
    underWay.set(key, making);
    await making;
  };
  return async (worktree, wanted) => {
    const { install } = wanted.found;
    const project = await fillWith(worktree, { install, wanted, ports, once });
    const { preBuildCommand } = wanted.config.coder;
    if (preBuildCommand !== undefined)
      await run(preBuildCommand, { worktree, wanted, ports, project, ...BUILDING });
    return project;
  };
}

interface Filling {
  install: string | undefined;
  wanted: ProjectWanted;
  ports: ActPorts;
  once: (key: string, make: () => Promise<void>) => Promise<void>;
}

async function fillWith(
  worktree: Worktree,
  { install, wanted, ports, once }: Filling,
): Promise<Project> {
  if (install === undefined) return { readable: [], env: {} };
  const isChanged = wanted.changed.some(isManifest);
  const key = isChanged ? undefined : await keyOf(worktree, install);
  if (key !== undefined) {
    const project = projectAt(worktree.caches.shared, wanted);
    if (await copyKept(worktree, { key, wanted, ports, project })) return project;
    await once(`${wanted.repository.repositoryId}/${key}`, () =>
      installBase({ key, install, wanted, ports }),
    );
    if (await copyKept(worktree, { key, wanted, ports, project })) return project;
  }
  // What nobody else may trust: it may have been written by a coder.
  const own = projectAt(worktree.caches.own, wanted);
  const paths = [...(await worktree.base.paths('')).split('\n'), ...wanted.changed];
  const isOpen = onlyFetches(install, paths) || wanted.config.gates.testNetwork;
  const how = { isInstalling: true, isOpen };
  const project = { ...own, env: { ...own.env, ...NO_GIT } };
  await run(install, { worktree, wanted, ports, project, ...how });
  await worktree.leaveOut();
  return own;
}

function projectAt(cache: string, { found }: ProjectWanted): Project {
  return { readable: [cache], env: toolEnv(found.type, cache) };
}

/** In a worktree of the base and nothing else; nothing is kept where the base needs something else than the task. */
async function installBase({
  key,
  install,
  wanted,
  ports,
}: Pick<Filling, 'wanted' | 'ports'> & { key: string; install: string }): Promise<void> {
  const { repository, baseSha, name, branch, config } = wanted;
  const worktree = await requireCodingRuntime(ports).git.open(repository, {
    name: `${name}-needs`,
    branch: `${branch}-needs`,
    sha: baseSha,
    limitMb: config.coder.worktreeLimitMb,
  });
  try {
    if ((await keyOf(worktree, install)) !== key) return;
    const project = projectAt(worktree.caches.shared, wanted);
    const { signal: _, ...forAll } = wanted;
    await run(install, { worktree, wanted: forAll, ports, project, ...INSTALLING });
    await worktree.leaveOut(key);
  } finally {
    await worktree.close();
  }
}

/** Copied programs may name the folder in which they were installed. */
async function copyKept(
  worktree: Worktree,
  { key, wanted, ports, project }: Pick<Filling, 'wanted' | 'ports'> & KeptWanted,
): Promise<boolean> {
  const filled = await worktree.fill(key);
  if (filled === undefined) return false;
  const { move } = wanted.found;
  if (move === undefined) return true;
  const env = { ...project.env, FROM: filled.madeIn, TO: worktree.folder };
  await run(move, { worktree, wanted, ports, project: { ...project, env }, ...BUILDING });
  return true;
}

interface KeptWanted {
  key: string;
  project: Project;
}

/** The same command on the same manifests installs the same. */
async function keyOf({ base }: Worktree, install: string): Promise<string> {
  const paths = (await base.paths('')).split('\n').filter(isManifest).slice(0, MOST_MANIFESTS);
  const hash = createHash('sha256').update(install);
  for (const path of paths) hash.update(`\0${path}\0${await base.file(path)}`);
  return hash.digest('hex').slice(0, 32);
}

/**
 * npm installs a git dependency in a folder of its own, whose `.npmrc` may name a program to run. Where a task decides
 * on the dependencies, none are fetched from git. Environment variables override a project's file.
 */
const NO_GIT = { npm_config_allow_git: 'none', npm_config_git: '/bin/false' };

/** Only who fetches may write where downloads are kept. What the base wants gets the network for it. */
const INSTALLING = { isInstalling: true, isOpen: true };
const BUILDING = { isInstalling: false, isOpen: false };

interface Running extends Pick<Filling, 'wanted' | 'ports'> {
  worktree: Worktree;
  project: Project;
  isInstalling: boolean;
  /** Whether it reaches the network. */
  isOpen: boolean;
}

async function run(
  script: string,
  { worktree, wanted, ports, project, isInstalling, isOpen }: Running,
): Promise<void> {
  const { config, repository } = wanted;
  const runtime = requireCodingRuntime(ports);
  const { readable, env } = project;
  const ended = await runtime.commands(config.coder).run(
    {
      folder: worktree.folder,
      ...(isInstalling ? { readable: [], writable: readable } : { readable }),
      script,
      env,
      timeoutMs: INSTALL_MS,
      network: isOpen || config.gates.testNetwork,
    },
    wanted.signal ?? new AbortController().signal,
  );
  const { exitCode, durationMs } = ended;
  runtime.log.info(
    { repository: repository.repositoryId, script, exitCode, durationMs },
    'project filled',
  );
  const isShut = isInstalling && !isOpen;
  if (exitCode !== 0) throw notReady(script, ended, isShut ? SHUT : '');
}

/** Why an installation may have failed that works for everybody else. */
const SHUT =
  ' It had no network, since the task decides what it brings and it may run some of that; `gates.testNetwork: true` allows it.';

function notReady(
  script: string,
  { exitCode, isTimedOut, output }: CommandResult,
  because: string,
): RefusedError {
  const how = isTimedOut ? 'did not end in time' : `ended with ${exitCode ?? 'a signal'}`;
  const lines = tailOfLog(output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  // It is shown in a line of Markdown: what was printed ends no code there.
  const last = lines.slice(-5).join(' · ').slice(-400).replaceAll('`', "'");
  const said = last === '' ? '' : ` It said: \`${last}\`.`;
  return new RefusedError({
    code: 'project-not-ready',
    message: `\`${script}\` ${how}, so nothing could be worked on or tested.${because}${said}`,
  });
}
