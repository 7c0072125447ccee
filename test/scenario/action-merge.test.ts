/** What the workflow of a merge must not merge, and what it does once: jobs from their bundles, with their own tokens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveBranch, tipOf, writeCommit } from '../helpers/commits.ts';
import {
  APPLY,
  aPulledTask,
  isMerged,
  MEMORY,
  NOTHING,
  statusOf,
} from '../helpers/a-pulled-task.ts';
import {
  anApproval,
  conclusions,
  dispatch,
  playMergeWorkflow,
  pullsOf,
  SIGNING,
  told,
} from '../helpers/a-workflow-plan.ts';
import { anEvent, APPLIES, buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { moveBack } from '../helpers/a-sweep.ts';
import { REPO } from '../helpers/a-world.ts';
import { reviewAsApp } from '../helpers/another-app.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['task', 'review', 'merge', 'standup']));
afterAll(dropBuild);

const UNTESTED = ['claim: success', 'verify: skipped', 'apply: success'];

verifies(
  ['ACT-6'],
  'waits when only the person who asked for the work approved, then merges once, whatever runs again',
  async () => {
    const { planned, number, play } = await aPulledTask();
    const early = await play('ana');
    expect([conclusions(early), statusOf(early)]).toEqual([UNTESTED, 'waiting']);
    expect(told(early)).toContain('by somebody other than `ana`');
    const event = await anApproval(planned, number);
    expect(statusOf(await playMergeWorkflow(planned, event))).toBe('merged');
    const again = await playMergeWorkflow(planned, event);
    expect(conclusions(again)).toEqual(NOTHING);
    expect(told(again)).toContain('has done this already');
    const merges = planned.world.emulator.requests.filter(({ path }) => path.endsWith('/merge'));
    expect(merges).toHaveLength(1);
    expect(await isMerged(planned)).toEqual([true]);
    const [{ body } = { body: '' }] = await pullsOf(planned);
    expect(body).toContain('- `src/goodbye.js` · added +');
    expect(body).toContain('- `tom` approved the change\n');
    expect(body).toMatch(/\n### How it ended\n\n- Merged as `[0-9a-f]{12}`\n/);
    expect(body).not.toContain('Journal of the plan');
  },
);

describe('nothing is merged', () => {
  test('of a head that somebody pushed after the gates', async () => {
    const { planned, number, play } = await aPulledTask();
    const { world } = planned;
    const { head } = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/pulls/${number}`)) as { head: { ref: string; sha: string } };
    const { gitDir } = world.emulator.repository(REPO);
    const changes = { 'src/more.js': 'export const more = 1;\n' };
    await moveBranch(world, head.ref, { sha: writeCommit(gitDir, { changes, parent: head.sha }) });
    const jobs = await play();
    expect([statusOf(jobs), await isMerged(planned)]).toEqual(['waiting', [false]]);
    expect(told(jobs)).toContain('which passed no gate');
  });

  test('of a task whose lease is gone', async () => {
    const { planned, play } = await aPulledTask();
    const ref = `/repos/${REPO}/git/refs/quorum/leases/${planned.plan}-1`;
    await planned.world.emulator.as('ana').request('DELETE', ref);
    const jobs = await play();
    expect(told(jobs)).toContain('[lease-lost]');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('under a claim that ran out before the apply job', async () => {
    const { planned, play } = await aPulledTask();
    const { world } = planned;
    const jobs = await play('tom', {
      before: async (job) => {
        if (job === APPLY) await moveBack(world, 'until');
      },
    });
    expect(conclusions(jobs)).toEqual([...UNTESTED.slice(0, 2), 'apply: failure']);
    expect(told(jobs)).toContain('[claim-lost]');
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('by an apply job without the secret', async () => {
    const { planned, number, play } = await aPulledTask();
    let claim = '';
    await play('tom', {
      runId: '77',
      ended: ({ name, outputs }) => {
        if (name !== 'claim') return;
        claim = outputs['claim'] ?? '';
        outputs['proceed'] = 'false';
      },
    });
    const job = await planned.world.job({
      action: 'merge',
      permissions: { ...APPLIES, statuses: 'read' },
      event: await anApproval(planned, number),
      inputs: { step: 'apply', claim },
    });
    expect([job.exitCode, job.log]).toEqual([1, expect.stringContaining('[signing-key-missing]')]);
    expect(await isMerged(planned)).toEqual([false]);
  });

  test('where the App was installed since the claim: it merges, and the advice is given once', async () => {
    const { planned, number, play } = await aPulledTask();
    let claim = '';
    await play('tom', {
      runId: '77',
      ended: ({ name, outputs }) => {
        if (name !== 'claim') return;
        claim = outputs['claim'] ?? '';
        outputs['proceed'] = 'false';
      },
    });
    const { head } = (await planned.world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/pulls/${number}`)) as { head: { sha: string } };
    await reviewAsApp(planned.world, head.sha);
    const apply = {
      action: 'merge',
      permissions: { ...APPLIES, statuses: 'read' as const },
      event: await anApproval(planned, number),
      inputs: { step: 'apply', claim },
      env: SIGNING,
    };
    const job = await planned.world.job(apply);
    expect([job.exitCode, job.outputs['status']]).toEqual([0, 'left-to-app']);
    expect(job.summary).toContain('Nothing was written. The Quorum App is installed');
    expect(job.summary).toContain('Remove the App or this workflow.');
    expect(await isMerged(planned)).toEqual([false]);
    const again = await planned.world.job({ ...apply, attempt: 2 });
    expect(again.outputs['status']).toBe('left-to-app');
    expect(again.summary).not.toContain('Remove the App or this workflow.');
  });

  test('under a proof of tests that is of another merge, of another run or of no known form', async () => {
    const { planned, play } = await aPulledTask();
    const wrong = [{ claim: 'merge thread:7/9 review 1' }, { workflowRun: '1' }, { version: 2 }];
    for (const [at, over] of wrong.entries()) {
      const runId = String(7001 + at);
      let ticket: { claim?: string } = {};
      const jobs = await play('tom', {
        runId,
        ended: ({ name, outputs }) => {
          if (name === 'claim') ticket = JSON.parse(outputs['claim'] ?? '{}') as typeof ticket;
          if (name !== 'verify') return;
          const proof = { version: 1, claim: ticket.claim, workflowRun: runId };
          const done = { baseSha: 'b'.repeat(40), done: { conflict: ['a.js'] } };
          outputs['proof'] = JSON.stringify({ ...proof, ...done, ...over });
        },
      });
      expect(told(jobs)).toContain('[intents-invalid]');
      expect(await isMerged(planned)).toEqual([false]);
    }
  });
});

test('a review counts with the write role alone, and a start by a person alone: that merges the head that GitHub showed', async () => {
  const { planned, number, play } = await aPulledTask();
  const before = await tipOf(planned.world, MEMORY);
  const byReader = await play('eve');
  expect(conclusions(byReader)).toEqual(NOTHING);
  expect(told(byReader)).toContain('`eve` has the permission `read` here');
  expect(await tipOf(planned.world, MEMORY)).toBe(before);

  planned.world.emulator.setClockOffset(5_000);
  await anApproval(planned, number);
  const inputs = { pr: String(number) };
  const start = async (type: 'Bot' | 'User') => {
    const runId = await dispatch(planned, 'quorum-merge.yml', inputs);
    const event = await anEvent(planned.world, 'workflow_dispatch', { inputs });
    const sender = { ...(event.payload as { sender: object }).sender, type };
    const payload = { ...event.payload, sender };
    return playMergeWorkflow(planned, { ...event, payload }, { runId });
  };
  const byBot = await start('Bot');
  expect(conclusions(byBot)).toEqual(NOTHING);
  expect(told(byBot)).toContain('A merge is started by a person, not by a bot.');
  expect(await isMerged(planned)).toEqual([false]);
  expect(statusOf(await start('User'))).toBe('merged');
});

test('a merge that was made before the App was installed stays made, and the plan is left to the App', async () => {
  const { planned, number, play } = await aPulledTask();
  let claim = '';
  await play('tom', {
    runId: '77',
    ended: ({ name, outputs }) => {
      if (name === 'claim') claim = outputs['claim'] ?? '';
    },
  });
  expect(await isMerged(planned)).toEqual([true]);
  const { head } = (await planned.world.emulator
    .as('ana')
    .request('GET', `/repos/${REPO}/pulls/${number}`)) as { head: { sha: string } };
  await reviewAsApp(planned.world, head.sha);
  const again = await planned.world.job({
    action: 'merge',
    attempt: 2,
    permissions: { ...APPLIES, statuses: 'read' },
    event: await anApproval(planned, number),
    inputs: { step: 'apply', claim },
    env: SIGNING,
  });
  expect([again.exitCode, again.outputs['status']]).toEqual([0, 'done-before']);
  expect(again.summary).toContain('It was merged before.');
  expect(again.summary).not.toContain('Nothing was written');
});
