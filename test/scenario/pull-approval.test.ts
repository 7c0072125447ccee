/** Whose approval merges a task's pull request, of which head, and which checks count: nothing else does. */
import { beforeEach, describe, expect } from 'vitest';
import type { Octokit } from '@octokit/core';
import { octokitOf } from '../emulator/github/start.ts';
import { aPlanWorld, sayTask, type PlanWorld } from '../helpers/a-plan-story.ts';
import { headOf } from '../helpers/a-pull.ts';
import { REPO } from '../helpers/a-world.ts';
import { branchesOf } from '../helpers/what-is-left.ts';
import { pushTo } from '../helpers/commits.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import { threadKey } from '../../src/domain/run/thread-ref.ts';
import { verifies } from '../verifies.ts';

const PULL = 2;
const SLOW_MS = 120_000;
const [owner = '', repo = ''] = REPO.split('/');

let world: PlanWorld;

async function comment(login: string, body: string): Promise<void> {
  await world.emulator.as(login).comment(REPO, PULL, body);
  await world.idle();
}

async function isMerged(): Promise<boolean> {
  return (await world.pulls()).every(({ merged_at: at }) => at !== null);
}

async function branch(): Promise<string> {
  return (await branchesOf(world)).find((name) => name.startsWith('quorum/')) ?? '';
}

async function said(): Promise<string> {
  return (await world.tell(PULL)).comments.join('\n');
}

describe.skipIf(noBwrap !== undefined)('a pull request of a task', { timeout: SLOW_MS }, () => {
  beforeEach(async () => {
    world = await aPlanWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.idle();
  }, SLOW_MS);

  verifies(
    ['CMD-08', 'TG-6'],
    'is not merged at the request of the person who asked for the work',
    async () => {
      await comment('ana', '/pm approve');
      await comment('ana', '/pm merge');
      await comment('eve', '/pm approve');
      expect(await isMerged()).toBe(false);
      await comment('tom', '/pm approve');
      expect(await isMerged()).toBe(true);
    },
  );

  verifies(
    [
      'CMD-09: commit that is named',
      'CMD-09: head at the time of the comment',
      'CMD-09: new commit is shown',
    ],
    'is not merged on a word about another head',
    async () => {
      const head = await headOf(world, PULL);
      await comment('tom', `/pm approve ${'ab12'.repeat(3)}`);
      expect(await said()).toContain(
        `You named another commit. The head is \`${head.slice(0, 12)}\`. Look at it, then`,
      );
      for (const command of ['approve', 'merge']) {
        world.emulator.setClockOffset(-3_600_000);
        const late = world.emulator.as('tom').comment(REPO, PULL, `/pm ${command}`);
        world.emulator.setClockOffset(0);
        await late;
        await world.idle();
      }
      expect((await said()).match(/was not shown here before your comment/g)).toHaveLength(2);
      expect(await isMerged()).toBe(false);
      await comment('tom', `/pm approve ${head.slice(0, 12)}`);
      expect(await isMerged()).toBe(true);
    },
  );

  verifies(
    'CMD-09: head at the time of the comment',
    'is not merged on a word in the second in which its head was shown',
    async () => {
      const { id: repositoryId } = world.emulator.repository(REPO);
      const kept = await world.store.load(threadKey({ repositoryId, number: PULL }));
      const state = kept?.state as ThreadState | undefined;
      const headAt = Date.parse(state?.task?.headAt ?? '');
      for (const command of ['approve', 'merge']) {
        world.emulator.allowSameSecond(true);
        world.emulator.setClockOffset(headAt - Date.now() + 100);
        const hasty = world.emulator.as('tom').comment(REPO, PULL, `/pm ${command}`);
        world.emulator.allowSameSecond(false);
        world.emulator.setClockOffset(0);
        await hasty;
        await world.idle();
      }
      expect((await said()).match(/was not shown here before your comment/g)).toHaveLength(2);
      expect(await isMerged()).toBe(false);
      await comment('tom', '/pm approve');
      expect(await isMerged()).toBe(true);
    },
  );

  verifies(
    'CMD-09: push after the approval',
    'is not merged on an approval of what was there before a push',
    async () => {
      await world.emulator.as('ana').label(REPO, PULL, ['hold']);
      await comment('tom', '/pm approve');
      const theirs = await pushTo(
        world,
        { 'src/theirs.js': 'export {};\n' },
        { branch: await branch() },
      );
      await world.emulator.as('ana').unlabel(REPO, PULL, 'hold');
      await world.idle();
      expect([await isMerged(), await headOf(world, PULL)]).toEqual([false, theirs]);
    },
  );

  verifies(
    'CMD-09: push before the comment is read',
    'is not merged on an approval that a push overtook, which is refused with the new commit',
    async () => {
      const fault = { kind: 'delay' as const, ms: 1_000 };
      world.emulator.faults.addHook({ event: 'issue_comment', action: 'created', fault });
      await world.emulator.as('tom').comment(REPO, PULL, '/pm approve');
      const theirs = await pushTo(
        world,
        { 'src/theirs.js': 'export {};\n' },
        { branch: await branch() },
      );
      await world.idle();
      expect([await isMerged(), await headOf(world, PULL)]).toEqual([false, theirs]);
      expect((await world.tell(1)).comments.join('\n')).toContain(
        `somebody pushed ${theirs.slice(0, 12)}`,
      );
    },
  );

  verifies(
    'CMD-11: hold and merge at once',
    'is not merged where a hold was written before the merge, unread so far',
    async () => {
      for (const [login, body] of [
        ['ana', '/pm hold'],
        ['tom', '/pm approve'],
        ['tom', '/pm merge'],
      ] as const)
        await world.emulator.as(login).comment(REPO, PULL, body);
      await world.idle();
      expect([await isMerged(), (await world.tell(PULL)).labels]).toEqual([false, ['hold']]);
      await comment('ana', '/pm unhold');
      await comment('tom', '/pm approve');
      expect(await isMerged()).toBe(true);
    },
  );

  verifies('TG-6', 'is merged on a review on GitHub at once, by somebody who may', async () => {
    for (const [login, isEnough] of [
      ['ana', false],
      ['eve', false],
      ['tom', true],
    ] as const) {
      const at = `/repos/${REPO}/pulls/${PULL}/reviews`;
      await world.emulator.as(login).request('POST', at, { event: 'APPROVE' });
      await world.idle();
      expect([login, await isMerged()]).toEqual([login, isEnough]);
    }
  });

  verifies('GIT-13', 'that is held is merged when its label comes off', async () => {
    await world.emulator.as('ana').label(REPO, PULL, ['hold']);
    await comment('tom', '/pm approve');
    expect(await isMerged()).toBe(false);
    await world.emulator.as('ana').request('DELETE', `/repos/${REPO}/issues/${PULL}/labels/hold`);
    await world.idle();
    expect(await isMerged()).toBe(true);
  });

  verifies(
    ['GIT-03', 'GIT-04'],
    'waits for the success of each required check, from the App that it is required of',
    async () => {
      const [ci, other] = [await anApp('Acme CI'), await anApp('Look-alike CI')];
      const rules = { checks: [{ context: 'ci', appId: ci.appId }], isStrict: false };
      world.emulator.repository(REPO).rules = new Map([
        ['main', { from: 'protection', hasQueue: false, ...rules }],
      ]);
      const sha = await headOf(world, PULL);
      await comment('tom', '/pm approve');
      for (const conclusion of ['neutral', 'skipped', 'cancelled', 'failure'] as const)
        await report(ci.octokit, sha, conclusion);
      await report(other.octokit, sha, 'success');
      const status = { state: 'success', context: 'ci' };
      await world.emulator.as('tom').request('POST', `/repos/${REPO}/statuses/${sha}`, status);
      await look();
      expect(await isMerged()).toBe(false);
      // An event reports the end of somebody's checks.
      await report(ci.octokit, sha, 'success');
      expect(await isMerged()).toBe(true);
    },
  );
});

async function anApp(name: string): Promise<{ appId: number; octokit: Octokit }> {
  const { emulator } = world;
  const { appId, privateKey } = await emulator.createApp({
    name,
    permissions: { checks: 'write' },
  });
  const installationId = emulator.installApp(appId, owner);
  const auth = { appId, privateKey, installationId };
  return { appId, octokit: octokitOf({ baseUrl: emulator.apiUrl, auth }) };
}

/** Nothing may be merged by it but by a success. */
async function report(
  octokit: Octokit,
  sha: string,
  conclusion: 'neutral' | 'skipped' | 'cancelled' | 'failure' | 'success',
): Promise<void> {
  await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
    owner,
    repo,
    name: 'ci',
    head_sha: sha,
    status: 'completed',
    conclusion,
  });
  if (conclusion === 'success') return world.idle();
  await look();
  expect([conclusion, await isMerged()]).toEqual([conclusion, false]);
}

let looks = 0;

/** Lets the team look again: a label is an event. */
async function look(): Promise<void> {
  looks += 1;
  await world.emulator.as('ana').label(REPO, PULL, [`look-${looks}`]);
  await world.idle();
}
