/** Refuses a sandbox that would show what no sandbox may: docs/decisions/2026-11-23-what-a-sandbox-shows-of-the-machine.md. */
import { readFileSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  isWithin,
  hiddenReason,
  ownPathReason,
  type OwnPath,
} from '../../../domain/sandbox/shown-paths.ts';
import { ConfigError, RefusedError, type ErrorInit } from '../../../domain/event/errors.ts';
import { SYSTEM } from '../system.ts';

export interface Shown {
  /** What a sandbox is to show besides the system's programs. */
  paths: readonly string[];
  /** What only Quorum reads. */
  own: readonly OwnPath[];
}

/** @throws RefusedError `sandbox-path-refused` */
export function checkShown(shown: Shown): void {
  const problem = findProblem(shown);
  if (problem !== undefined) throw new RefusedError(problem);
}

/**
 * The same at the start, where it is a mistake in the settings.
 *
 * @throws ConfigError `sandbox-path-refused`
 */
export function checkMachine(shown: Shown): void {
  const problem = findProblem(shown);
  if (problem !== undefined)
    throw new ConfigError({ ...problem, message: `${problem.message} ${problem.details}` });
}

type Problem = ErrorInit & { details: string };

function findProblem({ paths, own }: Shown): Problem | undefined {
  const real = own.map(({ path: at, is }) => ({ path: realOf(at), is }));
  for (const folder of SYSTEM) {
    const why = ownPathReason(folder, [...real, ...ownHome()]);
    if (why !== undefined)
      return toProblem(`${folder}, which each sandboxed program reads, ${why}`, MOVE);
  }
  const guarded = { homes: homesOf(), own: real };
  for (const each of paths) {
    const at = realOf(each);
    const why = hiddenReason(at, guarded);
    const name = at === each ? at : `${each} (${at})`;
    if (why !== undefined) return toProblem(`the sandbox would show ${name}, which ${why}`, NAME);
  }
  return undefined;
}

const MOVE = 'Move it to a folder outside the system’s, and set the App to it.';
const NAME =
  'Name the file itself in `CLAUDE_BIN` and the settings for certificates, and install Node in a folder of its own.';

function toProblem(what: string, details: string): Problem {
  return {
    code: 'sandbox-path-refused',
    message: `Quorum does not start sandboxed programs: ${what}.`,
    details,
  };
}

/** Names of folders with programs, which are homes of system accounts. */
const PROGRAMS = new Set(['bin', 'sbin', 'games', 'lib']);

/** The home of the App's own user, where it is below a folder of the system's and no program folder. */
function ownHome(): OwnPath[] {
  return ownHomes()
    .filter((home) => !PROGRAMS.has(path.basename(home)))
    .filter((home) => SYSTEM.some((each) => home !== each && isWithin(home, each)))
    .map((home) => ({ path: home, is: 'the home folder of the App’s user' }));
}

/** Users of the local file, and the App's own. */
function homesOf(): string[] {
  return [...toHomes(passwd().map((line) => line.split(':')[5] ?? '')), ...ownHomes()];
}

function ownHomes(): string[] {
  return toHomes([process.env['HOME'] ?? '', userHome()]);
}

function toHomes(named: readonly string[]): string[] {
  return named.filter((home) => path.isAbsolute(home)).map(realOf);
}

/** As the system knows it; a user without an entry has none. */
function userHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    return '';
  }
}

function passwd(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** The path without links; of a path that does not exist yet, the part that does. */
function realOf(file: string): string {
  const whole = path.resolve(file);
  try {
    return realpathSync(whole);
  } catch {
    return path.join(realOf(path.dirname(whole)), path.basename(whole));
  }
}
