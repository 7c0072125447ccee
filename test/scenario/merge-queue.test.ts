/** A repository that merges through a queue: the team puts its heads in, and the queue decides. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { checksOf, expectAllWell } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;

async function mergeCheck(world: PlanWorld): Promise<string> {
  const [pull] = await world.pulls();
  const checks = await checksOf(world, pull?.head.sha ?? '');
  const { output } = checks.find(({ name }) => name === 'quorum / merge') ?? {};
  return `${output?.title ?? ''}\n${output?.summary ?? ''}`;
}

async function planComment(world: PlanWorld): Promise<string> {
  const { comments } = await world.tell(1);
  return comments.find((body) => body.startsWith('### Plan: ')) ?? '';
}

/** A task whose pull request was approved, and stands in the queue. */
async function aQueuedTask(): Promise<PlanWorld> {
  const world = await aPlanWorld();
  const rules = { checks: [], isStrict: false, hasQueue: true };
  world.sandbox.repository(REPO).rules = new Map([['main', { from: 'ruleset', ...rules }]]);
  await world.plan([sayTask(1, 'goodbye')]);
  await world.idle();
  await world.sandbox.as('tom').comment(REPO, PULL, '/pm approve');
  await world.idle();
  expect(await mergeCheck(world)).toContain('It is in the repository’s merge queue');
  expect((await world.pulls()).map(({ merged_at: at }) => at)).toEqual([null]);
  expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
  return world;
}

describe.skipIf(noBwrap !== undefined)('a task in a merge queue', { timeout: 120_000 }, () => {
  verifies('TG-6', 'is completed when the queue has merged it', async () => {
    const world = await aQueuedTask();
    await world.sandbox.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    expect(await world.tell(1)).toMatchObject({
      state: 'closed',
      labels: ['plan', 'plan:complete'],
    });
    expect((await world.tell(1)).comments.at(-1)).toMatch(/Task 1: #2, merged as/);
    expect(await branchesOf(world)).toEqual(['main']);
    await expectAllWell(world);
  });

  verifies('TG-6', 'that is thrown out waits for a person, who puts it in again', async () => {
    const world = await aQueuedTask();
    await world.sandbox.endQueue(REPO, { number: PULL, thrownOut: 'CI_FAILURE' });
    await world.idle();
    const words = 'the repository’s merge queue gave it back: `/pm merge` puts it in again';
    expect(await mergeCheck(world)).toContain(words);
    expect(await planComment(world)).toContain(words);
    expect(world.sandbox.repository(REPO).threads.get(PULL)?.pull?.autoMerge).toBeUndefined();
    await world.sandbox.as('tom').comment(REPO, PULL, '/pm merge');
    await world.idle();
    expect(await mergeCheck(world)).toContain('It is in the repository’s merge queue');
    expect(await planComment(world)).not.toContain(words);
    await world.sandbox.endQueue(REPO, { number: PULL });
    await world.idle();
    expect(await world.body(1)).toContain('**Status:** completed (#2)');
    await expectAllWell(world);
  });
});
