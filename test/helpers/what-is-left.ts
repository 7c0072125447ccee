/** What work on tasks leaves behind: leases with their history, branches, and folders on this machine. */
import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseLease, renderLease } from '../../src/domain/plan/lease.ts';
import { REPO, type TestWorld } from './a-world.ts';

/** Of each lease of the repository: whether it was given back, and every fencing number that it ever had, oldest first. */
export function leasesOf({
  emulator,
}: TestWorld): { ref: string; isReleased: boolean; fences: number[] }[] {
  const { gitDir } = emulator.repository(REPO);
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args]).toString();
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/quorum').split('\n');
  return refs
    .filter((ref) => ref !== '')
    .map((ref) => {
      const messages = git('log', '--reverse', '--format=%B%x00', ref).split('\0');
      const all = messages.flatMap((text) => parseLease(text.trimStart()) ?? []);
      const { isReleased = false } = all.at(-1) ?? {};
      return { ref, isReleased, fences: [...new Set(all.map(({ fence }) => fence))] };
    });
}

/** But for the memory, which stays. */
export async function branchesOf({ emulator }: TestWorld): Promise<string[]> {
  const all = await emulator.as('ana').request('GET', `/repos/${REPO}/branches`);
  return (all as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => name !== 'quorum/memory');
}

/** @param dataDir - of the App */
export async function worktreesOf(dataDir: string): Promise<string[]> {
  return readdir(path.join(dataDir, 'work/worktrees')).catch(() => []);
}

/** As if nobody had renewed any for as long as one lasts. */
export function expireLeases({ emulator }: TestWorld): void {
  const { gitDir } = emulator.repository(REPO);
  const git = (args: string[], input = ''): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { input })
      .toString()
      .trim();
  for (const ref of git(['for-each-ref', '--format=%(refname)', 'refs/quorum']).split('\n')) {
    const lease = parseLease(git(['log', '-1', '--format=%B', ref]));
    if (lease === undefined) throw new Error(`${ref} is no lease`);
    const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
    const message = renderLease({ ...lease, expiresAt: 0 });
    const sha = git([...who, 'commit-tree', `${ref}^{tree}`, '-p', ref], message);
    git(['update-ref', ref, sha]);
  }
}
