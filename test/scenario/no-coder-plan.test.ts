/** A host that writes code and has no coder: people learn it before they approve a plan that needs one. */
import { expect, test } from 'vitest';
import { wordTask } from '../helpers/a-coder-story.ts';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';

const VAIN = '**Nobody here can write these tasks**: this host has no Claude Code, or no model key';

test('a plan says so while it waits for approval, unless its tasks carry their changes', async () => {
  const world = await aPlanWorld();
  // The label of `ana` approves no text of somebody who may not write.
  const plans = [
    await world.plan([wordTask(1, 'goodbye')], 'eve'),
    await world.plan([wordTask(1, 'goodbye'), sayTask(2, 'thanks')], 'eve'),
  ];
  await world.idle();
  const said = await Promise.all(plans.map(async (number) => (await world.tell(number)).comments));
  for (const [comment] of said) expect(comment).toContain('**Waiting for approval**');
  expect(said.map(([comment]) => comment?.includes(VAIN))).toEqual([true, false]);
});
