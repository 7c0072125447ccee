/** A backup that was made in the middle of a plan is put back: no merged task is done again, and nothing is said twice. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { KillAt, KilledApp } from '../helpers/a-killed-app.ts';
import { CODER_ENV, planFiles, sayTask, withPlans } from '../helpers/a-plan-story.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { restoreAfterwards, type Story } from '../helpers/restored.ts';
import { embeddedStore } from '../helpers/store-copies.ts';
import { branchesOf, leasesOf, worktreesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

/** Against hangs only: the App is started five times. */
const GUARD = { timeout: 480_000 };

const approve =
  (pull: number) =>
  ({ world }: KilledApp) =>
    world.emulator.as('tom').comment(REPO, pull, '/pm approve');

/** A restored store has not heard of the second task's pull request yet, so the plan's table may not list it. */
const NEXT = /^\| 2 \| in review .*\n/m;

/**
 * Gate checks of a merged head may be written again, and the plan's table: both say the same and notify nobody.
 * The plan is issue 1; the second task waits for the first one.
 */
const PLAN: Omit<Story, 'at'> = {
  env: CODER_ENV,
  files: planFiles('review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n'),
  act: ({ world }) =>
    withPlans(world).plan([sayTask(1, 'goodbye'), sayTask(2, 'welcome', { dependencies: [1] })]),
  tell: async (app) => {
    const { world } = app;
    const { threads, checkRuns } = world.emulator.repository(REPO);
    const commits = await world.emulator.as('ana').request('GET', `/repos/${REPO}/commits`);
    return {
      threads: [...threads.values()].map(({ number, title, body, state, comments, pull }) => ({
        number,
        title,
        body,
        state,
        comments: comments.map(({ body: said }) => said.replace(NEXT, '')),
        reviews: pull?.reviews.map((review) => review.body),
        merged: pull?.merged,
        head: pull?.headSha,
      })),
      checks: new Set(
        checkRuns.map(({ name, headSha, conclusion }) => `${name} ${headSha} ${conclusion}`),
      ),
      commits: (commits as { sha: string }[]).map(({ sha }) => sha),
      leases: leasesOf(world),
      branches: await branchesOf(world),
      worktrees: await worktreesOf(app.dir),
    };
  },
};

async function planAndApprove(app: KilledApp): Promise<void> {
  await PLAN.act(app);
  const { checkRuns } = app.world.emulator.repository(REPO);
  const isReviewed = (): boolean =>
    checkRuns.some(({ name, conclusion }) => name === 'quorum / review' && conclusion !== null);
  for (let looks = 0; looks < 2400 && !isReviewed(); looks += 1) await wait(50);
  await approve(2)(app);
}

/** When the backup is made, and what people do after it: the second pull request is that of the second task. */
const CASES: readonly [why: string, at: KillAt, rest: Partial<Story>][] = [
  [
    'before the first task was claimed leaves a plan that is complete',
    { kind: 'claim', nth: 1, point: 'before-effect' },
    { afterwards: [approve(2), approve(3)] },
  ],
  [
    'before the first pull request was opened leaves a merged task and the next pull request',
    { kind: 'publish', nth: 1, point: 'before-effect' },
    { afterwards: [approve(2)] },
  ],
  [
    'while the first pull request was in review leaves a plan that is complete',
    { kind: 'publish', nth: 1, point: 'after-record' },
    { afterwards: [approve(2), approve(3)] },
  ],
  [
    'before the first pull request was merged leaves a plan that is complete',
    { kind: 'merge', nth: 1, point: 'before-effect' },
    { act: planAndApprove, afterwards: [approve(3)] },
  ],
];

describe.skipIf(noBwrap !== undefined)('a restored backup, of a plan', GUARD, () => {
  for (const [why, at, rest] of CASES)
    verifies(['P1', 'DUR-08'], `made ${why} as it is`, async () => {
      const told = await restoreAfterwards(embeddedStore(), { ...PLAN, at, ...rest });
      expect(told.after).toEqual(told.before);
    });
});
