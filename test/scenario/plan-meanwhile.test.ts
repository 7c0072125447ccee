/**
 * What people and crashes do to a plan while Quorum works on it: nothing unwanted is pushed, and
 * nothing stalls for ever.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { aPlanOf, aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { createJumpClock } from '../helpers/a-jump-clock.ts';
import { REPO } from '../helpers/a-world.ts';
import { moveBranch, tipOf } from '../helpers/commits.ts';
import { loseStore } from '../helpers/lose-store.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf, expireLeases, leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';

async function rewrite(world: PlanWorld, change: (body: string) => string): Promise<void> {
  const body = change(await world.body(1));
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/issues/1`, { body });
  await world.idle();
}

/** A task is held, and what it works in comes slowly. */
async function aHeldTask(): Promise<PlanWorld> {
  const world = await aPlanWorld();
  const slow = { kind: 'latency', ms: 4_000 } as const;
  world.emulator.faults.add({ path: /git-upload-pack/, fault: slow });
  await world.plan([sayTask(1, 'goodbye')]);
  for (let looks = 0; looks < 600 && leasesOf(world).length === 0; looks += 1) await wait(50);
  return world;
}

/** In words, so that the diff that the task carries stays what it was. */
function reworded(body: string): string {
  return body.replace('Add `goodbye(name)`.', 'Add `goodbye(name)`, please.');
}

describe.skipIf(noBwrap !== undefined)('a task', () => {
  verifies(
    [
      'TG-4',
      'CB-4',
      'CFG-07: text changed once it is published',
      'CFG-07: lease is free',
      'CFG-07: new approval',
    ],
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
      await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
      await world.emulator.as('tom').comment(REPO, 1, '/pm run 1');
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(await tipOf(world, BRANCH)).not.toBe(before);
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
      // The person who approved the text asked for the work, and cannot approve the result too.
      await world.emulator.as('ana').comment(REPO, 2, '/pm approve');
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
      expect((await world.tell(1)).comments[0]).toContain('The plan changed after its approval.');
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
      await world.emulator.as('eve').openIssue(REPO, { title: '[PLAN] More', body });
      await world.emulator.as('ana').label(REPO, 1, ['plan']);
      await world.idle();
      const after = await world.body(1);
      expect(after).toContain('**Status:** pending (dev does not hold it any more)');
      expect(after).toContain('**Status:** pending (maya does not hold it any more)');
      expect(after).toContain('**Status:** claimed\n**Assignee:** tom');
    },
  );

  verifies(
    ['TG-3', 'TG-4'],
    'whose dependencies others turn into a circle is stopped with the reason, and continues when the plan is fixed',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks', { dependencies: [1] })]);
      await world.idle();
      const first = '**Dependencies:** none';
      await rewrite(world, (body) => body.replace(first, '**Dependencies:** Task 2'));
      expect(leasesOf(world)).toMatchObject([{ isReleased: true, fences: [1] }]);
      const told = await world.tell(1);
      expect(told.labels).toContain('plan:blocked');
      expect(told.comments[0]).toContain('Tasks wait for each other in a circle: 1 → 2 → 1.');
      expect(told.comments[0]).toMatch(/\| 1 \| given back \|.*the plan has errors/);
      await rewrite(world, (body) => body.replace('**Dependencies:** Task 2', first));
      await world.emulator.as('tom').comment(REPO, 1, '/pm run 1');
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
      expect(await world.pulls()).toHaveLength(1);
    },
  );

  verifies(
    ['TG-4', 'CB-4'],
    'that gets another one’s number is given back with it, and neither is held under the wrong number',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks')]);
      await world.idle();
      const swap = (body: string): string =>
        body
          .replace('### Task 1:', '### Task 9:')
          .replace('### Task 2:', '### Task 1:')
          .replace('### Task 9:', '### Task 2:');
      await rewrite(world, swap);
      expect(leasesOf(world)).toMatchObject([{ isReleased: true }, { isReleased: true }]);
      // What was said under the old numbers is taken back by the next look.
      await world.emulator.as('tom').comment(REPO, 1, '/pm approve');
      await world.idle();
      const after = await world.body(1);
      expect(after).not.toContain('claimed');
      expect(after.match(/\*\*Status:\*\* pending/g)).toHaveLength(2);
    },
  );

  verifies(
    ['TG-4', 'CFG-06'],
    'goes by the statuses that people set in the text: blocked, let go again, completed, and nothing that is no step',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'thanks', { dependencies: [1] })]);
      await world.idle();
      const says = (from: string, to: string) =>
        rewrite(world, (body) => body.replace(`**Status:** ${from}`, `**Status:** ${to}`));
      await says('in_progress (#2)', 'blocked (ask legal)');
      expect(await world.body(1)).toContain('**Status:** blocked (ask legal)\n');
      expect(leasesOf(world)).toMatchObject([{ isReleased: true, fences: [1] }]);
      await rewrite(world, (body) =>
        body
          .replace('**Status:** blocked (ask legal)', '**Status:** completed')
          .replace('Add `thanks(name)`.', 'Add `thanks(name)` too.'),
      );
      const put = await world.body(1);
      expect(put).toContain('**Status:** blocked (ask legal)\n');
      expect(put).toContain('Add `thanks(name)` too.');
      expect((await world.tell(1)).comments[0]).toContain(
        '- Task 1: `ana` set it to `completed`. Quorum reset it to `blocked`, because `completed` does not follow `blocked`.',
      );
      await rewrite(world, (body) => body.replace('`thanks(name)` too.', '`thanks(name)`.'));
      await says('blocked (ask legal)', 'pending');
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
      await says('in_progress (#2)', 'completed');
      const [one, two] = leasesOf(world);
      expect([one, two]).toMatchObject([{ isReleased: true }, { isReleased: false }]);
      expect(await world.body(1)).toContain('**Status:** in_progress (#3)');
    },
  );

  verifies(
    [
      'TG-4',
      'CB-4',
      'CFG-07: text changed between claim and work',
      'CFG-07: lease is free',
      'INJ-08: task edited between claim and work',
    ],
    'whose text is changed while it is written is given back, and nothing is pushed',
    async () => {
      const world = await aHeldTask();
      await rewrite(world, reworded);
      expect(leasesOf(world)).toMatchObject([{ isReleased: true, fences: [1] }]);
      expect(await world.body(1)).toContain('**Status:** pending');
      expect([await world.pulls(), await branchesOf(world)]).toEqual([[], ['main']]);
    },
  );

  verifies(
    'TG-4',
    'whose hold runs out while it is written and proved has it back, and goes on',
    async () => {
      const world = await aHeldTask();
      expireLeases(world);
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1] }]);
      expect(await world.pulls()).toHaveLength(1);
    },
  );

  verifies(
    'CB-5',
    'that finds no room on the disk waits until others have ended, and is no person’s to look at',
    async () => {
      const clock = createJumpClock();
      // Of the operator's limit for all: the worktree that is in the way is another installation's.
      const world = await aPlanWorld(undefined, { clock, env: { QUORUM_MAX_DISK_MB: '10' } });
      const other = path.join(world.appEnv['QUORUM_DATA'] ?? '', 'work/worktrees/other');
      await mkdir(other, { recursive: true });
      await writeFile(path.join(other, 'build'), Buffer.alloc(12_000_000, 1));
      await world.plan([sayTask(1, 'goodbye')]);
      const waits = async (): Promise<boolean> =>
        (await world.store.records.effects({ status: 'pending', limit: 50 })).some(
          ({ data, reason }) => data.kind === 'code' && reason?.startsWith('disk-full') === true,
        );
      for (let looks = 0; looks < 600 && !(await waits()); looks += 1) await wait(50);
      expect(await world.body(1)).toContain('**Status:** claimed');
      await rm(other, { recursive: true });
      clock.jump(7 * 60_000);
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1] }]);
    },
  );

  verifies(
    'GIT-10',
    'whose store is lost is taken up again after a new yes, on its own branch and pull request',
    async () => {
      const world = await aPlanWorld();
      await world.plan([sayTask(1, 'goodbye')]);
      await world.idle();
      const before = await tipOf(world, BRANCH);
      await loseStore(world);
      // Its author's label is the new approval. The rediscovered change is made again as before,
      // and proved again.
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect(await tipOf(world, BRANCH)).toBe(before);
      expect(leasesOf(world)).toMatchObject([{ isReleased: false, fences: [1, 2] }]);
      expect(await world.pulls()).toHaveLength(1);
    },
  );
});
