/** People who give opposite commands at the same moment, in whatever order GitHub tells of them. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { aWorld, REPO } from '../helpers/a-world.ts';
import { anIssue } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

verifies(
  'CMD-11: pause and resume at once',
  'work is paused after any race in which the pause was written last, and goes on after every other one or stays paused',
  async () => {
    const world = await aWorld();
    const { emulator } = world;
    const { id } = emulator.repository(REPO);
    const [here, there] = [await anIssue(world), await anIssue(world)];
    const isPaused = async () =>
      ((await world.store.load(`repository:${id}`))?.state as { paused?: unknown } | undefined)
        ?.paused !== undefined;
    const race = fc.record({
      wasPaused: fc.boolean(),
      isPauseLast: fc.boolean(),
      isInOneThread: fc.boolean(),
      delays: fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })),
    });
    await fc.assert(
      fc.asyncProperty(race, async ({ wasPaused, isPauseLast, isInOneThread, delays }) => {
        await emulator.as('ana').comment(REPO, here, wasPaused ? '/pm pause' : '/pm resume');
        await world.idle();
        for (const ms of delays) {
          const fault = { kind: 'delay' as const, ms };
          emulator.faults.addHook({ event: 'issue_comment', action: 'created', fault });
        }
        const words = isPauseLast ? ['/pm resume', '/pm pause'] : ['/pm pause', '/pm resume'];
        for (const [at, body] of words.entries())
          await emulator.as('ana').comment(REPO, at === 0 || isInOneThread ? here : there, body);
        await world.idle();
        const after = await isPaused();
        expect(isPauseLast && !after).toBe(false);
      }),
      { numRuns: 100 },
    );
  },
);
