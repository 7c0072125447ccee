/**
 * Outside calls of a plan's run go wrong in every way, git's transfers among them: it ends as it should, and nothing is
 * there twice. A run makes more than two hundred calls: every 37th goes wrong, each in another way. After all 555
 * runs each call has gone wrong in every way.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import type { RequestEntry } from '../../../src/emulator/github/listener.ts';
import {
  CODER_ENV,
  planFiles,
  sayTask,
  withPlans,
  type PlanWorld,
} from '../../helpers/a-plan-story.ts';
import { checksOf, reviewsOf } from '../../helpers/a-pull.ts';
import { REPO, type TestWorld } from '../../helpers/a-world.ts';
import { aLeapWorld, type LeapWorld } from '../../helpers/a-leap-world.ts';
import { CALL_FAULTS, expectNoneGivenUp } from '../../helpers/call-faults.ts';
import { noBwrap } from '../../helpers/no-bwrap.ts';
import { shareOfToday } from '../../helpers/share-of-today.ts';
import { branchesOf, leasesOf, worktreesOf } from '../../helpers/what-is-left.ts';
import { verifies } from '../../verifies.ts';

/** More calls than an effect makes in two attempts: none meets two failures by that alone. */
const STRIDE = 37;
const KINDS = CALL_FAULTS.length;
/** Every call in every way. */
export const FAULTY_RUNS = STRIDE * KINDS;
/** So far apart that a sample is spread over all calls; neither it nor the stride shares a factor with the kinds. */
const LEAP = 26;
const MAX_STRIDES = 20;
const DAY_MS = 86_400_000;
/** The runs of neighbouring days are far apart; it shares no factor with the number of runs. */
const DAYS_LEAP = 343;
/** A guard against hangs only: what is waited for is counted in the world's time. */
export const SLOW_MS = 900_000;
/**
 * The clock leaps over what is quiet, so that no wait is paid for. While work is under way it runs slowly: on a machine that
 * is busy, work that takes seconds of the wall's must not cost the world minutes, after which a merge is looked at again.
 */
const SPEED = 20;

/** What runs is a file that says what Node's tests say: what it costs to run tests is not looked at here. */
const PASSED = 'tests 1\nsuites 0\npass 1\nfail 0\ncancelled 0\nskipped 0\ntodo 0\n';
const SETTINGS = [
  'merge:\n  mode: auto\n',
  'review:\n  settleSeconds: 0\n',
  'plans:\n  leaseMinutes: 100000\n',
  'gates:\n  testCommand: cat passed.txt\n  testTimeoutSeconds: 100000\n',
].join('');
const FILES = { ...planFiles(SETTINGS), 'passed.txt': PASSED.replaceAll(/^/gm, '# ').slice(0, -2) };

export const ONE_TASK = [sayTask(1, 'hello')];
/** Worked on side by side. */
const TWO_TASKS = [...ONE_TASK, sayTask(2, 'thanks')];

/** Runs by number; `why` says how they were chosen. */
export function planRunsWithFaults(numbers: readonly number[], why: string): void {
  describe.skipIf(noBwrap !== undefined)("a plan's run", { timeout: SLOW_MS }, () => {
    for (const nth of numbers)
      verifies(
        ['P2', 'TG-4', 'TG-5', 'TG-6', 'TG-9', 'TG-22'],
        `of which call ${firstCall(nth)} and others go wrong (no. ${nth} of ${FAULTY_RUNS}${why}) merges each task once and leaves nothing`,
        async () => {
          const world = await aPatientWorld();
          const { faults } = world.emulator;
          for (let n = 0; n < MAX_STRIDES; n += 1) {
            const [, fault] = CALL_FAULTS[(nth + n) % KINDS] ?? [];
            const call = firstCall(nth) + n * STRIDE;
            if (fault !== undefined) faults.add({ path: /^\/(?!app)/, nth: call, fault });
          }
          await workThrough(world, nth);
          expect(faults.hits().filter((hits) => hits > 0).length).toBeGreaterThanOrEqual(4);
          faults.clear();
          await expectEnd(world, nth);
        },
      );
  });
}

/**
 * The numbers of the runs whose first failure is of this kind. All runs of all kinds take more than an hour on two cores:
 * with `FAULTY_PLAN_SHARE` at 37, as in `.ci/run`, one run of each kind, another one each day.
 */
export function runsThatBeginWith(title: string): readonly number[] {
  const kind = CALL_FAULTS.findIndex(([each]) => each === title);
  if (kind < 0) throw new Error(`no call ${title}`);
  const runs = Array.from({ length: STRIDE }, (_, n) => kind + n * KINDS);
  return shareOfToday(runs, Number(process.env['FAULTY_PLAN_SHARE'] ?? 1));
}

/** Counted from 1. */
function firstCall(nth: number): number {
  return 1 + ((nth * LEAP) % STRIDE);
}

/** As many runs for each day, all of them in turn. */
export function runsOfDay(day: string, count: number): number[] {
  const days = Date.parse(day) / DAY_MS;
  return Array.from({ length: count }, (_, n) => ((days * count + n) * DAYS_LEAP) % FAULTY_RUNS);
}

type PatientWorld = PlanWorld & LeapWorld;

export async function aPatientWorld(): Promise<PatientWorld> {
  const app = { reconcileEveryMs: 0 };
  const world = await aLeapWorld({ env: CODER_ENV, files: FILES, speed: SPEED, app });
  return Object.assign(world, withPlans(world));
}

/** From the label to the closed plan. */
export async function workThrough(
  world: PatientWorld,
  nth: number,
  tasks = TWO_TASKS,
): Promise<void> {
  await world.plan(tasks);
  await until(world, async () => {
    await approveWhereAsked(world);
    return (await world.pulls()).length === tasks.length;
  });
  await world.idle();
  for (const pull of await world.pulls())
    await world.emulator.as('tom').comment(REPO, pull.number, '/pm approve');
  await until(world, async () => (await world.tell(1)).state === 'closed');
  await world.idle();
  await expectNoneGivenUp(world, nth);
  tellCalls(world.emulator.requests);
}

/**
 * A label approves only when GitHub reports its author's role and the history of the text. When
 * GitHub refused to, the plan's comment must ask for approval.
 */
async function approveWhereAsked(world: PatientWorld): Promise<void> {
  const { comments } = await world.tell(1);
  const isAsked = comments.some((text) => text.includes('**Waiting for approval**'));
  const ana = world.emulator.as('ana');
  const said = (await ana.request('GET', `/repos/${REPO}/issues/1/comments`)) as { body: string }[];
  const isGiven = said.some(({ body }) => body === '/pm approve');
  if (isAsked && !isGiven) await ana.comment(REPO, 1, '/pm approve');
}

export async function expectEnd(world: PlanWorld, nth: number, tasks = TWO_TASKS): Promise<void> {
  const count = tasks.length;
  const title = `### Plan: ${count} task${count === 1 ? '' : 's'}, ${count} completed`;
  const { labels, comments } = await world.tell(1);
  expect([nth, labels, comments.map((text) => text.split('\n')[0])]).toEqual([
    nth,
    ['plan', 'plan:complete'],
    [title, '### Plan complete'],
  ]);
  const pulls = await world.pulls();
  expect([nth, pulls.map(({ merged_at: at }) => at !== null)]).toEqual([
    nth,
    tasks.map(() => true),
  ]);
  for (const pull of pulls) {
    const { reviews } = await reviewsOf(world, pull.number);
    const said = await world.tell(pull.number);
    expect([nth, reviews, said.comments]).toEqual([nth, [], []]);
    const checks = (await checksOf(world, pull.head.sha)).map((check) => check.name);
    expect([nth, checks.length]).toEqual([nth, new Set(checks).size]);
  }
  // The first commit, and one for each task.
  expect([nth, commitsOf(world)]).toEqual([nth, 1 + count]);
  expect([nth, await branchesOf(world)]).toEqual([nth, ['main']]);
  expect([nth, leasesOf(world).every(({ isReleased }) => isReleased)]).toEqual([nth, true]);
  expect([nth, await worktreesOf(world.appEnv['QUORUM_DATA'] ?? '')]).toEqual([nth, []]);
  expect(world.openApi.violations).toEqual([]);
}

function commitsOf({ emulator }: TestWorld): number {
  const { gitDir } = emulator.repository(REPO);
  return Number(execFileSync('git', ['--git-dir', gitDir, 'rev-list', '--count', 'main']));
}

/** Every wait of a run together: a refusal is believed and a look is taken again within an hour. */
const LONGEST_MS = 12 * 3_600_000;
const STEP_MS = 60_000;

/** A retry that is due later is no event, so that an idle App may not have finished. */
async function until(world: PatientWorld, isSo: () => Promise<boolean>): Promise<void> {
  const end = world.clock.now() + LONGEST_MS;
  while (world.clock.now() < end && !(await isSo())) await world.pass(STEP_MS);
  if (await isSo()) return;
  tellCalls(world.emulator.requests);
  expect(await describeUnfinished(world)).toBe('finished within 12 hours');
}

/** The plan's body and our comments on it, and what its unmerged pull requests show. */
async function describeUnfinished(world: PlanWorld): Promise<string> {
  const pulls = (await world.pulls()).filter((pull) => pull.merged_at === null);
  const shown = pulls.map(async ({ number, head }) => {
    const checks = (await checksOf(world, head.sha)).map(
      ({ name, output }) => `${name}: ${output.title}\n${output.summary}`,
    );
    const { comments } = await world.tell(number);
    return [`# pull request ${number} at ${head.sha}`, ...checks, ...comments].join('\n');
  });
  const { comments } = await world.tell(1);
  return [await world.body(1), ...comments, ...(await Promise.all(shown))].join('\n');
}

/** By route, for a reader of the log. */
function tellCalls(requests: readonly RequestEntry[]): void {
  if (process.env['NTH_PLAN'] === undefined) return;
  const own = requests.filter(({ actor, fault }) => actor.startsWith('installation') || fault);
  const counts = new Map<string, number>();
  for (const { method, route, path } of own) {
    const key = `${method} ${route === 'git' ? path.replace(/^.*\.git/, 'git:') : route}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rows = [...counts].toSorted(([, a], [, b]) => b - a).map(([key, n]) => `${n} ${key}`);
  const hits = own.flatMap(({ fault, method, path }) =>
    fault ? [`${fault} ${method} ${path}`] : [],
  );
  console.info([`${own.length} calls`, ...rows, ...hits].join('\n'));
}
