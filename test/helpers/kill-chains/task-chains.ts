/** A plan of one task that carries its change. */
import { expect } from 'vitest';
import { sayTask, withPlans } from '../a-plan-story.ts';
import { checksOf, headOf } from '../a-pull.ts';
import { REPO } from '../a-world.ts';
import { openPullOf, pushTo } from '../commits.ts';
import { waitUntil } from '../wait-until.ts';
import { branchesOf, leasesOf, worktreesOf } from '../what-is-left.ts';
import { type Chain, isInReview, WORK } from './chain.ts';

export const TASK_CHAINS: readonly Chain[] = [
  {
    title: 'a task, from the yes to its pull request',
    kinds: ['claim', 'code', 'verify', 'publish'],
    ...WORK,
    act: ({ world }) => withPlans(world).plan([sayTask(1, 'goodbye')]),
    expectEnd: async (app) => {
      const at = withPlans(app.world);
      expect((await at.pulls()).map(({ number }) => number)).toEqual([2]);
      expect(await at.body(1)).toContain('**Status:** in_progress (#2)');
      expect(leasesOf(app.world)).toMatchObject([{ isReleased: false, fences: [1] }]);
      expect(await branchesOf(app.world)).toEqual([
        'main',
        'quorum/task-1-1-a-function-that-says-goodbye',
      ]);
      expect(await worktreesOf(app.dir)).toEqual([]);
    },
  },
  {
    title: 'a task, from the approval of its pull request to the end of its plan',
    kinds: ['look-merge', 'retest', 'merge', 'release', 'plan-edit', 'describe', 'write-journal'],
    ...WORK,
    before: ({ world }) => withPlans(world).plan([sayTask(1, 'goodbye')]),
    act: async ({ world }) => {
      await pushTo(world, { 'docs/new.md': 'The base moved.\n' }, { branch: 'main' });
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    },
    expectEnd: async (app) => {
      const { world } = app;
      const at = withPlans(world);
      const pulls = await at.pulls();
      expect(pulls.map(({ merged_at: merged }) => merged !== null)).toEqual([true]);
      const ends = pulls.map(
        ({ body }) => body.split('### How it ended\n\n- Merged as ').length - 1,
      );
      expect(ends).toEqual([1]);
      expect(await at.body(1)).toMatch(
        /\*\*Status:\*\* completed \(#2\)[^]*- \[x\] All tasks completed/,
      );
      const { state, labels, comments } = await world.tell(1);
      expect([state, labels, comments.length]).toEqual(['closed', ['plan', 'plan:complete'], 2]);
      expect(leasesOf(world)).toMatchObject([{ isReleased: true, fences: [1] }]);
      expect(await branchesOf(world)).toEqual(['main']);
      expect(await worktreesOf(app.dir)).toEqual([]);
      // The first commit, the one that moved the base, and one merge.
      const commits = await world.emulator.as('ana').request('GET', `/repos/${REPO}/commits`);
      expect(commits).toHaveLength(3);
    },
  },
  {
    title: 'a task in a merge queue, whose checks are reported',
    kinds: ['report-group'],
    ...WORK,
    before: ({ world }) => {
      const rules = { checks: [], isStrict: false, hasQueue: true, from: 'ruleset' as const };
      world.emulator.repository(REPO).rules = new Map([['main', rules]]);
      return withPlans(world).plan([sayTask(1, 'goodbye')]);
    },
    act: ({ world }) => world.emulator.as('tom').comment(REPO, 2, '/pm approve'),
    expectEnd: async ({ world, dir }) => {
      const { pull } = world.emulator.repository(REPO).threads.get(2) ?? {};
      const told = await checksOf(world, pull?.autoMerge?.group?.sha ?? '');
      const names = told.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const tests = told.find(({ name }) => name === 'quorum / gates');
      expect(tests?.conclusion).toBe('success');
      expect(await worktreesOf(dir)).toEqual([]);
    },
  },
  {
    title: 'the tests of a head that somebody allowed to be run',
    kinds: ['test-head'],
    ...WORK,
    before: ({ world }) => openPullOf(world, { 'src/more.js': 'export const more = 1;\n' }),
    act: async ({ world }) =>
      world.emulator.as('ana').comment(REPO, 1, `/pm ok-to-run ${await headOf(world, 1)}`),
    expectEnd: async ({ world, dir }) => {
      const told = await checksOf(world, await headOf(world, 1));
      const tests = told.filter(({ name }) => name === 'quorum / tests');
      expect(tests.map(({ conclusion }) => conclusion)).toEqual(['success']);
      expect(await worktreesOf(dir)).toEqual([]);
    },
  },
  {
    title: 'the end of a plan whose pull request somebody closed',
    kinds: ['drop-branch'],
    ...WORK,
    before: async ({ world }) => {
      const at = withPlans(world);
      await at.plan([sayTask(1, 'goodbye')]);
      await waitUntil(() => isInReview(world));
      await world.emulator
        .as('ana')
        .request('PATCH', `/repos/${REPO}/pulls/2`, { state: 'closed' });
    },
    act: ({ world }) => world.emulator.as('ana').comment(REPO, 1, '/pm done'),
    expectEnd: async ({ world }) => {
      expect((await world.tell(1)).state).toBe('closed');
      expect(await branchesOf(world)).toEqual(['main']);
    },
  },
];
