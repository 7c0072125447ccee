/** The App loses everything that it knew, and its folders on this machine with it. */
import { rm } from 'node:fs/promises';
import type { PlanWorld } from './a-plan-story.ts';
import { REPO } from './a-world.ts';
import { expireLeases } from './what-is-left.ts';

/** Then the leases expire, and the plan's author applies the label again, which approves it again. */
export async function loseStore(world: PlanWorld, plan = 1): Promise<void> {
  await world.stopApp();
  await rm(world.appEnv['QUORUM_DATA'] ?? '', { recursive: true });
  expireLeases(world);
  await world.startApp();
  const ana = world.emulator.as('ana');
  await ana.request('DELETE', `/repos/${REPO}/issues/${plan}/labels/plan`);
  await ana.label(REPO, plan, ['plan']);
  await world.idle();
}
