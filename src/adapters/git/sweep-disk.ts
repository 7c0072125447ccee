/** What nobody needs any more on this machine's disk: worktrees that a crash left, and what the mirrors have piled up. */
import { join } from 'node:path';
import { listEntries, measure } from './disk.ts';
import { runGit } from './run-git.ts';
import {
  listWorktrees,
  removeTorn,
  removeWorktree,
  type WorktreesPlace,
} from './worktrees/worktrees.ts';

/** No attempt and no test of Quorum lasts so long. */
const STALE_MS = 24 * 3_600_000;
/** Objects that nothing names are kept so long: somebody may be about to. */
const PRUNE = '2.weeks.ago';

export interface Swept {
  /** Names of worktrees that were removed. */
  worktrees: string[];
  /** Mirrors that were packed. */
  mirrors: number;
}

/** Carried out when the App starts. Each part is safe to repeat, and beside other processes on the same folder. */
export async function sweepDisk(place: WorktreesPlace): Promise<Swept> {
  const swept: Swept = { worktrees: [], mirrors: 0 };
  await place.locks.runShared('worktrees', () => removeTorn(place));
  for (const { name, idleMs } of await listWorktrees(place)) {
    if (idleMs < STALE_MS) continue;
    await removeWorktree(place, name);
    swept.worktrees.push(name);
  }
  for (const dir of await mirrorsIn(place)) if (await packed(dir)) swept.mirrors += 1;
  return swept;
}

/** git itself decides whether there is enough to be worth it. */
async function packed(dir: string): Promise<boolean> {
  const { code } = await runGit({
    dir,
    args: ['gc', '--auto', '--quiet', `--prune=${PRUNE}`],
    env: { GIT_DIR: dir },
    config: [
      ['gc.auto', '6700'],
      ['gc.autoDetach', 'false'],
    ],
  });
  return code === 0;
}

async function mirrorsIn({ folder }: Pick<WorktreesPlace, 'folder'>): Promise<string[]> {
  const names = (await listEntries(folder)).filter((name) => /^\d+\.git$/.test(name));
  return names.map((name) => join(folder, name));
}

/** What takes room on the disk, for people. */
export async function usageOf(
  place: Pick<WorktreesPlace, 'folder' | 'installed'>,
): Promise<{ path: string; bytes: number }[]> {
  const installed = (await listEntries(place.installed)).map((name) => join(place.installed, name));
  const folders = [...(await mirrorsIn(place)), ...installed];
  return Promise.all(folders.map(async (path) => ({ path, bytes: (await measure(path)).bytes })));
}
