/**
 * Where tasks are worked on, when the machine's owner says so: here (`QUORUM_CODER=local`), or in a workflow of each
 * repository (`actions`). A repository may choose its workflow in both cases (`coder.runner`). What is committed and
 * pushed is always tested here.
 */
import { createHash } from 'node:crypto';
import os from 'node:os';
import { createCommands } from '../adapters/bubblewrap/sandboxed-commands.ts';
import { needLinux } from '../adapters/bubblewrap/launch.ts';
import { createSandbox, type SandboxOptions } from '../adapters/bubblewrap/create-sandbox.ts';
import { outsideOf } from '../adapters/bubblewrap/view/outside.ts';
import { checkMachine } from '../adapters/bubblewrap/view/check-shown.ts';
import { nodeToolchain } from '../adapters/bubblewrap/view/toolchain.ts';
import { createActionsCoder, createRunWatch } from '../adapters/coder/actions/actions-coder.ts';
import { createClaudeCoder } from '../adapters/coder/claude/claude.ts';
import { findClaude } from '../adapters/coder/claude/find-claude.ts';
import { createPatchCoder } from '../adapters/coder/patch-coder.ts';
import { createGit, sweepGit } from '../adapters/git/create-git.ts';
import { createKeptFiles } from '../adapters/git/kept-files.ts';
import type { CodingRuntime } from '../act/task/coder/coding-runtime.ts';
import { NO_DISK_SHARES, type DiskShares } from '../domain/config/disk-shares.ts';
import { ConfigError, RefusedError, toFailure } from '../domain/event/errors.ts';
import type { Config } from '../domain/config/config.ts';
import type { Coder } from '../ports/coder.ts';
import type { KeptFiles } from '../ports/erasure.ts';
import type { GitHubWork } from '../ports/github/work.ts';
import { claudeModels } from './environment/claude-models.ts';
import { egressOf } from './environment/read-egress.ts';
import type { Env } from './environment/env-file.ts';
import { ownPaths } from './environment/own-paths.ts';
import { readGitPlace, workFolder } from './environment/git-place.ts';
import type { Basics } from './host-parts.ts';
import { filled, readHostSettings, type HostSettings } from './environment/host-settings.ts';

const RUNNERS = ['actions', 'local', 'off'] as const;
type Runner = (typeof RUNNERS)[number];

/** A repository alone cannot make a machine run code: coding is off until the machine's owner switches it on. */
export function runnerOf(env: Env): Runner {
  const word = filled(env['QUORUM_CODER']) ?? 'off';
  const runner = RUNNERS.find((each) => each === word);
  if (runner !== undefined) return runner;
  throw new ConfigError({
    code: 'coder-invalid',
    message: `QUORUM_CODER is ${word}; ${RUNNERS.join(', ')} are possible.`,
  });
}

/**
 * Whether what a repository runs here may do without a sandbox. The machine's owner (`QUORUM_SANDBOX=off`) and the
 * repository (`coder.sandbox: off`) must both allow it, since each risks what is the other's. ConfigError
 * `coder-invalid`.
 */
export function sandboxOf(env: Env, { sandbox }: Pick<Config['coder'], 'sandbox'>): 'on' | 'off' {
  const word = filled(env['QUORUM_SANDBOX']) ?? 'on';
  if (word === 'on') return 'on';
  if (word === 'off') return sandbox;
  throw new ConfigError({
    code: 'coder-invalid',
    message: `QUORUM_SANDBOX is ${word}; on and off are possible.`,
  });
}

/**
 * Refuses to start an App that is configured to write code but has no sandbox for it: people would approve plans in
 * vain. ConfigError `coder-invalid`.
 */
export function refuseOtherSystems(env: Env, platform: NodeJS.Platform = process.platform): void {
  if (runnerOf(env) === 'off' || sandboxOf(env, { sandbox: 'off' }) === 'off') return;
  try {
    needLinux(platform);
  } catch (error) {
    const { message } = toFailure(error);
    throw new ConfigError({
      code: 'coder-invalid',
      message: `${message} Run the App on Linux, or set QUORUM_CODER=off.`,
    });
  }
}

/**
 * Whether what sandboxes show of this machine is what they may: programs and certificates, no home folder, and nothing that
 * is Quorum's own. ConfigError `sandbox-path-refused`, `coder-invalid`.
 */
export function checkSandboxPaths(env: Env): void {
  if (sandboxOf(env, { sandbox: 'off' }) === 'off') return;
  const bin = filled(env['CLAUDE_BIN']);
  const named = [...outsideOf(env).files, ...(bin === undefined ? [] : [bin])];
  checkMachine({ paths: [...nodeToolchain().shown, ...named], own: ownPaths(env) });
}

/** A coding runtime whose disk can be swept. */
interface LocalCodingRuntime extends CodingRuntime {
  sweep: () => ReturnType<typeof sweepGit>;
}

/** Undefined where no code is written. ConfigError `coder-invalid`, `disk-limit-invalid` or `sandbox-path-refused`. */
export function openCodingRuntime(
  basics: Basics,
  github: GitHubWork,
  appId: number | string,
): LocalCodingRuntime | undefined {
  const { env, clock, log } = basics;
  const runner = runnerOf(env);
  if (runner === 'off') return undefined;
  const { dataDir, databaseUrl } = readHostSettings(env);
  const place = readGitPlace({ env, clock }, github);
  const tools = openTools(basics, place.shares ?? NO_DISK_SHARES);
  const inWorkflows = { clock, self: () => github.app.self() };
  return {
    git: createGit(place),
    sweep: () => sweepGit(place),
    log,
    ...withWorkflows(tools, runner, createActionsCoder(inWorkflows)),
    refuseAtWork: createRunWatch(inWorkflows),
    // Workers that share a store share this id, so that after a crash any of them can take its task up again.
    instance: digest(`${appId} ${databaseUrl ?? `${os.hostname()} ${dataDir}`}`),
  };
}

/**
 * A repository may send its own sessions to its own workflow: that costs this host nothing. Only the host can say that
 * they may run here. Whether the repository has the workflow is seen when it is started.
 */
function withWorkflows(here: Tools, host: 'actions' | 'local', inWorkflows: Coder): Tools {
  const isElsewhere = ({ runner = host }: Pick<Config['coder'], 'runner'>): boolean =>
    runner !== 'local';
  const lacksRunner = (runner: Config['coder']['runner']): string | undefined =>
    host === 'actions' && runner === 'local' ? NOT_HERE : undefined;
  const coder: Tools['coder'] = (config, task) => {
    if (config.runner === 'off')
      throw new RefusedError({
        code: 'switched-off',
        message: 'Writing code is switched off in this repository (`coder.runner: off`).',
      });
    const lack = lacksRunner(config.runner);
    if (lack !== undefined)
      throw new RefusedError({
        code: 'coder-unavailable',
        message: `No code is written: ${lack}.`,
      });
    return isElsewhere(config) ? inWorkflows : here.coder(config, task);
  };
  const { lacksCoder, commands } = here;
  const lack = host === 'local' && lacksCoder !== undefined ? { lacksCoder } : {};
  return { commands, coder, lacksRunner, ...lack };
}

const NOT_HERE =
  'the repository asks for the machine of the App (`coder.runner: local`), and the App here lets workflows write the code (`QUORUM_CODER=actions`)';

type Tools = Pick<CodingRuntime, 'commands' | 'coder' | 'lacksCoder' | 'lacksRunner'>;

/** What runs in sandboxes. All settings are read now, so that mistakes in them are reported at the start. */
function openTools({ env, clock, random }: Basics, shares: DiskShares): Tools {
  const models = claudeModels(env);
  const outside = outsideOf(env);
  const egress = egressOf(env);
  const bin = filled(env['CLAUDE_BIN']);
  checkSandboxPaths(env);
  const own = ownPaths(env);
  const sandboxOptionsOf = (config: Config['coder']): SandboxOptions => ({
    sandbox: sandboxOf(env, config),
    clock,
    own,
    ...diskOf(config, shares),
  });
  const claude = (config: Config['coder']): Coder =>
    createClaudeCoder({
      sandbox: createSandbox(sandboxOptionsOf(config)),
      clock,
      random,
      models,
      bin,
    });
  const patch = createPatchCoder({ clock, random });
  const hasCoder = models.length > 0 && hasClaude(bin);
  return {
    ...(!hasCoder && { lacksCoder: 'this host has no Claude Code, or no model key for it' }),
    commands: (config) => createCommands({ ...sandboxOptionsOf(config), outside, egress }),
    coder: (config, { hasDiff }) => {
      if (models.length > 0 && hasClaude(bin)) return claude(config);
      if (hasDiff) return patch;
      throw new RefusedError({
        code: 'coder-unavailable',
        message:
          'Nobody here writes code: install Claude Code (CLAUDE_BIN) and give a model key, or put the change into the task as a fenced `diff` block.',
      });
    },
  };
}

/** What work on tasks left on this machine's disk, of each repository. */
export function keptFiles(
  { dataDir }: Pick<HostSettings, 'dataDir'>,
  clock: Basics['clock'],
): KeptFiles {
  return createKeptFiles({ folder: workFolder(dataDir), clock });
}

const MB = 1_000_000;

function diskOf(
  { worktreeLimitMb }: Config['coder'],
  { installationMb = Infinity }: DiskShares,
): { maxDiskBytes: number } {
  return { maxDiskBytes: Math.min(worktreeLimitMb, installationMb) * MB };
}

/** Whether it is installed; mistakes in a given path are reported when it is used. */
function hasClaude(bin: string | undefined): boolean {
  if (bin !== undefined) return true;
  try {
    return findClaude(undefined) !== '';
  } catch {
    return false;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
