/** The store is lost while a pull request waits, in a repository in which a persona has to agree: its check run tells. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { expectAllWell } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { loseStore } from '../helpers/lose-store.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;
const VOICE = 'quorum / review / carlos';
const SETTINGS =
  'merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n  requiredPersonas: [carlos]\n';

/** Of the App, whatever became of those under the same name. */
function checks(world: PlanWorld, name: string) {
  return world.emulator.repository(REPO).checkRuns.filter((run) => run.name === name);
}

/** Reviews of the pull request since the App was started last. */
async function reviews({ store }: PlanWorld): Promise<number> {
  const all = await store.records.effects({ limit: 1000 });
  return all.filter(({ data }) => data.kind === 'look-pull').length;
}

async function aReviewedTask(): Promise<PlanWorld> {
  const world = await aPlanWorld(SETTINGS);
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  expect(checks(world, VOICE).map(({ conclusion }) => conclusion)).toEqual(['success']);
  return world;
}

async function expectMerged(world: PlanWorld): Promise<void> {
  await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
  await world.idle();
  expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
  await expectAllWell(world);
}

describe.skipIf(noBwrap !== undefined)('a head that a persona agreed to', () => {
  verifies('DUR-08', 'is not reviewed again, and each of its checks appears once', async () => {
    const world = await aReviewedTask();
    await loseStore(world);
    expect(await reviews(world)).toBe(0);
    await expectMerged(world);
    const names = world.emulator
      .repository(REPO)
      .checkRuns.map((run) => `${run.name}@${run.headSha}`);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  verifies('DUR-08', 'is reviewed again by itself where its word is not there', async () => {
    const world = await aReviewedTask();
    for (const run of checks(world, VOICE)) run.conclusion = 'neutral';
    await loseStore(world);
    expect(await reviews(world)).toBeGreaterThan(0);
    await expectMerged(world);
  });

  verifies('DUR-08', 'is reviewed again where another App said so', async () => {
    const world = await aReviewedTask();
    const { appId } = await world.emulator.createApp({ name: 'Look-alike' });
    for (const run of checks(world, VOICE)) run.appId = appId;
    await loseStore(world);
    expect(await reviews(world)).toBeGreaterThan(0);
  });
});
