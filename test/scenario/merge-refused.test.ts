/**
 * A merge that GitHub refuses permanently: people can read why, and Quorum does not ask for it
 * again and again.
 */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

describe.skipIf(noBwrap !== undefined)('a merge that the App may not carry out', () => {
  verifies('GIT-10', 'is asked for twice, told to people, and then left for a while', async () => {
    const world = await aPlanWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    const body = { message: 'Resource not accessible by integration' };
    const fault = { kind: 'status', status: 403, body } as const;
    world.emulator.faults.add({ method: 'PUT', path: /\/merge$/, times: Infinity, fault });
    await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    await world.idle();
    const asked = world.emulator.requests.filter(({ path }) => path.endsWith('/merge'));
    expect(asked).toHaveLength(2);
    const { checkRuns } = world.emulator.repository(REPO);
    const shown = checkRuns.filter(({ name }) => name === 'quorum / merge').at(-1);
    expect(shown?.output.summary).toContain('merge failed: GitHub answered 403');
  });
});
