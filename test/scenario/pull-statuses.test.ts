/** A private repository whose base branch requires a commit status, which an App reads only with a permission of its own. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { expectAllWell, reviewsOf } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

/** A task that lacks nothing but the status. */
async function aTask(prepare: (world: PlanWorld) => void): Promise<PlanWorld> {
  const world = await aPlanWorld();
  const repository = world.emulator.repository(REPO);
  repository.private = true;
  const rules = { checks: [{ context: 'legacy' }], isStrict: false, hasQueue: false };
  repository.rules = new Map([['main', { from: 'protection', ...rules }]]);
  prepare(world);
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
  await world.idle();
  return world;
}

async function report(world: PlanWorld): Promise<void> {
  const [pull] = await world.pulls();
  const status = { state: 'success', context: 'legacy' };
  const at = `/repos/${REPO}/statuses/${pull?.head.sha ?? ''}`;
  await world.emulator.as('tom').request('POST', at, status);
  // Quorum gets no event for a status. The label triggers its look.
  await world.emulator.as('ana').label(REPO, PULL, ['look']);
  await world.idle();
}

async function mergeCheck(world: PlanWorld): Promise<string> {
  const { checks } = await reviewsOf(world, PULL);
  return checks.find(({ name }) => name === 'quorum / merge')?.output.summary ?? '';
}

async function isMerged(world: PlanWorld): Promise<boolean> {
  return (await world.pulls()).every(({ merged_at: at }) => at !== null);
}

describe.skipIf(noBwrap !== undefined)('a required status', () => {
  verifies(['TG-6', 'GIT-03'], 'is waited for, and lets the head be merged', async () => {
    const world = await aTask(() => undefined);
    expect(await mergeCheck(world)).toMatch(/^- the required check `legacy` \(missing\)\n\nVotes/);
    await report(world);
    expect(await isMerged(world)).toBe(true);
    await expectAllWell(world);
  });

  verifies(['TG-6', 'GIT-03'], 'that may not be read merges nothing, and is reported', async () => {
    const world = await aTask(({ emulator, installationId }) => {
      const { statuses: _, ...others } = emulator.installation(installationId).permissions;
      emulator.setPermissions(installationId, others);
    });
    await report(world);
    expect(await isMerged(world)).toBe(false);
    expect(await mergeCheck(world)).toMatch(/`legacy` \(.*permission `statuses: read`/);
    await expectAllWell(world);
  });
});
