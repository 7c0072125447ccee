/** Two plans of one repository that may work on one task at a time: each pull request is merged before the next is begun. */
import { describe, expect } from 'vitest';
import { aPlanWorld, sayTask } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { verifies } from '../verifies.ts';

const SETTINGS = 'merge:\n  mode: auto\naccess:\n  maxConcurrentThreads: 1\n';

describe.skipIf(noBwrap !== undefined)('two plans with one place between them', () => {
  verifies(
    'TG-4',
    'are worked through one task after the other, the one that is nearer to its end first',
    async () => {
      const world = await aPlanWorld(SETTINGS);
      const first = await world.plan([
        sayTask(1, 'goodbye'),
        sayTask(2, 'welcome', { dependencies: [1] }),
      ]);
      await world.idle();
      const second = await world.plan([sayTask(1, 'thanks')]);
      await world.idle();
      const open = await world.pulls();
      expect(open).toHaveLength(1);
      const waits = (await world.tell(second)).comments.at(-1);
      expect(waits).toContain('| 1 | waits |');
      expect(waits).toContain('for a place: one task is worked on at once here');
      expect(await world.body(second)).not.toContain('claimed');
      const titles: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const [pull, ...others] = (await world.pulls()).filter(({ merged_at: at }) => at === null);
        if (pull === undefined) throw new Error('nothing is worked on');
        expect(others).toEqual([]);
        titles.push(pull.title);
        await world.emulator.as('tom').comment(REPO, pull.number, '/pm approve');
        await world.idle();
      }
      expect(titles.map((title) => /\(.*\)/.exec(title)?.[0])).toEqual([
        `(#${first}, task 1)`,
        `(#${first}, task 2)`,
        `(#${second}, task 1)`,
      ]);
      for (const number of [first, second])
        expect(await world.tell(number)).toMatchObject({ state: 'closed' });
      const told = await world.store.records.events({ limit: 500 });
      const word = told.find(({ data }) => data.kind === 'places-wanted');
      const kept = await world.store.load(word?.key ?? '');
      expect(kept?.state).toHaveProperty('plansAtWork', {});
      expect(world.openApi.violations).toEqual([]);
    },
  );
});
