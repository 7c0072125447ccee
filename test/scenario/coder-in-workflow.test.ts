/** `QUORUM_CODER=actions`: the App dispatches, a workflow writes the code, the App tests, pushes and opens the pull request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sayTask } from '../helpers/a-plan-story.ts';
import { aDispatchedWorld } from '../helpers/a-dispatched-run.ts';
import { told } from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

beforeAll(() => buildForTests(['code']));
afterAll(dropBuild);

describe.skipIf(noBwrap !== undefined)('a task whose code is written in a workflow', () => {
  test('becomes a pull request from the change in the artifact', async () => {
    const world = await aDispatchedWorld();
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    const jobs = await world.play(run);
    expect([jobs.map(({ conclusion }) => conclusion), told(jobs)]).toEqual([
      ['success'],
      expect.anything(),
    ]);
    await world.idle();
    const [pull] = await world.pulls();
    expect(pull?.title).toBe(`A function that says goodbye (#${plan}, task 1)`);
    expect(world.dispatches()).toHaveLength(1);
    expect(world.openApi.violations).toEqual([]);
  });
});
