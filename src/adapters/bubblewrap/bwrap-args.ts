/** The arguments of bwrap for one sandboxed process. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import type { BwrapOptions } from './bwrap-options.ts';
import { isWithin } from '../../domain/sandbox/shown-paths.ts';
import { systemArgs } from './system.ts';
import type { Toolchain } from './view/toolchain.ts';

/** Home of a sandboxed process: empty, its own, and gone with it. */
export const FENCED_HOME = '/home';

/** Memory that each of the sandbox's own file systems may take. */
const MAX_SCRATCH_BYTES = 1024 ** 3;

/** Who a sandboxed process is, in words that programs look up. */
export const PASSWD = `coder:x:1000:1000::${FENCED_HOME}:/bin/sh\n`;

/** File descriptors that bwrap is started with. */
export const STATUS_FD = 3;
export const PASSWD_FD = 4;
export const GITCONFIG_FD = 5;
export const CALL_FILTER_FD = 6;

/** Git works in folders of another owner as in its own: inside, the App's user has no name. */
export const GITCONFIG = '[safe]\n\tdirectory = *\n';

const ISOLATED = [
  '--unshare-user --uid 1000 --gid 1000 --cap-drop ALL',
  '--unshare-net --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --hostname sandbox',
  `--die-with-parent --new-session --json-status-fd ${STATUS_FD}`,
  `--proc /proc --dev /dev --ro-bind-data ${PASSWD_FD} /etc/passwd`,
  `--ro-bind-data ${GITCONFIG_FD} /etc/gitconfig`,
].flatMap((line) => line.split(' '));

/**
 * The kernel's settings in /proc, which root of the host may write, cannot be written by any user. What bwrap made to hang
 * the rest on would else be memory without a limit.
 */
const FINISHED = ['/proc', '/dev', '/'].flatMap((folder) => ['--remount-ro', folder]);

export interface BwrapInput {
  wanted: Pick<SandboxRequest, 'folder' | 'writable' | 'readable'>;
  toolchain: Toolchain;
  options: BwrapOptions;
  /** Whether a filter of system calls is given at {@link CALL_FILTER_FD}. */
  isFiltered: boolean;
  /** Files shown read-only at other paths than outside: path inside, file outside. */
  placed: readonly (readonly [inner: string, outer: string])[];
  /** What runs inside. */
  argv: readonly string[];
}

/**
 * A user namespace without capabilities, and separate namespaces for processes, network, IPC and host name. The
 * system's programs and `readable` are read-only, `folder` and `writable` are writable. All keep their paths outside.
 */
export function bwrapArgs(input: BwrapInput): string[] {
  const { wanted, toolchain, options, isFiltered, placed, argv } = input;
  const { folder, writable = [], readable } = wanted;
  const shown = [...toolchain.shown, ...readable, ...gitOf(folder)];
  const binds = [
    ...[folder, ...writable].map((each) => ['--bind', each, each]),
    ...shown.map((each) => ['--ro-bind', each, each]),
  ]
    // What is mounted later covers what is below it: inner folders come after those around them.
    .toSorted(([, a = ''], [, b = '']) => depth(a) - depth(b))
    .flat();
  return [
    ...ISOLATED,
    ...(options.canDisableUserns ? ['--disable-userns'] : []),
    ...(isFiltered ? ['--seccomp', `${CALL_FILTER_FD}`] : []),
    ...systemArgs(),
    ...['/dev/shm', '/tmp', FENCED_HOME].flatMap(scratch),
    ...binds,
    ...missingLinks(toolchain, [folder, ...writable, ...shown]),
    ...placed.flatMap(([inner, outer]) => ['--ro-bind', outer, inner]),
    ...FINISHED,
    '--chdir',
    folder,
    '--',
    ...argv,
  ];
}

/** Below a folder that is shown, the link of outside is seen. */
function missingLinks({ links }: Toolchain, shown: readonly string[]): string[] {
  return links
    .filter(([at]) => !shown.some((each) => isWithin(at, each)))
    .flatMap(([at, target]) => ['--symlink', target, at]);
}

function scratch(folder: string): string[] {
  return ['--size', `${MAX_SCRATCH_BYTES}`, '--tmpfs', folder];
}

function depth(folder: string): number {
  return folder.split('/').length;
}

/**
 * A program with write access to `.git` could name programs that git runs outside. A symlink there would lead the
 * mount astray.
 */
function gitOf(folder: string): string[] {
  const git = path.join(folder, '.git');
  const found = lstatSync(git, { throwIfNoEntry: false });
  return found === undefined || found.isSymbolicLink() ? [] : [git];
}
