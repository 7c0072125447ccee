/** Starts a process behind bwrap, or without it where the owner said so. */
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { RefusedError } from '../../domain/event/errors.ts';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import {
  bwrapArgs,
  CALL_FILTER_FD,
  FENCED_HOME,
  GITCONFIG,
  GITCONFIG_FD,
  PASSWD,
  PASSWD_FD,
  STATUS_FD,
  type BwrapInput,
} from './bwrap-args.ts';
import { optionsOf } from './bwrap-options.ts';
import { callFilter } from './call-filter/call-filter.ts';
import { limited, MAX_GROUP_TASKS } from './watch/process-limits.ts';
import {
  listChildProcesses,
  hasOwnRoot,
  isGroupThere,
  isRunning,
  sendSignal,
} from './watch/processes.ts';
import { asUser, sandboxUser } from './sandbox-user.ts';
import { searchPath } from './system.ts';
import type { Toolchain } from './view/toolchain.ts';
import { joining, openTaskGroup, type EnforcedBound } from './watch/task-group.ts';

/** Time to read what a process printed before it ended, in ms. */
const DRAIN_MS = 1_000;

export interface Launched {
  child: ChildProcess;
  /** Process 1 of the sandbox, as it is called outside; undefined without one, and until it is known. */
  init: () => number | undefined;
  /** The same, once it sees the sandbox's files and no longer the host's. */
  isolatedInit: () => number | undefined;
  /** Whether bwrap got as far as running what was wanted, and saw how it ended. */
  isReported: () => boolean;
  /** The bound that the kernel has enforced on it, as far as this machine lets us bound anything. */
  enforcedBound: () => EnforcedBound | undefined;
  /** Whether anything of it still runs. */
  isLeft: () => boolean;
  terminate: () => void;
  kill: () => void;
  /** Once it is over. */
  clean: () => void;
}

export function launchSandboxed(
  bwrap: string,
  wanted: SandboxRequest,
  { toolchain, bytes, placed }: Pick<BwrapInput, 'toolchain' | 'placed'> & { bytes: number },
): Launched {
  const argv = limited(wanted.argv, { isAlone: true });
  const group = openTaskGroup({ tasks: MAX_GROUP_TASKS, bytes });
  const filter = callFilter();
  const isFiltered = filter !== undefined;
  const own = { options: optionsOf(bwrap), isFiltered, placed };
  const bwrapped = bwrapArgs({ wanted, toolchain, ...own, argv });
  const joined = joining(group, unprivileged(bwrap, bwrapped));
  const [program = bwrap, ...args] = joined;
  const child = spawn(program, args, {
    // Ours may be out of reach for the user of the sandbox.
    cwd: '/',
    // Of bwrap as of what it runs: inside, anybody may read the environment of process 1.
    env: environment(wanted, toolchain, FENCED_HOME),
    stdio: Array.from({ length: CALL_FILTER_FD + 1 }, () => 'pipe' as const),
  });
  const pipes: readonly (Readable | Writable | null | undefined)[] = child.stdio;
  give(pipes[PASSWD_FD], PASSWD);
  give(pipes[GITCONFIG_FD], GITCONFIG);
  give(pipes[CALL_FILTER_FD], filter ?? '');
  let status = '';
  child.stdio[STATUS_FD]?.on('data', (piece: Buffer) => {
    status += piece.toString();
  });
  const init = (): number | undefined => {
    const [, pid] = /"child-pid":\s*(\d+)/.exec(status) ?? [];
    return pid === undefined ? undefined : Number(pid);
  };
  return {
    child,
    init,
    isolatedInit: () => isolated(init()),
    isReported: () => status.includes('"exit-code"'),
    enforcedBound: group.enforced,
    isLeft: () => isRunning(init()),
    // To what runs in there: process 1 is bwrap's own and hears nothing.
    terminate: () => {
      for (const pid of listChildProcesses(init() ?? 0)) sendSignal(pid, 'SIGTERM');
    },
    // The kernel ends everything in the namespace together with its process 1.
    kill: () => {
      const pid = init();
      if (pid !== undefined) sendSignal(pid, 'SIGKILL');
      child.kill('SIGKILL');
    },
    clean: () => group.remove(),
  };
}

function isolated(pid: number | undefined): number | undefined {
  return pid !== undefined && hasOwnRoot(pid) ? pid : undefined;
}

/** bwrap with its arguments, as nobody who is root. */
function unprivileged(bwrap: string, args: readonly string[]): string[] {
  const user = sandboxUser();
  if (user === undefined) return [bwrap, ...args];
  return asUser(user, { setpriv: findSetpriv(), bwrap, args });
}

export function launchBare(wanted: SandboxRequest, toolchain: Toolchain): Launched {
  const home = mkdtempSync(path.join(os.tmpdir(), 'quorum-home-'));
  const [program = '', ...args] = limited(wanted.argv, { isAlone: false });
  const child = spawn(program, args, {
    cwd: wanted.folder,
    env: { ...environment(wanted, toolchain, home), PATH: barePath(toolchain) },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, to be ended as one.
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) sendSignal(-child.pid, name);
  };
  child.on('exit', () => {
    signal('SIGKILL');
    // What has left the group as well may hold the output open: what was printed is read, and no more is waited for.
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS).unref();
  });
  return {
    child,
    init: () => undefined,
    isolatedInit: () => undefined,
    isReported: () => true,
    enforcedBound: () => undefined,
    isLeft: () => child.pid !== undefined && isGroupThere(child.pid),
    terminate: () => signal('SIGTERM'),
    kill: () => signal('SIGKILL'),
    clean: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** @throws RefusedError `no-sandbox` */
export function findBwrap(given: string | undefined): string {
  needLinux();
  if (given !== undefined) return given;
  const found = findProgram('bwrap');
  if (found === undefined) throw noSandbox('bwrap is not installed.');
  return found;
}

/** @throws RefusedError `no-sandbox` on another system than Linux */
export function needLinux(platform: NodeJS.Platform = process.platform): void {
  if (platform === 'linux') return;
  throw new RefusedError({
    code: 'no-sandbox',
    message: `Code is written on Linux only: the sandbox is made of namespaces, which ${SYSTEMS[platform] ?? platform} does not have.`,
    details:
      'Run the App on Linux; a virtual machine or a container is enough (docs/install-app.md, step 4). Everything else works here.',
  });
}

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'macOS',
  win32: 'Windows',
};

/** The program of util-linux that gives up root; busybox has a smaller one. */
function findSetpriv(): string {
  const found = findProgram('setpriv');
  if (found !== undefined) return found;
  throw noSandbox('the App is root, and `setpriv` (util-linux), which gives that up, is missing.');
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/bin'];
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => path.isAbsolute(file) && isExecutable(file));
}

/** What to do about a machine without a sandbox. */
export function noSandbox(why: string): RefusedError {
  return new RefusedError({
    code: 'no-sandbox',
    message: `There is no sandbox here: ${why}`,
    details:
      'Install the package `bubblewrap` (`apt-get install bubblewrap`); on Ubuntu 24.04 and later also allow user namespaces (`sysctl kernel.apparmor_restrict_unprivileged_userns=0`). An App that is root also needs `setpriv` of util-linux (on Alpine `apk add setpriv`; BusyBox’s own is not enough). Or, if the machine itself is the sandbox, set `QUORUM_SANDBOX=off` where the App runs and `coder.sandbox: off` in the repository.',
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function environment(
  wanted: SandboxRequest,
  toolchain: Toolchain,
  home: string,
): Record<string, string> {
  const PATH = searchPath(toolchain.path);
  return { PATH, HOME: home, TMPDIR: '/tmp', LANG: 'C.UTF-8', ...wanted.env };
}

/** Without a sandbox programs may be wherever the host finds them. */
function barePath(toolchain: Toolchain): string {
  return `${process.env['PATH'] ?? ''}:${searchPath(toolchain.path)}`;
}

function give(stream: Readable | Writable | null | undefined, text: string | Buffer): void {
  if (!(stream !== null && stream !== undefined && 'end' in stream)) return;
  stream.on('error', () => undefined);
  stream.end(text);
}
