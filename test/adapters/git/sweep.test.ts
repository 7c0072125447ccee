/** What a crash left on the disk is gone after a day, what is in use is not. */
import { execFileSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { diskUsage, sweepGit } from '../../../src/adapters/git/create-git.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { openIn } from '../../contract/git.ts';
import { verifies } from '../../verifies.ts';
import { emulatedGitForTest } from './world.ts';

const DAY_MS = 24 * 3_600_000;

verifies(
  ['CB-5', 'DUR-01'],
  'worktrees that nobody touched for a day are removed, and a mirror is packed and still whole',
  async () => {
    const world = await emulatedGitForTest();
    const stale = await openIn(world);
    const mirror = join(world.folder, 'mirrors', `${world.ref.repositoryId}.git`);
    // Enough loose objects that git finds it worth packing them.
    const input = Array.from({ length: 7_000 }, (_, n) => `blob\ndata ${String(n).length}\n${n}\n`);
    const env = { ...process.env, GIT_DIR: mirror };
    const unpack = ['-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet'];
    execFileSync('git', unpack, { env, input: input.join('') });
    const at = { folder: world.folder, remoteOf: () => Promise.reject(new Error('no line')) };
    const now = systemClock.now();
    expect(await sweepGit({ ...at, clock: systemClock })).toMatchObject({ worktrees: [] });
    const later = { ...systemClock, now: () => now + 2 * DAY_MS };
    const used = await openIn(world);
    const soon = new Date(now + 2 * DAY_MS);
    writeFileSync(join(used.folder, 'new'), '');
    utimesSync(join(used.folder, 'new'), soon, soon);
    const swept = await sweepGit({ ...at, clock: later });
    expect(swept).toEqual({ worktrees: [stale.folder.split('/').at(-1)], mirrors: 1 });
    expect((await world.git.worktrees()).map(({ folder }) => folder)).toEqual([used.folder]);
    expect(await (await world.git.read(world.ref, world.baseSha)).file('README.md')).toBe(
      '# Widgets\n',
    );
    expect((await diskUsage(world.folder)).map(({ path }) => path)).toEqual([mirror]);
  },
);
