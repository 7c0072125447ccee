/** What people do in issues and to repositories. */
import { expect } from 'vitest';
import type { KilledApp } from '../a-killed-app.ts';
import { statusIssue } from '../a-week.ts';
import { READY_ISSUE, REPO } from '../a-world.ts';
import { rowsIn } from '../left-in-store.ts';
import { anIssue } from '../talking.ts';
import type { Chain } from './chain.ts';

const DELETED = 'My sister would call it the heron.';

export const THREAD_CHAINS: readonly Chain[] = [
  {
    title: 'what a thread leaves for the PM',
    kinds: ['look-roles'],
    before: async ({ world }) => {
      await anIssue(world);
      await world.emulator.as('ana').comment(REPO, 1, 'Decision: Node 24 is enough');
    },
    act: ({ world }) => world.emulator.as('ana').comment(REPO, 1, '/pm done'),
    expectEnd: async ({ world }) => {
      const { comments } = await world.tell(1);
      expect(comments.filter((body) => body.includes('Node 24 is enough`'))).toHaveLength(1);
    },
  },
  {
    title: 'the pull request of what was approved for the PM',
    kinds: ['open-roles'],
    before: async ({ world }) => {
      await anIssue(world);
      await world.emulator.as('ana').comment(REPO, 1, 'Decision: Node 24 is enough');
      await world.emulator.as('ana').comment(REPO, 1, '/pm done');
    },
    act: ({ world }) => world.emulator.as('ana').comment(REPO, 1, 'yes'),
    expectEnd: async ({ world }) => {
      const pulls = await world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls`);
      expect(pulls).toHaveLength(1);
      expect(pulls).toMatchObject([{ head: { ref: 'quorum/memory-1' } }]);
    },
  },
  {
    title: 'a comment that its author deletes',
    kinds: ['erase'],
    before: async ({ world }) => {
      const tom = world.emulator.as('tom');
      await tom.openIssue(REPO, READY_ISSUE);
      await tom.comment(REPO, 1, DELETED);
      await world.emulator.as('ana').label(REPO, 1, ['deliberate']);
    },
    act: async (app) => {
      const comments = app.world.emulator.repository(REPO).threads.get(1)?.comments ?? [];
      const { id = 0 } = comments.find(({ body }) => body === DELETED) ?? {};
      const tom = app.world.emulator.as('tom');
      await tom.request('DELETE', `/repos/${REPO}/issues/comments/${id}`);
    },
    expectEnd: async (app) => {
      const rows = await rowsIn(app);
      expect(rows).toContain('"effectKind":"erase"');
      expect(rows).not.toContain(DELETED);
    },
  },
  {
    title: 'a label that the repository renamed',
    kinds: ['name-label'],
    files: { '.github/quorum.yml': 'labels:\n  deliberate: discuss\n' },
    before: ({ world }) => world.emulator.as('tom').openIssue(REPO, READY_ISSUE),
    act: ({ world }) => world.emulator.as('ana').label(REPO, 1, ['discuss']),
    expectEnd: expectReady,
  },
  {
    title: 'a label that was put on while the App was away',
    kinds: ['reconcile'],
    act: async ({ world }) => {
      await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
      await world.emulator.as('ana').label(REPO, 1, ['deliberate']);
    },
    expectEnd: expectReady,
    isMissed: true,
  },
  {
    title: 'the end of a week',
    kinds: ['look-week', 'issue'],
    before: ({ world }) => world.ask(READY_ISSUE),
    act: async (app) => app.jump(8 * 24 * 3_600_000),
    expectEnd: async ({ world }) => {
      const { number } = await statusIssue(world);
      expect(world.emulator.repository(REPO).pinned).toEqual([number]);
      expect((await world.tell(number)).comments).toEqual([]);
    },
    // The timer is due when the App is there again.
    isMissed: true,
  },
  {
    title: 'a repository that is added to the installation',
    kinds: ['suite-preferences'],
    act: async ({ world }) => {
      world.emulator.changeRepositories(world.installationId, { removed: [REPO] });
      world.emulator.changeRepositories(world.installationId, { added: [REPO] });
    },
    expectEnd: async ({ world }) => {
      expect(world.emulator.repository(REPO).appsWithoutSuites).toEqual(new Set([world.appId]));
    },
  },
];

async function expectReady({ world }: KilledApp): Promise<void> {
  const told = await world.tell(1);
  expect(told.comments).toHaveLength(1);
  expect([told.labels, told.reactions]).toEqual([['ready'], ['rocket']]);
}
