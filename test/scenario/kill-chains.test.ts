/** kill -9 again and again through one piece of work, around each kind of effect in it: the same end, nothing twice. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { EffectKind } from '../../src/domain/effect.ts';
import { tallyOf, toPrecisionState } from '../../src/domain/precision.ts';
import { red } from '../helpers/a-build.ts';
import { aKilledApp, POINTS, type KilledApp } from '../helpers/a-killed-app.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { headOf, reviewsOf } from '../helpers/a-pull.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { openPullOf, pushTo } from '../helpers/commits.ts';
import { reactionsOn } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const LATE = '// FIXME: crashes on an empty list\nexport const late = [];\n';

interface Chain {
  title: string;
  /** Killed around the first of each, one kind after the other. */
  kinds: readonly EffectKind[];
  files?: Record<string, string>;
  /** Done while nothing is killed. */
  before?: (app: KilledApp) => Promise<unknown>;
  /** Starts the work, at number 1 where it is on a thread. */
  act: (app: KilledApp) => Promise<unknown>;
  expectEnd: (app: KilledApp) => Promise<void>;
  /** The App is away when it is asked, and finds it by itself. */
  isMissed?: true;
}

const CHAINS: readonly Chain[] = [
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
    title: 'a push that mends what was found',
    kinds: ['review-check', 'fold'],
    files: QUICK,
    before: ({ world }) => openPullOf(world, { 'src/run.ts': EVAL }),
    act: ({ world }) => pushTo(world, { 'src/run.ts': 'export {};\n' }),
    expectEnd: async ({ world }) => {
      const { checks, reviews, comments } = await reviewsOf(world, 1);
      expect(checks.map(({ conclusion }) => conclusion)).toEqual(['success']);
      expect([reviews.length, comments.length]).toEqual([1, 1]);
      const { pull } = world.sandbox.repository(REPO).threads.get(1) ?? {};
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
      const ana = world.sandbox.as('ana');
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
      await world.sandbox.as('ana').request('POST', `/repos/${REPO}/pulls/1/comments`, asked);
    },
    expectEnd: async ({ world }) => {
      const { comments } = await reviewsOf(world, 1);
      const [asked, ...answers] = comments;
      expect([comments.length, answers.length]).toEqual([2, 1]);
      expect(await reactionsOn(world, `pulls/comments/${asked?.id ?? 0}`)).toEqual(['+1']);
    },
  },
  {
    title: 'a label that the repository renamed',
    kinds: ['name-label'],
    files: { '.github/quorum.yml': 'labels:\n  deliberate: discuss\n' },
    before: ({ world }) => world.sandbox.as('tom').openIssue(REPO, READY_ISSUE),
    act: ({ world }) => world.sandbox.as('ana').label(REPO, 1, ['discuss']),
    expectEnd: expectReady,
  },
  {
    title: 'a label that was put on while the App was away',
    kinds: ['reconcile'],
    act: async ({ world }) => {
      await world.sandbox.as('tom').openIssue(REPO, READY_ISSUE);
      await world.sandbox.as('ana').label(REPO, 1, ['deliberate']);
    },
    expectEnd: expectReady,
    isMissed: true,
  },
  {
    title: 'a plan',
    kinds: ['look-plan'],
    before: ({ world }) =>
      world.sandbox.as('tom').openIssue(REPO, { title: '[PLAN] Quotes', body: aPlanBody() }),
    act: ({ world }) => world.sandbox.as('ana').label(REPO, 1, ['plan']),
    expectEnd: async ({ world }) => {
      const { comments } = await world.tell(1);
      expect(comments.map((body) => body.slice(0, 16))).toEqual(['### Plan: 2 task']);
    },
  },
  {
    title: 'a search of the code',
    kinds: ['look-code', 'issue'],
    files: { 'src/evaluate.ts': EVAL, 'src/late.ts': LATE },
    before: ({ world }) => world.sandbox.as('tom').openIssue(REPO, READY_ISSUE),
    act: ({ world }) => world.sandbox.as('ana').comment(REPO, 1, '/pm watch'),
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
    act: ({ world }) => world.sandbox.endRun(REPO, red()),
    expectEnd: async (app) => {
      const [number, ...others] = await openedBy(app);
      expect(others).toEqual([]);
      const { title, labels, comments } = await app.world.tell(number ?? 0);
      expect([title, labels, comments.length]).toEqual(['ci fails on main', ['ready'], 1]);
      expect(comments[0]).toMatch(/^### Cause found/);
    },
  },
];

/** Those of a deliberation: test/scenario/kill-points.test.ts. */
const ELSEWHERE: readonly EffectKind[] = [
  'look',
  'ask',
  'react',
  'comment',
  'labels',
  'close',
  'check',
];

const KILLS = CHAINS.reduce((sum, { kinds }) => sum + kinds.length * POINTS.length, 0);

describe(`kill -9, ${KILLS} times in ${CHAINS.length} pieces of work`, () => {
  for (const chain of CHAINS) {
    const { title, kinds } = chain;
    verifies(
      ['P1', 'P2'],
      `${title}, ${kinds.length * POINTS.length} times, around ${kinds.join(', ')}: the same end, nothing twice`,
      () => runChain(chain),
    );
  }
});

test('every kind of effect is killed around', async () => {
  const source = await readFile('src/domain/effect.ts', 'utf8');
  const union = /^export type EffectData =[^]*?^export type EffectKind\b/m.exec(source)?.[0] ?? '';
  const kinds = [...union.matchAll(/\bkind: '([a-z-]+)'/g)].map(([, kind = '']) => kind);
  expect(kinds.length).toBeGreaterThan(ELSEWHERE.length);
  const covered = [...ELSEWHERE, ...CHAINS.flatMap((chain) => chain.kinds)];
  expect(new Set<string>(covered)).toEqual(new Set(kinds));
});

async function runChain({ kinds, files = {}, before, act, expectEnd, isMissed }: Chain) {
  const app = await aKilledApp(files, isMissed ? { reconcileMs: DAY_MS } : {});
  if (before !== undefined) await app.runToRest(() => before(app));
  if (isMissed) await act(app);
  let isBegun = isMissed;
  for (const kind of kinds)
    for (const point of POINTS) {
      await app.startUntil({ kind, nth: 1, point });
      if (!isBegun) await act(app);
      isBegun = true;
      await app.killed();
    }
  await app.runToRest();
  await expectEnd(app);
  expect(app.world.openApi.violations).toEqual([]);
}

const DAY_MS = 24 * 3_600_000;

async function expectReady({ world }: KilledApp): Promise<void> {
  const told = await world.tell(1);
  expect(told.comments).toHaveLength(1);
  expect([told.labels, told.reactions]).toEqual([['ready'], ['rocket']]);
}

/** Numbers of the issues that the App opened. */
async function openedBy({ world }: KilledApp): Promise<number[]> {
  const query = 'state=all&per_page=100';
  const all = (await world.sandbox.as('ana').request('GET', `/repos/${REPO}/issues?${query}`)) as {
    number: number;
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).map(({ number }) => number);
}

/** What was counted of what people said, in the store that the last process left. */
async function tallyIn({ dir, world }: KilledApp) {
  const { id } = (await world.sandbox.as('ana').request('GET', `/repos/${REPO}`)) as { id: number };
  const store = await openSqliteStore({ dir, clock: systemClock });
  const kept = toPrecisionState((await store.load(`precision:${id}`))?.state);
  await store.close();
  return kept === undefined ? {} : tallyOf(kept, Date.now());
}
