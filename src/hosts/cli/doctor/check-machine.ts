/** Is the machine fit: Node and git. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from './doctor-finding.ts';

/** package.json, `engines`: node:sqlite without a flag and erasable types. */
const OLDEST_NODE = [22, 13] as const;
/** `git merge-tree --write-tree` with its options came with 2.38; shallow fetches by object id long before. */
const OLDEST_GIT = [2, 38] as const;

export async function checkNode(version: string = process.versions.node): Promise<Finding[]> {
  if (isAtLeast(version, OLDEST_NODE)) return [{ level: 'ok', about: 'Node', says: version }];
  return [
    {
      level: 'fail',
      about: 'Node',
      says: `${version} is older than ${OLDEST_NODE.join('.')}`,
      fix: 'npm run … uses the Node that is installed with the package; or install Node 24.',
    },
  ];
}

export async function checkGit(command = 'git'): Promise<Finding[]> {
  try {
    const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: 10_000 });
    const version = /\d{1,9}(?:\.\d{1,9}){1,9}/.exec(stdout)?.[0] ?? '0';
    if (isAtLeast(version, OLDEST_GIT)) return [{ level: 'ok', about: 'git', says: version }];
    const says = `${version} is older than ${OLDEST_GIT.join('.')}`;
    return [{ level: 'warn', about: 'git', says, fix: 'Install a newer git: the demo needs it.' }];
  } catch {
    return [
      {
        level: 'warn',
        about: 'git',
        says: 'cannot be run',
        fix: 'Install git and put it on the PATH: quorum demo and quorum deliberate need it.',
      },
    ];
  }
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
