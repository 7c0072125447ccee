/** The store and the whole folder of the App are lost in the middle of a plan: what GitHub has is enough to go on. */
import { mkdir, rm } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { aKilledApp, type KilledApp } from '../helpers/a-killed-app.ts';
import { reviewsOf } from '../helpers/a-pull.ts';
import { aPlanOf, CODER_ENV, planFiles, sayTask, withPlans } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { quorum } from '../hosts/cli/fake-io.ts';
import { verifies } from '../verifies.ts';

/** Against hangs only: the App is started five times. */
const GUARD = { timeout: 600_000 };
const SETTINGS = 'review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n';

/** The command, where the App runs. */
async function rebuild(
  { world, dir }: KilledApp,
  ...flags: string[]
): Promise<{ plans: { tasks: { task: number; lost?: object }[] }[] }> {
  const env = { ...world.appEnv, QUORUM_DATA: dir };
  const said = await quorum(['rebuild', '--json', ...flags], { env });
  expect([said.code, said.err]).toEqual([0, '']);
  return said.json() as Awaited<ReturnType<typeof rebuild>>;
}

describe.skipIf(noBwrap !== undefined)(
  'a plan whose App lost everything that it knew',
  GUARD,
  () => {
    verifies('DUR-08', 'is found by the name that its repository gave to the label', async () => {
      const app = await aKilledApp(planFiles('labels:\n  plan: epic\n'), { env: CODER_ENV });
      const ana = app.world.emulator.as('ana');
      const body = aPlanOf([sayTask(1, 'goodbye')]);
      const { number } = await ana.openIssue(REPO, { title: '[PLAN] More', body });
      await ana.label(REPO, number, ['epic']);
      expect((await rebuild(app, '--dry-run')).plans).toMatchObject([{ issue: number }]);
    });

    verifies(
      ['DUR-08', 'TG-4'],
      'is finished after a rebuild: nothing is merged, opened, reviewed or said twice',
      async () => {
        const app = await aKilledApp(planFiles(SETTINGS), { env: CODER_ENV });
        const world = withPlans(app.world);
        const ana = world.emulator.as('ana');
        const tom = world.emulator.as('tom');
        await app.runToRest(() =>
          world.plan([
            sayTask(1, 'goodbye'),
            sayTask(2, 'welcome'),
            sayTask(3, 'thanks', { dependencies: [1] }),
          ]),
        );
        const first = await world.pulls();
        const pullOf = (task: number): number =>
          first.find(({ title }) => title.endsWith(`task ${task})`))?.number ?? 0;
        // The first is merged; the third is claimed and written when everything ends.
        const dying = app.startUntil({ kind: 'code', nth: 1, point: 'after-effect' });
        await dying;
        await tom.comment(REPO, pullOf(1), '/pm approve');
        await app.killed();
        expect(await world.body(1)).toMatch(
          /completed \(#\d\)[^]*in_progress \(#\d\)[^]*\*\*Status:\*\* claimed/,
        );
        const headBefore = first.find(({ number }) => number === pullOf(2))?.head.sha;
        await rm(app.dir, { recursive: true });
        await mkdir(app.dir);
        const dry = await rebuild(app, '--dry-run');
        const lost = dry.plans.flatMap(({ tasks }) =>
          tasks.filter((each) => each.lost !== undefined),
        );
        expect(lost.map(({ task }) => task)).toEqual([2, 3]);
        const held = () => leasesOf(world).filter(({ isReleased }) => !isReleased).length;
        expect(held()).toBe(2);
        await rebuild(app);
        expect(held()).toBe(0);
        // The plan is shown again first: an approval is of what was shown.
        await app.runToRest(() => Promise.resolve());
        await app.runToRest(() => ana.comment(REPO, 1, '/pm approve'));
        const second = await world.pulls();
        expect(second).toHaveLength(3);
        expect(second.find(({ number }) => number === pullOf(2))?.head.sha).toBe(headBefore);
        await app.runToRest(async () => {
          for (const { number, merged_at: at } of second)
            if (at === null) await tom.comment(REPO, number, '/pm approve');
        });
        const all = await world.pulls();
        expect(all.map(({ merged_at: at }) => at !== null)).toEqual([true, true, true]);
        for (const { number } of all) {
          const { checks, reviews } = await reviewsOf(app.world, number);
          const names = checks.map(({ name }) => name);
          expect([new Set(names).size, reviews.length]).toEqual([names.length, 0]);
        }
        const told = await world.tell(1);
        expect(told).toMatchObject({ state: 'closed', labels: ['plan', 'plan:complete'] });
        expect(told.comments.filter((body) => body.startsWith('### Plan: '))).toHaveLength(1);
        expect(told.comments.at(-1)).toMatch(/All 3 tasks are merged[^]*Task 1: #\d, merged as/);
        expect(await world.body(1)).toContain('- [x] All tasks completed');
      },
    );
  },
);
