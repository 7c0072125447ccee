/** kill -9 again and again through one piece of work, around each kind of effect in it: the same end, nothing twice. */
import { describe, expect, test } from 'vitest';
import { EFFECTS } from '../../src/act/effects.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import type { EffectKind } from '../../src/domain/event/effect.ts';
import { tallyOf, toPrecisionState } from '../../src/domain/review/precision.ts';
import { red } from '../helpers/a-build.ts';
import { aKilledApp, POINTS, type KilledApp } from '../helpers/a-killed-app.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { checksOf, headOf, reviewsOf } from '../helpers/a-pull.ts';
import { READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { openPullOf, pushTo } from '../helpers/commits.ts';
import { CODER_ENV, planFiles, sayTask, withPlans } from '../helpers/a-plan-story.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { memoryOf } from '../helpers/memory-of.ts';
import { branchesOf, leasesOf, worktreesOf } from '../helpers/what-is-left.ts';
import { anIssue, reactionsOn } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };
const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const LATE = '// FIXME: crashes on an empty list\nexport const late = [];\n';

const DELETED = 'My sister would call it the heron.';

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
  env?: Record<string, string>;
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
    title: 'a push that mends what was found',
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

const WORK = {
  env: CODER_ENV,
  files: planFiles('review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n'),
};

/** A plan of one task that carries its change; they need a sandbox, since its tests really run. */
const TASK_CHAINS: readonly Chain[] = [
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
    kinds: ['look-merge', 'retest', 'merge', 'release', 'plan-edit', 'write-journal'],
    ...WORK,
    before: ({ world }) => withPlans(world).plan([sayTask(1, 'goodbye')]),
    act: async ({ world }) => {
      await pushTo(world, { 'docs/new.md': 'The base moved.\n' }, { branch: 'main' });
      await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    },
    expectEnd: async (app) => {
      const { world } = app;
      const at = withPlans(world);
      expect((await at.pulls()).map(({ merged_at: merged }) => merged !== null)).toEqual([true]);
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
      const tests = told.find(({ name }) => name === 'quorum / gate / tests');
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

const KILLS = [...CHAINS, ...TASK_CHAINS].reduce(
  (sum, { kinds }) => sum + kinds.length * POINTS.length,
  0,
);

describe(`kill -9, ${KILLS} times in ${CHAINS.length + TASK_CHAINS.length} pieces of work`, () => {
  for (const chain of CHAINS) verifies(['P1', 'P2'], titleOf(chain), () => runChain(chain));
  describe.skipIf(noBwrap !== undefined)('with tests in the sandbox', () => {
    for (const chain of TASK_CHAINS)
      verifies(['P1', 'P2', 'TG-4', 'GIT-09'], titleOf(chain), () => runChain(chain));
  });
});

function titleOf({ title, kinds }: Chain): string {
  return `${title}, ${kinds.length * POINTS.length} times, around ${kinds.join(', ')}: the same end, nothing twice`;
}

test('every kind of effect is killed around', () => {
  const covered = [...ELSEWHERE, ...[...CHAINS, ...TASK_CHAINS].flatMap((chain) => chain.kinds)];
  expect([...new Set<string>(covered)].toSorted()).toEqual(Object.keys(EFFECTS).toSorted());
});

async function runChain({ kinds, files = {}, env = {}, before, act, expectEnd, isMissed }: Chain) {
  const app = await aKilledApp(files, { env, ...(isMissed ? { reconcileMs: DAY_MS } : {}) });
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

/** Whether the team has heard of the first task's pull request. */
async function isInReview(world: TestWorld): Promise<boolean> {
  const [pull] = await withPlans(world).pulls();
  if (pull === undefined) return false;
  const checks = await checksOf(world, pull.head.sha);
  return checks.some(({ name }) => name.startsWith('quorum / review'));
}

/** Numbers of the issues that the App opened. */
async function openedBy({ world }: KilledApp): Promise<number[]> {
  const query = 'state=all&per_page=100';
  const all = (await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues?${query}`)) as {
    number: number;
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).map(({ number }) => number);
}

/** What was counted of what people said, in the store that the last process left. */
/** Everything that the store keeps, as JSON. */
async function rowsIn({ dir, world }: KilledApp): Promise<string> {
  const store = await openSqliteStore({ dir, clock: systemClock });
  const { records } = store;
  const rows = JSON.stringify([
    await records.events({ limit: 1000 }),
    await records.effects({ limit: 1000 }),
    await store.load(`thread:${world.emulator.repository(REPO).id}/1`),
  ]);
  await store.close();
  return rows;
}

async function tallyIn({ dir, world }: KilledApp) {
  const { id } = (await world.emulator.as('ana').request('GET', `/repos/${REPO}`)) as {
    id: number;
  };
  const store = await openSqliteStore({ dir, clock: systemClock });
  const kept = toPrecisionState((await store.load(`precision:${id}`))?.state);
  await store.close();
  return kept === undefined ? {} : tallyOf(kept, Date.now());
}
