/** `/pm done` on a plan deletes the branches that its tasks left: ours, and nobody else's. */
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { say } from '../helpers/talking.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';

/** A plan whose only pull request somebody closed without merging it. */
async function aClosedPull(): Promise<PlanWorld> {
  const world = await aPlanWorld();
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/pulls/2`, { state: 'closed' });
  await world.idle();
  expect(await branchesOf(world)).toEqual(['main', BRANCH]);
  return world;
}

describe.skipIf(noBwrap !== undefined)('/pm done on a plan', () => {
  verifies('TG-9', 'deletes the branch of a task that was not merged, and says so', async () => {
    const world = await aClosedPull();
    const told = await say(world, 1, '/pm done');
    expect(told.state).toBe('closed');
    expect(told.answers[0]).toContain('Branches of tasks that were not merged are deleted');
    expect(await branchesOf(world)).toEqual(['main']);
    const undone = await say(world, 1, '/pm undo');
    expect(undone.answers.join('')).not.toContain('Undone');
    expect(world.openApi.violations).toEqual([]);
  });

  test('leaves a branch alone to which somebody else pushed', async () => {
    const world = await aClosedPull();
    await pushTo(world, { 'docs/mine.md': 'My own work.\n' }, { branch: BRANCH });
    await say(world, 1, '/pm done');
    expect(await branchesOf(world)).toEqual(['main', BRANCH]);
  });

  test('leaves a branch alone that somebody opened a pull request of', async () => {
    const world = await aClosedPull();
    const pull = { title: 'All the same', head: BRANCH, base: 'main' };
    await world.emulator.as('ana').openPull(REPO, pull);
    await world.idle();
    await say(world, 1, '/pm done');
    expect(await branchesOf(world)).toEqual(['main', BRANCH]);
    expect((await world.pulls()).map(({ number }) => number)).toHaveLength(2);
  });
});
