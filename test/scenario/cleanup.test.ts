/**
 * `quorum cleanup` on what a plan's work left: it lists first, removes after confirmation, and
 * spares whatever is in use.
 */
import { mkdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { tipOf } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf, leasesOf, worktreesOf } from '../helpers/what-is-left.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';

const DAY_MS = 24 * 3_600_000;

describe.skipIf(noBwrap !== undefined)('quorum cleanup', () => {
  verifies(
    ['CB-5'],
    'lists old worktrees and expired leases except those of open pull requests, and after confirmation removes them and nothing else',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks', { dependencies: [1] })]);
      await world.idle();
      const data = path.join(world.dir, 'data');
      const folders = path.join(data, 'work/worktrees');
      for (const name of ['old', 'young']) mkdirSync(path.join(folders, name), { recursive: true });
      const long = new Date(systemClock.now() - 40 * DAY_MS);
      utimesSync(path.join(folders, 'old'), long, long);
      await expire(world);
      const before = await branchesOf(world);
      const told = await quorum(['cleanup', '--json'], { env: world.appEnv });
      expect([told.code, told.err]).toEqual([0, '']);
      expect(told.json()).toMatchObject({
        removed: false,
        worktrees: [{ name: 'old' }],
        leases: [{ ref: 'refs/quorum/leases/1-2', holder: 'gone/run' }],
      });
      expect(await worktreesOf(data)).toEqual(['old', 'young']);
      const done = await quorum(['cleanup', '--yes'], { env: world.appEnv });
      expect(done.out).toContain('worktree old (no branch), idle for 40 days: removed');
      expect(done.out).toContain('held by gone/run');
      expect(await worktreesOf(data)).toEqual(['young']);
      expect(leasesOf(world)).toMatchObject([{ isReleased: false }, { isReleased: true }]);
      expect(await branchesOf(world)).toEqual(before);
    },
  );
});

/**
 * A lease on the second task, of somebody who never returned. The App is stopped, because it would
 * clean the lease up.
 */
async function expire(world: Awaited<ReturnType<typeof aPlanWorld>>): Promise<void> {
  const { emulator, appEnv, appId, installationId } = world;
  await world.stopApp();
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey: appEnv['PRIVATE_KEY'] ?? '' },
    baseUrl: `http://${emulator.host}/api/v3`,
    budgets: 'off',
    markerSecret: 'any',
    clock: systemClock,
    random: systemRandom,
  });
  const [owner = '', repo = ''] = REPO.split('/');
  const { id: repositoryId } = emulator.repository(REPO);
  const expiresAt = systemClock.now() - DAY_MS;
  const repository = { installationId, repositoryId, owner, repo };
  const { leases } = github.at(repository);
  const baseSha = await tipOf(world);
  // The first waits for people, longer than its hold lasts.
  const reviewed = { repository, ref: 'refs/quorum/leases/1-1', baseSha };
  const held = await leases.read(reviewed);
  if (held?.lease === undefined) throw new Error('nobody holds the first task');
  await leases.move(reviewed, held.sha, { ...held.lease, expiresAt });
  await leases.create(
    { repository, ref: 'refs/quorum/leases/1-2', baseSha },
    {
      issue: 1,
      task: 2,
      holder: 'gone/run',
      digest: 'd',
      fence: 1,
      issuedAt: expiresAt - DAY_MS,
      expiresAt,
      isReleased: false,
    },
  );
}
