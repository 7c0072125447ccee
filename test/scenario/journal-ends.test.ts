/** However a plan ends, the journal on the memory branch is what `quorum journal` makes of the same events. */
import { describe, expect, test } from 'vitest';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { quorum } from '../hosts/cli/fake-io.ts';

const PULL = 2;

type Deed = (world: PlanWorld, plan: number) => Promise<unknown>;

const says =
  (by: string, body: string): Deed =>
  (world, plan) =>
    world.emulator.as(by).comment(REPO, plan, body);
const sets =
  (what: 'issues' | 'pulls', state: string): Deed =>
  (world, plan) =>
    world.emulator
      .as('ana')
      .request('PATCH', `/repos/${REPO}/${what}/${what === 'pulls' ? PULL : plan}`, { state });
const approves: Deed = (world) => world.emulator.as('tom').comment(REPO, PULL, '/pm approve');

describe.skipIf(noBwrap !== undefined)('the journal of a plan', { timeout: 180_000 }, () => {
  test.each<[string, readonly Deed[]]>([
    ['that is complete', [approves]],
    ['that somebody closes by hand while a pull request is open', [sets('issues', 'closed')]],
    [
      'that somebody closes by hand, and whose pull request is closed afterwards',
      [sets('issues', 'closed'), sets('pulls', 'closed')],
    ],
    [
      'that somebody says is done after its pull request was closed',
      [sets('pulls', 'closed'), says('ana', '/pm done')],
    ],
    ['that is stopped and done', [says('ana', '/pm stop'), says('ana', '/pm done')]],
    ['that is closed and opened again', [sets('issues', 'closed'), sets('issues', 'open')]],
    ['that was complete and is spoken of', [approves, says('ana', '/pm remember We like cats')]],
  ])('%s is on the memory branch as it is printed', async (_, deeds) => {
    const world = await aPlanWorld();
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    for (const deed of deeds) {
      await deed(world, plan);
      await world.idle();
    }
    const env = { QUORUM_DATA: world.appEnv['QUORUM_DATA'] ?? '' };
    const { out } = await quorum(['journal', `${REPO}#${plan}`], { env });
    expect((await memoryOf(world))?.[`journal/${plan}.md`]).toBe(out);
    expect(world.openApi.violations).toEqual([]);
  });
});
