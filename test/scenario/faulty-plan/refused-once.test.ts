/** One call of a plan's run is refused, and not the next time: the run ends as it should. */
import { describe, expect } from 'vitest';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { verifies } from '../../verifies.ts';
import { aPatientWorld, expectEnd, ONE_TASK, SLOW_MS, workThrough } from './faulty-plan.ts';

/** By copies of GitHub that lag behind the others. */
const REFUSED_ONCE: Record<string, [method: string, path: RegExp, status: number][]> = {
  'one effect is refused twice, each time elsewhere,': [
    ['POST', /\/git-receive-pack$/, 401],
    ['POST', /\/repos\/[^/]+\/[^/]+\/pulls$/, 403],
  ],
  'a hold is not seen': [['GET', /\/git\/ref\/quorum%2Fleases/, 404]],
  'a comparison is not seen': [['GET', /\/compare\//, 404]],
  'a hold is not taken': [['POST', /\/git\/refs$/, 422]],
};

describe.skipIf(noBwrap !== undefined)("a plan's run", { timeout: SLOW_MS }, () => {
  for (const [what, refusals] of Object.entries(REFUSED_ONCE))
    verifies(
      ['P2', 'TG-22'],
      `in which ${what} merges its task once and leaves nothing`,
      async () => {
        const world = await aPatientWorld();
        const { faults } = world.emulator;
        for (const [method, path, status] of refusals)
          faults.add({ method, path, fault: { kind: 'status', status, body: {} } });
        await workThrough(world, 0, ONE_TASK);
        expect(faults.hits()).toEqual(refusals.map(() => 1));
        faults.clear();
        await expectEnd(world, 0, ONE_TASK);
      },
    );
});
