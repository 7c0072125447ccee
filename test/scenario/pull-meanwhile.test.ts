/** What people and GitHub do to a task's pull request while it waits for its merge: nothing merges that nobody said yes to. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/github/behave/faults.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { checksOf } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { pushTo, setDraft, tipOf } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { branchesOf, leasesOf } from '../helpers/what-is-left.ts';
import { verifies } from '../verifies.ts';

const BRANCH = 'quorum/task-1-1-a-function-that-says-goodbye';
const PULL = 2;
const SLOW_MS = 120_000;

let world: PlanWorld;

async function change(what: object, number = PULL): Promise<void> {
  await world.emulator.as('ana').request('PATCH', `/repos/${REPO}/pulls/${number}`, what);
  await world.idle();
}

async function approve(): Promise<void> {
  await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
  await world.idle();
}

async function planSays(): Promise<string> {
  return (await world.tell(1)).comments[0] ?? '';
}

/** What the text of the pull request says of its end. */
async function endSays(): Promise<string> {
  const [pull] = await world.pulls();
  return pull?.body.split('\n\n### How it ended\n\n')[1]?.split('\n')[0] ?? '';
}

async function merged(): Promise<boolean[]> {
  return (await world.pulls()).map(({ merged_at: at }) => at !== null);
}

function mergesTried(): number {
  return world.emulator.requests.filter(({ path }) => path.endsWith(`/pulls/${PULL}/merge`)).length;
}

async function expectMerged(): Promise<void> {
  expect(await merged()).toEqual([true]);
  expect(await world.tell(1)).toMatchObject({
    state: 'closed',
    labels: ['plan', 'plan:complete'],
  });
  expect(await branchesOf(world)).not.toContain(BRANCH);
  expect(leasesOf(world)).toMatchObject([{ isReleased: true }]);
  expect(world.openApi.violations).toEqual([]);
}

describe.skipIf(noBwrap !== undefined)("a task's open pull request", { timeout: SLOW_MS }, () => {
  beforeEach(async () => {
    world = await aPlanWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
  }, SLOW_MS);

  function failMerge(fault: Fault): void {
    world.emulator.faults.add({ method: 'PUT', path: /\/merge$/, fault });
  }

  verifies('GIT-06', 'whose merge is answered 502, and was done, is merged once', async () => {
    failMerge({ kind: 'effect-then-fail', status: 502 });
    await approve();
    expect(mergesTried()).toBe(1);
    await expectMerged();
  });

  for (const [status, message] of [
    [405, 'Protected branch rules not satisfied.'],
    [409, 'Head branch was modified. Review and try the merge again.'],
  ] as const)
    verifies(
      ['GIT-01', 'GIT-07'],
      `whose merge is refused with ${status} is not merged by other means, and its plan says why`,
      async () => {
        failMerge({ kind: 'status', status, body: { message } });
        await approve();
        expect([mergesTried(), await merged()]).toEqual([1, [false]]);
        expect(await planSays()).toContain(`GitHub refused the merge: ${message}`);
        await approve();
        await expectMerged();
      },
    );

  verifies(
    ['P3', 'GIT-01', 'GIT-10'],
    'that a person pushes to keeps their commit, and is neither merged nor written over',
    async () => {
      const theirs = await pushTo(world, { 'src/theirs.js': 'export {};\n' }, { branch: BRANCH });
      await world.idle();
      await approve();
      expect([await merged(), await tipOf(world, BRANCH)]).toEqual([[false], theirs]);
      const said = `somebody pushed ${theirs.slice(0, 12)}`;
      expect(await planSays()).toContain(said);
      const checks = await checksOf(world, theirs);
      const merge = checks.find(({ name }) => name === 'quorum / merge');
      expect(merge).toMatchObject({ conclusion: 'action_required' });
      expect(merge?.output.summary).toContain(said);
      // Merging it stays a person's right, and ends the task.
      const at = `/repos/${REPO}/pulls/${PULL}/merge`;
      await world.emulator.as('ana').request('PUT', at, { merge_method: 'squash' });
      await world.idle();
      expect(await world.body(1)).toContain('**Status:** completed (#2)');
    },
  );

  verifies(
    ['CB-17', 'CB-8'],
    'that somebody closes keeps its branch, and goes on when it is reopened; its text says each',
    async () => {
      const head = await tipOf(world, BRANCH);
      expect(await endSays()).toBe('');
      await change({ state: 'closed' });
      expect(await endSays()).toContain(`- Somebody closed it without merging it. The branch`);
      expect(await world.body(1)).toContain(
        '**Status:** blocked (#2 was closed without being merged: reopen it and it goes on)',
      );
      expect([await tipOf(world, BRANCH), leasesOf(world)]).toMatchObject([
        head,
        [{ isReleased: true, fences: [1] }],
      ]);
      await change({ state: 'open' });
      expect(await world.body(1)).toContain('**Status:** in_progress (#2)');
      expect([await tipOf(world, BRANCH), leasesOf(world)]).toMatchObject([
        head,
        [{ isReleased: false, fences: [1, 2] }],
      ]);
      expect(await endSays()).toBe('');
      await approve();
      await expectMerged();
      expect(await endSays()).toMatch(/^- Merged as `[0-9a-f]{12}`$/);
    },
  );

  test('whose text a person rewrote ends with their text', async () => {
    await change({ body: 'Mine.' });
    await approve();
    await expectMerged();
    expect((await world.pulls()).map(({ body }) => body)).toEqual(['Mine.']);
  });

  test('ends all the same where its text cannot be written', async () => {
    const path = new RegExp(`/issues/${PULL}$`);
    const fault = { kind: 'status', status: 403, body: { message: 'no' } } as const;
    world.emulator.faults.add({ method: 'PATCH', path, times: Infinity, fault });
    await approve();
    await expectMerged();
    expect(await endSays()).toBe('');
  });

  verifies('GIT-05', 'that is given another base waits until it has its own again', async () => {
    const sha = await tipOf(world);
    const ana = world.emulator.as('ana');
    await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/release', sha });
    await change({ base: 'release' });
    await approve();
    expect([mergesTried(), await merged()]).toEqual([0, [false]]);
    expect(await planSays()).toContain('it would merge into `release` now');
    await change({ base: 'main' });
    await approve();
    await expectMerged();
    expect(await planSays()).not.toContain('release');
  });

  verifies('GIT-13', 'that is made a draft again waits until it is ready', async () => {
    await setDraft(world, PULL, true);
    await approve();
    expect([mergesTried(), await merged()]).toEqual([0, [false]]);
    await setDraft(world, PULL, false);
    await world.idle();
    await expectMerged();
  });

  verifies('GIT-10', 'whose branch a person deletes puts its task before a person', async () => {
    const refs = `/repos/${REPO}/git/refs/heads/${BRANCH}`;
    await world.emulator.as('ana').request('DELETE', refs);
    await world.idle();
    expect(await merged()).toEqual([false]);
    expect(await world.body(1)).toContain('**Status:** blocked (#2 was closed');
    expect(await branchesOf(world)).toEqual(['main']);
  });

  test('is let be while the App is suspended, and merged after that', async () => {
    world.emulator.suspendInstallation(world.installationId);
    await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
    await world.idle();
    expect([mergesTried(), await merged()]).toEqual([0, [false]]);
    world.emulator.suspendInstallation(world.installationId, false);
    await world.idle();
    await approve();
    await expectMerged();
  });
});
