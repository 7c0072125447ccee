/** The arguments of bwrap for one fenced process. */
import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { FenceWanted } from '../../ports/fence.ts';
import { systemArgs } from './system.ts';

/** Home of a fenced process: empty, its own, and gone with it. */
export const FENCED_HOME = '/home';

/** Memory that each of the fence's own file systems may take. */
const MAX_SCRATCH_BYTES = 1024 ** 3;

/** Who a fenced process is, in words that programs look up. */
export const PASSWD = `coder:x:1000:1000::${FENCED_HOME}:/bin/sh\n`;

/** File descriptors that bwrap is started with. */
export const STATUS_FD = 3;
export const PASSWD_FD = 4;

const ISOLATED = [
  '--unshare-user --uid 1000 --gid 1000 --cap-drop ALL',
  '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --hostname sandbox',
  `--die-with-parent --new-session --json-status-fd ${STATUS_FD}`,
  `--proc /proc --dev /dev --ro-bind-data ${PASSWD_FD} /etc/passwd`,
].flatMap((line) => line.split(' '));

/** What bwrap made to hang the rest on would else be memory without a limit. */
const FINISHED = ['--remount-ro', '/dev', '--remount-ro', '/'];

export interface BwrapInput {
  wanted: Pick<FenceWanted, 'folder' | 'writable' | 'readable' | 'network'>;
  toolchains: readonly string[];
  /** What runs inside. */
  argv: readonly string[];
}

/**
 * A user namespace without capabilities, namespaces of its own for processes, network, IPC and host name; the system's
 * programs and `readable` read-only, `folder` and `writable` writable, at the paths that they have outside.
 */
export function bwrapArgs({ wanted, toolchains, argv }: BwrapInput): string[] {
  const { folder, writable = [], readable, network } = wanted;
  const shown = [...toolchains, ...readable, ...gitOf(folder)];
  const binds = [
    ...[folder, ...writable].map((each) => ['--bind', each, each]),
    ...shown.map((each) => ['--ro-bind', each, each]),
  ]
    // What is mounted later covers what is below it: inner folders come after those around them.
    .toSorted(([, a = ''], [, b = '']) => depth(a) - depth(b))
    .flat();
  return [
    ...ISOLATED,
    ...(network ? [] : ['--unshare-net']),
    ...systemArgs({ network }),
    ...['/dev/shm', '/tmp', FENCED_HOME].flatMap(scratch),
    ...binds,
    ...FINISHED,
    '--chdir',
    folder,
    '--',
    ...argv,
  ];
}

function scratch(folder: string): string[] {
  return ['--size', `${MAX_SCRATCH_BYTES}`, '--tmpfs', folder];
}

function depth(folder: string): number {
  return folder.split('/').length;
}

/** Whoever may write `.git` may name programs that git runs outside; a symlink there would lead the mount astray. */
function gitOf(folder: string): string[] {
  const git = path.join(folder, '.git');
  const found = lstatSync(git, { throwIfNoEntry: false });
  return found === undefined || found.isSymbolicLink() ? [] : [git];
}
