/** What people and crashes do to a plan while it is worked on: nothing is pushed that nobody wants, and nothing stands still for ever. */
import { describe, expect } from 'vitest';
import { aPlanOf, aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { moveBranch, tipOf } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';

async function rewrite(world: PlanWorld, change: (body: string) => string): Promise<void> {
  const body = change(await world.body(1));
  await world.sandbox.as('ana').request('PATCH', `/repos/${REPO}/issues/1`, { body });
  await world.idle();
}

/** In words, so that the diff that the task carries stays what it was. */
function reworded(body: string): string {
  return body.replace('Add `goodbye(name)`.', 'Add `goodbye(name)`, please.');
}

describe.skipIf(noBwrap !== undefined)('a task', () => {
  verifies(
    ['TG-4', 'CB-4'],
    'whose text is changed is given back, and after a new yes its branch and pull request are taken up again',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const before = await tipOf(world, BRANCH);
      await rewrite(world, reworded);
      expect(await world.body(1)).toContain(
        '**Status:** pending (given back by the plan: its text',
      );
      expect(leasesOf(world)).toMatchObject([{ isReleased: true, fences: [1] }]);
      expect(await tipOf(world, BRANCH)).toBe(before);
      await world.sandbox.as('tom').comment(REPO, 1, '/pm approve');
      await world.sandbox.as('tom').comment(REPO, 1, '/pm run 1');
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(await tipOf(world, BRANCH)).not.toBe(before);
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
      // Whoever said yes to the text asked for the work, and does not approve it too.
      await world.sandbox.as('ana').comment(REPO, 2, '/pm approve');
      await world.idle();
      expect((await world.pulls()).map(({ merged_at: at }) => at !== null)).toEqual([true]);
    },
  );

  verifies(
    ['TG-4', 'CB-4'],
    'that is taken out of its plan is stopped, and the rest goes on',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks')]);
      await world.idle();
      await rewrite(world, () => aPlanOf([sayTask(2, 'thanks')]));
      expect(leasesOf(world)).toMatchObject([{ isReleased: true }, { isReleased: false }]);
      expect((await world.tell(1)).comments[0]).toContain('It was changed since its approval.');
    },
  );

  verifies('GIT-10', 'whose branch somebody else made is left to people, at once', async () => {
    const world = await aPlanWorld();
    const sha = await tipOf(world);
    await moveBranch(world, BRANCH, { sha, by: 'tom' });
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
    expect(await world.body(1)).toMatch(
      /\*\*Status:\*\* blocked \(`quorum\/task-1-1-.*somebody else/,
    );
    expect([await tipOf(world, BRANCH), await world.pulls()]).toEqual([sha, []]);
  });

  verifies(
    ['TG-4', 'DUR-03'],
    'that a persona is said to hold while nobody does is given back with the reason; a person keeps theirs',
    async () => {
      const world = await aPlanWorld();
      const body = aPlanOf([sayTask(1, 'goodbye'), sayTask(2, 'thanks'), sayTask(3, 'welcome')])
        .replace('**Status:** pending\n**Assignee:**', '**Status:** claimed\n**Assignee:** dev')
        .replace(
          '**Status:** pending\n**Assignee:**',
          '**Status:** in_progress (half)\n**Assignee:** maya',
        )
        .replace('**Status:** pending\n**Assignee:**', '**Status:** claimed\n**Assignee:** tom');
      await world.sandbox.as('eve').openIssue(REPO, { title: '[PLAN] More', body });
      await world.sandbox.as('ana').label(REPO, 1, ['plan']);
      await world.idle();
      const after = await world.body(1);
      expect(after).toContain('**Status:** pending (dev does not hold it any more)');
      expect(after).toContain('**Status:** pending (maya does not hold it any more)');
      expect(after).toContain('**Status:** claimed\n**Assignee:** tom');
    },
  );
});
