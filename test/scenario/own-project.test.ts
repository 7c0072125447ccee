/** A plan on this project's own repository: thousands of lines, its whole history, its dependencies installed, its own tests. */
import { describe, expect } from 'vitest';
import { withPlans, CODER_ENV } from '../helpers/a-plan-story.ts';
import { badTask, goodTask, testsAt } from '../helpers/a-real-project.ts';
import { aWorld, REPO } from '../helpers/a-world.ts';
import { moveBranch, writeCommit } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { OWN_PROJECT, takeOwnHead } from '../helpers/own-project.ts';
import { OWN_SETTINGS } from '../helpers/own-settings.ts';
import { verifies } from '../verifies.ts';

describe.skipIf((noBwrap ?? OWN_PROJECT.missing) !== undefined)(
  'a clone of this repository',
  () => {
    verifies(['TG-5', 'CB-5'], 'has one task merged and one stopped by its own tests', async () => {
      const world = withPlans(await aWorld({ env: CODER_ENV }));
      const { gitDir } = world.emulator.repository(REPO);
      const parent = takeOwnHead(gitDir);
      const sha = writeCommit(gitDir, { parent, changes: { '.github/quorum.yml': OWN_SETTINGS } });
      await moveBranch(world, 'main', { sha });
      await world.idle();
      const number = await world.plan([goodTask(1, OWN_PROJECT), badTask(2, OWN_PROJECT)]);
      await world.idle();
      const { comments } = await world.tell(number);
      expect(comments[0]).toContain(OWN_PROJECT.says.bad);
      const [pull, ...others] = await world.pulls();
      expect(others).toEqual([]);
      const gate = await testsAt(world, pull?.head.sha ?? '');
      expect(gate).toContain(OWN_PROJECT.says.good.replaceAll('`', ''));
      await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
      await world.idle();
      expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
    });
  },
);
