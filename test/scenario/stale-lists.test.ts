/** kill -9 after something was written and before it is recorded; after the restart lists lag behind: it is there once. */
import { describe, expect } from 'vitest';
import type { EffectKind } from '../../src/domain/event/effect.ts';
import { red } from '../helpers/a-build.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { aKilledApp, type KilledApp } from '../helpers/a-killed-app.ts';
import { checksOf, headOf, reviewsOf } from '../helpers/a-pull.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { openPullOf } from '../helpers/commits.ts';
import { verifies } from '../verifies.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

interface Case {
  kind: EffectKind;
  /** Of what the App writes, the lists in which it looks for it. */
  lists: RegExp;
  files?: Record<string, string>;
  before?: (app: KilledApp) => Promise<unknown>;
  act: (app: KilledApp) => Promise<unknown>;
  /** How many of it people see at the end. */
  count: (app: KilledApp) => Promise<number>;
}

const openIssue = ({ world }: KilledApp) => world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
const deliberate = ({ world }: KilledApp) =>
  world.emulator.as('ana').label(REPO, 1, ['deliberate']);
const openPull = ({ world }: KilledApp) => openPullOf(world, { 'src/run.ts': EVAL });

const CASES: readonly Case[] = [
  {
    kind: 'comment',
    lists: /\/issues\/1\/comments$/,
    before: openIssue,
    act: deliberate,
    count: async ({ world }) => (await world.tell(1)).comments.length,
  },
  {
    kind: 'react',
    lists: /\/reactions$/,
    before: openIssue,
    act: deliberate,
    count: async ({ world }) => (await world.tell(1)).reactions.length,
  },
  {
    kind: 'review',
    lists: /\/pulls\/1\/reviews$/,
    files: QUICK,
    act: openPull,
    count: async ({ world }) => {
      const { reviews, comments } = await reviewsOf(world, 1);
      const live = reviews.filter((body) => !body.includes('posted twice'));
      return Math.max(live.length, comments.length);
    },
  },
  {
    kind: 'review-check',
    lists: /\/check-runs$/,
    files: QUICK,
    act: openPull,
    count: async ({ world }) => {
      const checks = await checksOf(world, await headOf(world, 1));
      expect(checks.map(({ status }) => status)).not.toContain('in_progress');
      return checks.filter(({ output }) => output.title !== 'Superseded').length;
    },
  },
  {
    kind: 'reply',
    lists: /\/pulls\/1\/comments$/,
    files: QUICK,
    before: ({ world }) => openPullOf(world, { 'src/run.ts': 'export const run = 1;\n' }),
    act: async ({ world }) => {
      const place = { path: 'src/run.ts', line: 1, side: 'RIGHT' };
      const asked = { body: '/pm status', ...place, commit_id: await headOf(world, 1) };
      await world.emulator.as('ana').request('POST', `/repos/${REPO}/pulls/1/comments`, asked);
    },
    count: async ({ world }) => (await reviewsOf(world, 1)).comments.length - 1,
  },
  {
    kind: 'issue',
    lists: /\/issues$/,
    act: ({ world }) => world.emulator.endRun(REPO, red()),
    count: async ({ world }) => {
      const open = await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues`);
      return (open as unknown[]).length;
    },
  },
  {
    kind: 'check',
    lists: /\/check-runs$/,
    files: { '.github/quorum/personas/robin.md': '---\nhandle: robin\nname: Robin\n---\n' },
    before: openIssue,
    act: deliberate,
    count: async ({ world }) => {
      const checks = await checksOf(world, 'main');
      return checks.filter(({ output }) => output.title !== 'Superseded').length;
    },
  },
];

/** Lists do not show what was made in the last hour, so often. */
function lag({ world }: KilledApp, lists: RegExp, times: number): void {
  const fault = { kind: 'stale', behindMs: 3_600_000 } as const;
  world.emulator.faults.add({ method: 'GET', path: lists, times, fault });
}

describe('kill -9 after the first write of a kind, then a restart', () => {
  for (const { kind, lists, files = {}, before, act, count } of CASES)
    verifies(['P1', 'P2'], `${kind}: one, with a first list that lags behind`, async () => {
      const app = await aKilledApp(files);
      if (before !== undefined) await app.runToRest(() => before(app));
      await app.startUntil({ kind, nth: 1, point: 'after-effect' });
      await act(app);
      await app.killed();
      lag(app, lists, 1);
      await app.runToRest();
      expect(await count(app)).toBe(1);
      expect(app.world.openApi.violations).toEqual([]);
    });

  verifies(
    ['P1', 'P2'],
    'a comment whose id was recorded is edited, whatever lists show',
    async () => {
      const app = await aKilledApp({});
      await app.runToRest(() => openIssue(app));
      await app.startUntil({ kind: 'comment', nth: 1, point: 'after-record' });
      await deliberate(app);
      await app.killed();
      lag(app, /\/issues\/1\/comments$/, Infinity);
      await app.runToRest();
      app.world.emulator.faults.clear();
      const { comments } = await app.world.tell(1);
      expect(comments.map((body) => body.slice(0, 9))).toEqual(['### Ready']);
    },
  );
});

verifies('P1', 'a command that the list shows seconds later is not taken for deleted', async () => {
  const world = await aLeapWorld();
  const { number } = await world.emulator.as('tom').openIssue(REPO, READY_ISSUE);
  await world.pass(60_000);
  const fault = { kind: 'stale', behindMs: 20_000 } as const;
  world.emulator.faults.add({ method: 'GET', path: /\/comments$/, times: Infinity, fault });
  await world.emulator.as('ana').comment(REPO, number, '/pm status');
  await world.pass(60_000);
  expect((await world.tell(number)).comments).toHaveLength(1);
});
