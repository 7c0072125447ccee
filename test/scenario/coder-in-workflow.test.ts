/** `QUORUM_CODER=actions`: the App dispatches, a workflow writes the code, the App tests, pushes and opens the pull request. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { startModelServer } from '../../src/emulator/model-server/start-model-server.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { bash, DONE, playMoves, sayIt, wordTask } from '../helpers/a-coder-story.ts';
import { adding, planFiles, sayTask, withPlans } from '../helpers/a-plan-story.ts';
import {
  aDispatchedWorld,
  DISPATCHED_ENV,
  DISPATCHED_FILES,
  withDispatches,
} from '../helpers/a-dispatched-run.ts';
import { aKilledApp } from '../helpers/a-killed-app.ts';
import { anArchiveOf } from '../helpers/an-archive.ts';
import { told } from '../helpers/a-workflow-plan.ts';
import { buildForTests, dropBuild } from '../helpers/a-workflow-run.ts';
import { REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

beforeAll(() => buildForTests(['code']));
afterAll(dropBuild);

describe.skipIf(noBwrap !== undefined)('a task whose code is written in a workflow', () => {
  test('becomes a pull request from the change in the artifact, with the journal of the App', async () => {
    const settings = 'journal:\n  inPullRequests: true\nmerge:\n  mode: auto\n';
    const world = await aDispatchedWorld({ settings });
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    const jobs = await world.play(run);
    expect([jobs.map(({ conclusion }) => conclusion), told(jobs)]).toEqual([
      ['success'],
      expect.anything(),
    ]);
    await world.idle();
    const [pull] = await world.pulls();
    expect(pull?.title).toBe(`A function that says goodbye (#${plan}, task 1)`);
    const path = `.quorum/journal/${plan}-1.md`;
    const address = `/repos/${REPO}/contents/${path}?ref=${pull?.head.sha ?? ''}`;
    const file = (await world.emulator.as('ana').request('GET', address)) as { content: string };
    const journal = Buffer.from(file.content, 'base64').toString();
    // A runner has no records: what happened before the session is known to the App alone.
    expect(journal).toContain('ana');
    expect(world.dispatches()).toHaveLength(1);
    await world.emulator.as('tom').comment(REPO, pull?.number ?? 0, '/pm approve');
    await world.idle();
    expect((await world.pulls())[0]?.merged_at).not.toBeNull();
    expect(world.openApi.violations).toEqual([]);
  });

  test('is dispatched once, also when the App is killed while the workflow runs', async () => {
    const app = await aKilledApp(
      { ...planFiles('merge:\n  mode: auto\n'), ...DISPATCHED_FILES },
      { env: DISPATCHED_ENV },
    );
    const world = await withDispatches(withPlans(app.world));
    const kill = await app.startToKill();
    await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    await kill();
    await world.play(run);
    await app.runToRest();
    expect(world.dispatches()).toHaveLength(1);
    expect(await world.pulls()).toHaveLength(1);
  });

  test('which a person stopped before a machine was free: its job writes no code', async () => {
    const world = await aDispatchedWorld();
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    await world.emulator.as('ana').comment(REPO, plan, '/pm stop');
    await world.idle();
    const jobs = await world.play(run);
    expect(told(jobs)).toContain('Task 1 is not held by this attempt any more.');
    await world.idle();
    expect(await world.pulls()).toEqual([]);
    expect(await world.body(plan)).toContain('**Status:** blocked (stopped by ana');
  });

  test('is not written for a dispatch of anybody but the App that the workflow names', async () => {
    const world = await aDispatchedWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    const jobs = await world.play(await world.queued(), { app: '1' });
    expect(jobs.map(({ conclusion }) => conclusion)).toEqual(['failure']);
    expect(told(jobs)).toContain('not the App that the workflow names in `app`');
    // Every attempt of the task sends its own.
    for (let attempt = 1; attempt < 3; attempt += 1)
      await world.play(await world.queued(), { app: '1' });
    await world.idle();
    expect(await world.pulls()).toEqual([]);
    expect(world.dispatches()).toHaveLength(3);
  });

  test('is held to the gates of the App, whatever change the workflow leaves', async () => {
    const world = await aDispatchedWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    const patch = adding({ '.github/workflows/more.yml': 'on: push\n' });
    await world.play(run, {
      tamper: () => ({ 'quorum-code': anArchiveOf(run, { patch: `${patch}\n` }) }),
    });
    await world.queued();
    expect(await world.pulls()).toEqual([]);
    // The prompt of the next attempt says why the first one was refused.
    const order = (await world.lastOrder()).replaceAll(/\s+/g, ' ');
    expect(order).toContain('more.yml');
  });
});

describe.skipIf(noClaude !== undefined)('Claude Code in a workflow', () => {
  test('writes a task with the key of the repository, and the App books what it cost', async () => {
    const apiKey = ['sk', 'ant', 'played', 'k7f3q9x2m5v8b1n4'].join('-');
    const server = await startModelServer({ clock: systemClock, apiKey });
    onTestFinished(() => server.close());
    const heard: string[] = [];
    const moves = [...sayIt('goodbye'), bash('node --test')];
    playMoves(server, { moves, heard, answer: () => DONE });
    const world = await aDispatchedWorld();
    await world.plan([wordTask(1, 'goodbye')]);
    const jobs = await world.play(await world.queued(), {
      secrets: { ANTHROPIC_API_KEY: apiKey },
      machine: {
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_BIN: process.env['CLAUDE_BIN'] ?? '',
      },
    });
    expect([jobs[0]?.conclusion, told(jobs)]).toEqual(['success', expect.anything()]);
    expect(told(jobs)).not.toContain('the coder failed');
    await world.idle();
    expect(heard.at(-1)).toContain('fail 0');
    const [pull] = await world.pulls();
    expect(pull?.body).toContain('Says it, with a test.');
    const spent = await world.store.records.spent({ keyStart: 'task:' });
    expect(spent.usd).toBeGreaterThan(0);
    expect(spent.unknownCalls).toBe(0);
  });
});
