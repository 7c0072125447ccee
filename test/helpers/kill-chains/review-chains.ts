/** Reviews of pull requests, what they teach, and what people say of them. */
import { expect } from 'vitest';
import { headOf, reviewsOf } from '../a-pull.ts';
import { REPO } from '../a-world.ts';
import { openPullOf, pushTo } from '../commits.ts';
import { tallyIn } from '../left-in-store.ts';
import { memoryOf } from '../memory-of.ts';
import { reactionsOn } from '../talking.ts';
import { type Chain, EVAL, QUICK } from './chain.ts';

const REPEATED = ['2026-01-03', '2026-01-10', '2026-01-17'].flatMap((date) => [
  `## ${date} [PATTERN]`,
  `- [PATTERN] Close the database cursor of the importer, seen on ${date}`,
]);

export const REVIEW_CHAINS: readonly Chain[] = [
  {
    title: 'a review',
    kinds: ['look-pull', 'review', 'review-check'],
    files: QUICK,
    act: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    expectEnd: async ({ world }) => {
      const { checks, reviews, comments } = await reviewsOf(world, 1);
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['action_required']);
      expect([reviews.length, comments.map(({ path }) => path)]).toEqual([1, ['src/run.ts']]);
      expect((await world.tell(1)).labels).toEqual(['changes-requested']);
    },
  },
  {
    title: 'what a review teaches',
    kinds: ['look-memory', 'remember'],
    files: QUICK,
    act: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    expectEnd: async ({ world }) => {
      const files = Object.entries((await memoryOf(world)) ?? {});
      const lessons = files.flatMap(([path, text]) =>
        path.endsWith('/working.md')
          ? text.split('\n').filter((line) => line.startsWith('- ['))
          : [],
      );
      expect(lessons.length).toBeGreaterThan(0);
      expect(new Set(lessons).size).toBe(lessons.length);
    },
  },
  {
    title: 'the pull request of lessons that repeat',
    kinds: ['look-consolidation', 'open-consolidation'],
    files: QUICK,
    before: async ({ world }) => {
      const ana = world.emulator.as('ana');
      const at = `/repos/${REPO}/git/refs`;
      const main = (await ana.request('GET', `/repos/${REPO}/git/ref/heads/main`)) as {
        object: { sha: string };
      };
      await ana.request('POST', at, { ref: 'refs/heads/quorum/memory', sha: main.object.sha });
      await ana.request('PUT', `/repos/${REPO}/contents/personas/dev/working.md`, {
        message: 'write lessons',
        branch: 'quorum/memory',
        content: Buffer.from(REPEATED.join('\n\n')).toString('base64'),
      });
    },
    act: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    expectEnd: async ({ world }) => {
      const pulls = await world.emulator
        .as('ana')
        .request('GET', `/repos/${REPO}/pulls?base=quorum/memory`);
      expect(pulls).toHaveLength(1);
    },
  },
  {
    title: 'a push that fixes the findings',
    kinds: ['review-check', 'fold'],
    files: QUICK,
    before: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    act: ({ world }) => pushTo(world, { 'src/run.ts': 'export {};\n' }),
    expectEnd: async ({ world }) => {
      const { checks, reviews, comments } = await reviewsOf(world, 1);
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['success']);
      expect([reviews.length, comments.length]).toEqual([1, 1]);
      const { pull } = world.emulator.repository(REPO).threads.get(1) ?? {};
      expect(pull?.reviewComments.map(({ isResolved }) => isResolved)).toEqual([true]);
      expect(pull?.reviews.map((each) => each.minimizedReason)).toEqual(['OUTDATED']);
    },
  },
  {
    title: 'the end of a pull request whose finding was found right',
    kinds: ['look-feedback'],
    files: QUICK,
    before: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    act: async ({ world }) => {
      const ana = world.emulator.as('ana');
      const [finding] = (await reviewsOf(world, 1)).comments;
      const at = `/repos/${REPO}/pulls/comments/${finding?.id ?? 0}/reactions`;
      await ana.request('POST', at, { content: '+1' });
      await ana.request('PUT', `/repos/${REPO}/pulls/1/merge`, {});
    },
    expectEnd: async (app) => {
      const all = Object.values(await tallyIn(app));
      expect(new Set(all.map(({ accepted }) => accepted))).toEqual(new Set([1]));
    },
  },
  {
    title: 'a command on a line of a change',
    kinds: ['look-comment', 'reply'],
    files: QUICK,
    before: ({ world }) => openPullOf(world, { 'src/run.ts': 'export const run = 1;\n' }),
    act: async ({ world }) => {
      const place = { path: 'src/run.ts', line: 1, side: 'RIGHT' };
      const asked = { body: '/pm status', ...place, commit_id: await headOf(world, 1) };
      await world.emulator.as('ana').request('POST', `/repos/${REPO}/pulls/1/comments`, asked);
    },
    expectEnd: async ({ world }) => {
      const { comments } = await reviewsOf(world, 1);
      const [asked, ...answers] = comments;
      expect([comments.length, answers.length]).toEqual([2, 1]);
      expect(await reactionsOn(world, `pulls/comments/${asked?.id ?? 0}`)).toEqual(['+1']);
    },
  },
];
