/** Plans before anybody works on them, and the issues that the team opens by itself. */
import { expect } from 'vitest';
import { red } from '../a-build.ts';
import { aPlanBody } from '../a-plan.ts';
import { READY_ISSUE, REPO } from '../a-world.ts';
import { type Chain, EVAL, openedBy } from './chain.ts';

const LATE = '// FIXME: crashes on an empty list\nexport const late = [];\n';

export const PLAN_CHAINS: readonly Chain[] = [
  {
    title: 'a plan',
    kinds: ['look-plan'],
    before: ({ world }) =>
      world.emulator.as('tom').openIssue(REPO, { title: '[PLAN] Quotes', body: aPlanBody() }),
    act: ({ world }) => world.emulator.as('ana').label(REPO, 1, ['plan']),
    expectEnd: async ({ world }) => {
      const { comments } = await world.tell(1);
      expect(comments.map((body) => body.slice(0, 16))).toEqual(['### Plan: 2 task']);
    },
  },
  {
    title: 'a plan that the PM proposes',
    kinds: ['propose', 'issue'],
    before: ({ world }) => world.emulator.as('tom').openIssue(REPO, READY_ISSUE),
    act: ({ world }) => world.emulator.as('ana').comment(REPO, 1, '/pm plan'),
    expectEnd: async (app) => {
      const [plan = 0, ...others] = await openedBy(app);
      expect(others).toEqual([]);
      const source = await app.world.tell(1);
      expect([source.comments.length, source.comments[0]?.slice(0, 22)]).toEqual([
        1,
        `### Plan proposed: #${plan}\n`.slice(0, 22),
      ]);
      const { labels, comments } = await app.world.tell(plan);
      expect([labels, comments.length]).toEqual([['plan'], 1]);
    },
  },
  {
    title: 'a workspace in which nothing is left to do',
    kinds: ['look-rest', 'issue'],
    files: { '.github/quorum.yml': 'plans:\n  workspace: true\n' },
    before: ({ world }) =>
      world.emulator.as('tom').openIssue(REPO, {
        title: '[PLAN] Quotes',
        body: aPlanBody().replaceAll('**Status:** pending', '**Status:** completed'),
      }),
    act: ({ world }) => world.emulator.as('ana').label(REPO, 1, ['plan']),
    expectEnd: async (app) => {
      const [sentinel = 0, ...others] = await openedBy(app);
      expect(others).toEqual([]);
      expect((await app.world.tell(sentinel)).labels).toEqual(['finished']);
      expect((await app.world.tell(1)).state).toBe('closed');
    },
  },
  {
    title: 'a search of the code',
    kinds: ['look-code', 'issue'],
    files: { 'src/evaluate.ts': EVAL, 'src/late.ts': LATE },
    before: ({ world }) => world.emulator.as('tom').openIssue(REPO, READY_ISSUE),
    act: ({ world }) => world.emulator.as('ana').comment(REPO, 1, '/pm watch'),
    expectEnd: async (app) => {
      const { comments } = await app.world.tell(1);
      expect(comments).toHaveLength(1);
      expect(comments[0]).toContain('### Code watch: 2 issues opened');
      expect(await openedBy(app)).toHaveLength(2);
    },
  },
  {
    title: 'a red build',
    kinds: ['look-build', 'issue'],
    act: ({ world }) => world.emulator.endRun(REPO, red()),
    expectEnd: async (app) => {
      const [number, ...others] = await openedBy(app);
      expect(others).toEqual([]);
      const { title, labels, comments } = await app.world.tell(number ?? 0);
      expect([title, labels, comments.length]).toEqual(['ci fails on main', ['ready'], 1]);
      expect(comments[0]).toMatch(/^### Cause found/);
    },
  },
];
