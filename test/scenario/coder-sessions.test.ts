/** A repository whose Coder has one session in an hour: the second task waits for it, and goes on by itself. */
import { describe, expect, test } from 'vitest';
import { CODER_ENV, planFiles, sayTask, withPlans } from '../helpers/a-plan-story.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

const MINUTE = 60_000;
const SETTINGS = 'merge:\n  mode: auto\naccess:\n  codeRunsPerHour: 1\n';

describe.skipIf(noBwrap !== undefined)('a plan of two tasks', () => {
  test('of which one may be written in an hour says when the other goes on, and goes on then', async () => {
    const world = await aLeapWorld({ env: CODER_ENV, files: planFiles(SETTINGS) });
    const plans = withPlans(world);
    const number = await plans.plan([sayTask(1, 'goodbye'), sayTask(2, 'welcome')]);
    await world.pass(5 * MINUTE);
    expect(await plans.pulls()).toHaveLength(1);
    const { comments } = await world.tell(number);
    const waits = /the next may begin at (\d\d:\d\d) UTC/.exec(comments.at(-1) ?? '')?.[1];
    expect(waits).toBeDefined();
    await world.pass(45 * MINUTE);
    expect(await plans.pulls()).toHaveLength(1);
    const later = await world.tell(number);
    expect(later.comments).toHaveLength(comments.length);
    expect(later.comments.at(-1)).toContain(`the next may begin at ${waits} UTC`);
    await world.pass(20 * MINUTE);
    expect(await plans.pulls()).toHaveLength(2);
    expect(world.openApi.violations).toEqual([]);
  });
});
