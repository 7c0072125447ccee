/** Everything that is on this machine's disk for one repository: its mirror, its worktrees, and what was installed for it. */
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { KeptFiles } from '../../ports/erasure.ts';
import { listEntries, measure, removeFolder } from './disk.ts';
import { createFileLocks } from './file-locks.ts';

/** `folder`: the one of `createGit`. */
export function createKeptFiles({ folder, clock }: { folder: string; clock: Clock }): KeptFiles {
  const locks = createFileLocks(join(folder, 'locks'), clock);
  return {
    repositories: () => repositoriesIn(folder),
    of: async (repositoryId) => {
      const found = await foldersOf(folder, repositoryId);
      return Promise.all(found.map(async (path) => ({ path, bytes: (await measure(path)).bytes })));
    },
    erase: async (repositoryId) => {
      if ((await foldersOf(folder, repositoryId)).length === 0) return 0;
      return locks.runShared('worktrees', async () => {
        const found = await foldersOf(folder, repositoryId);
        // The mirror is last: by it the worktrees are found again after a crash.
        for (const path of found) await removeFolder(path);
        return found.length;
      });
    },
  };
}

async function repositoriesIn(folder: string): Promise<number[]> {
  const mirrors = (await listEntries(join(folder, 'mirrors')))
    .filter((name) => name.endsWith('.git'))
    .map((name) => name.slice(0, -'.git'.length));
  const named = await Promise.all(
    ['installed', 'owners'].map((name) => listEntries(join(folder, name))),
  );
  const ids = [...mirrors, ...named.flat()].filter((name) => /^\d+$/.test(name)).map(Number);
  return [...new Set(ids)];
}

async function foldersOf(folder: string, repositoryId: number): Promise<string[]> {
  const mirrors = join(folder, 'mirrors');
  const mirror = `${repositoryId}.git`;
  const names = await listEntries(join(mirrors, mirror, 'worktrees'));
  const open = new Set(await listEntries(join(folder, 'worktrees')));
  return [
    ...names.filter((name) => open.has(name)).map((name) => join(folder, 'worktrees', name)),
    ...(await isThere(join(folder, 'installed'), String(repositoryId))),
    ...(await isThere(join(folder, 'owners'), String(repositoryId))),
    ...(await isThere(mirrors, mirror)),
  ];
}

async function isThere(parent: string, name: string): Promise<string[]> {
  return (await listEntries(parent)).includes(name) ? [join(parent, name)] : [];
}
