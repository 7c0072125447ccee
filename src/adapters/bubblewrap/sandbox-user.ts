/** Who sandboxed programs are on this machine, and how root becomes that user. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

export interface User {
  uid: number;
  gid: number;
}

/**
 * Of systemd's and Debian's tables of user ids, a number that neither gives to anybody, and one that containers with 65,536
 * ids have: docs/decisions/2026-11-23-root-is-given-up.md.
 */
export const SANDBOX_USER: User = { uid: 65_527, gid: 65_527 };

/** Undefined where the App has no root to give up: then sandboxed programs are its own user. */
export function sandboxUser(uid: number | undefined = process.getuid?.()): User | undefined {
  return uid === 0 ? SANDBOX_USER : undefined;
}

const BINDS = new Set(['--bind', '--ro-bind', '--ro-bind-try']);

/**
 * The outer bwrap gives up all capabilities, so its death could not end what another user's process does. This shell stays
 * root with them: it dies together with that bwrap, and then the kernel may end what it started.
 */
const PASS_ON = ['/bin/sh', '-c', '"$@"; exit $?', 'sh'];

interface Bind {
  flag: string;
  /** Without links. */
  source: string;
  /** The topmost folder above it that the user may not enter. */
  closed: string;
}

/**
 * `command` (bwrap and its arguments) as that user. The user must be able to reach what bwrap shows. Where only root
 * may enter a parent folder, another bwrap first covers it with an empty one that holds only what is shown.
 */
export function asUser(
  user: User,
  { setpriv, bwrap, args }: { setpriv: string; bwrap: string; args: readonly string[] },
): string[] {
  const { uid, gid } = user;
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all'];
  const dropped = [setpriv, ...ids, '--', bwrap, ...args];
  const binds = outOfReach(args, user);
  if (binds.length === 0) return dropped;
  const covers = [...new Set(binds.map(({ closed }) => closed))];
  return [
    bwrap,
    '--die-with-parent',
    '--dev-bind',
    '/',
    '/',
    ...covers.flatMap((each) => ['--perms', '0755', '--tmpfs', each]),
    // Those that bwrap makes on the way are its own user's alone.
    ...onTheWay(binds).flatMap((each) => ['--perms', '0755', '--dir', each]),
    ...binds.flatMap(({ flag, source }) => [flag, source, source]),
    '--',
    ...PASS_ON,
    ...dropped,
  ];
}

/** Folders between what is covered and what is shown below it. */
function onTheWay(binds: readonly Bind[]): string[] {
  const all = binds.flatMap(({ source, closed }) =>
    above(source).filter((each) => each.startsWith(`${closed}/`)),
  );
  return [...new Set(all)];
}

function outOfReach(args: readonly string[], user: User): Bind[] {
  const found = new Map<string, Bind>();
  // Behind it is the program, whose words mean nothing here.
  const own = args.slice(0, args.indexOf('--') + 1);
  own.forEach((flag, index) => {
    const source = BINDS.has(flag) ? realOf(own[index + 1] ?? '') : undefined;
    if (source === undefined) return;
    const closed = closedAbove(source, user);
    const before = found.get(source);
    if (closed !== undefined && before?.flag !== '--bind')
      found.set(source, { flag, source, closed });
  });
  // What is mounted later covers what is below it.
  return [...found.values()].toSorted((a, b) => a.source.length - b.source.length);
}

function closedAbove(source: string, user: User): string | undefined {
  return above(source).find((each) => !mayEnter(each, user));
}

/** All folders above it, the topmost first. */
function above(source: string): string[] {
  const parts = path.dirname(source).split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/') || '/');
}

function mayEnter(folder: string, { uid, gid }: User): boolean {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;
  return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) !== 0;
}

function realOf(source: string): string | undefined {
  return lstatSync(source, { throwIfNoEntry: false }) === undefined
    ? undefined
    : realpathSync(source);
}
