/** Plans on projects of three languages: their own tests decide, with what they depend on, in the sandbox. */
import { describe, expect } from 'vitest';
import {
  aProjectWorld,
  badTask,
  goodTask,
  REAL_PROJECTS,
  testsAt,
} from '../helpers/a-real-project.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

for (const project of REAL_PROJECTS)
  describe.skipIf((noBwrap ?? project.missing) !== undefined)(`a plan for ${project.title}`, () => {
    verifies(
      ['TG-5'],
      'merges what its tests hold for, and stops what breaks one at gate 2',
      async () => {
        const world = await aProjectWorld(project.files());
        const number = await world.plan([goodTask(1, project), badTask(2, project)]);
        await world.idle();
        const [pull, ...others] = await world.pulls();
        expect(others).toEqual([]);
        expect(pull?.title).toBe(`Say goodbye (#${number}, task 1)`);
        expect(await testsAt(world, pull?.head.sha ?? '')).toContain(
          project.says.good.replaceAll('`', ''),
        );
        expect((await world.tell(number)).comments[0]).toContain(project.says.bad);
        expect(await world.body(number)).toContain('**Status:** blocked (');
        await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
        await world.idle();
        expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
      },
    );
  });
