/** `QUORUM_CODER=actions`: the App dispatches, a workflow writes the code, the App tests, pushes and opens the pull request. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { taskKeysOf } from '../../src/domain/task/task.ts';
import { startModelServer } from '../../src/emulator/model-server/start-model-server.ts';
import { noClaude } from '../adapters/coder/claude/a-session.ts';
import { ask, bash, DONE, playMoves, sayIt, wordTask } from '../helpers/a-coder-story.ts';
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
import { waitUntil } from '../helpers/wait-until.ts';
import { temporaryFolder } from '../hosts/cli/temporary-folder.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';

const HOUR_MS = 3_600_000;
/** How a run that was sent is looked for. */
const RUNS = '/actions/workflows/{workflow_id}/runs';
const LEASE = '/git/ref/{ref}';
const REPO_ROUTE = '/repos/{owner}/{repo}';

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

  test.each([
    ['is dispatched once, also when the App is killed while the workflow runs', '', 0],
    [
      'is taken by an App that was away for longer than its lease lasts',
      'plans:\n  leaseMinutes: 20\n',
      5 * HOUR_MS,
    ],
  ])('%s', async (_, settings, awayMs) => {
    const files = planFiles(`${settings}merge:\n  mode: auto\n`);
    const app = await aKilledApp({ ...files, ...DISPATCHED_FILES }, { env: DISPATCHED_ENV });
    const world = await withDispatches(withPlans(app.world));
    const kill = await app.startToKill();
    await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    await kill();
    await world.play(run);
    app.jump(awayMs);
    await app.runToRest();
    expect(world.dispatches()).toHaveLength(1);
    expect(await world.pulls()).toHaveLength(1);
  });

  test('takes no session of the machine: with one worker, two are dispatched', async () => {
    const world = await aDispatchedWorld({ app: { concurrency: 1 } });
    const number = await world.plan([sayTask(1, 'goodbye'), sayTask(2, 'hello')]);
    const both = await world.allQueued(2);
    // People get their answers meanwhile.
    await world.emulator.as('ana').comment(REPO, number, '/pm status');
    await expect
      .poll(async () => (await world.tell(number)).comments.join('\n'), { timeout: 10_000 })
      .toContain('Cost of this thread: ');
    for (const run of both) await world.play(run);
    await world.idle();
    expect(await world.pulls()).toHaveLength(2);
  });

  test('is dispatched for a repository that says so, by an App that writes code itself', async () => {
    const world = await aDispatchedWorld({
      settings: 'coder:\n  runner: actions\nmerge:\n  mode: auto\n',
      env: { QUORUM_CODER: 'local' },
    });
    await world.plan([sayTask(1, 'goodbye')]);
    await world.play(await world.queued());
    await world.idle();
    expect(await world.pulls()).toHaveLength(1);
    expect(world.dispatches()).toHaveLength(1);
  });

  test('is not written on the machine of an App that lets workflows write it', async () => {
    const settings = 'coder:\n  runner: local\n';
    const world = await aDispatchedWorld({ settings });
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    await world.emulator.as('ana').comment(REPO, plan, '/pm approve');
    await world.idle();
    expect((await world.tell(plan)).comments.join('\n')).toContain('`coder.runner: local`');
    expect([await world.pulls(), world.dispatches()]).toEqual([[], []]);
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

  test('which a person stopped begins again when it is unblocked, with a whole allowance', async () => {
    const world = await aDispatchedWorld();
    const plan = await world.plan([sayTask(1, 'goodbye')]);
    const first = await world.queued();
    const ana = world.emulator.as('ana');
    await ana.comment(REPO, plan, '/pm stop');
    await world.idle();
    await world.play(first);
    await ana.comment(REPO, plan, '/pm unblock 1');
    await world.play(await world.queued());
    await world.idle();
    expect(world.dispatches()).toHaveLength(2);
    const limits = (await world.lastOrder()).replaceAll(/\s+/g, '');
    expect(limits).toContain('"limits":{"usd":5}');
    expect(await world.pulls()).toHaveLength(1);
    // What the first one cost nobody can tell: all that it was allowed counts for the day.
    expect((await world.store.records.spent({ keyStart: 'task:' })).usd).toBe(5);
  });

  test('is taken from the workflow that was sent it, though the settings ask for the machine of the App now', async () => {
    const world = await aDispatchedWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    const run = await world.queued();
    const path = `/repos/${REPO}/contents/.github/quorum.yml`;
    const ana = world.emulator.as('ana');
    const { sha, content: was } = (await ana.request('GET', path)) as {
      sha: string;
      content: string;
    };
    const settings = `${Buffer.from(was, 'base64').toString()}coder:\n  runner: local\n`;
    const content = Buffer.from(settings).toString('base64');
    await ana.request('PUT', path, { message: 'chore: settings', content, sha });
    await world.play(run);
    await world.idle();
    expect([await world.body(1), (await world.pulls()).length]).toEqual([expect.anything(), 1]);
    expect(world.dispatches()).toHaveLength(1);
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
    // No job asked a model, and each says so.
    expect(await world.store.records.spent({ keyStart: 'task:' })).toMatchObject({ calls: 0 });
  });

  test('is waited for without another look at the settings', async () => {
    const world = await aDispatchedWorld();
    await world.plan([sayTask(1, 'goodbye')]);
    await world.queued();
    const looks = (): number[] =>
      world.emulator.requests.flatMap(({ route }, at) => (route.endsWith(RUNS) ? [at] : []));
    const before = looks().length;
    await waitUntil(() => looks().length >= before + 4);
    const asked = world.emulator.requests
      .slice(looks()[before], looks()[before + 3])
      .filter(({ actor }) => !actor.startsWith('user:'))
      .map(({ method, route, status }) => `${method} ${route.slice(REPO_ROUTE.length)} ${status}`);
    // The lease and the list of runs: GitHub counts neither while its answer is the same.
    const [seen, ...others] = asked;
    expect(seen).toMatch(/^GET \/actions\/workflows/);
    expect(others).toEqual([
      `GET ${LEASE} 304`,
      `GET ${RUNS} 304`,
      `GET ${LEASE} 304`,
      `GET ${RUNS} 304`,
      `GET ${LEASE} 304`,
    ]);
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
  test('asks the PM in its job: the App has the answer and what it cost', async () => {
    const apiKey = ['sk', 'ant', 'played', 'k7f3q9x2m5v8b1n4'].join('-');
    const server = await startModelServer({ clock: systemClock, apiKey });
    onTestFinished(() => server.close());
    const said = { kind: 'answer', answer: 'A comma.', source: 'src/greet.js:2' };
    const moves = [ask('A comma or a dash?'), ...sayIt('goodbye')];
    playMoves(server, { moves, heard: [], answer: () => ({ text: JSON.stringify(said) }) });
    const folder = temporaryFolder({ 'models.yml': 'cheap: sonnet\n' });
    const world = await aDispatchedWorld();
    const plan = await world.plan([wordTask(1, 'goodbye')]);
    const jobs = await world.play(await world.queued(), {
      secrets: { ANTHROPIC_API_KEY: apiKey },
      machine: {
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_BIN: process.env['CLAUDE_BIN'] ?? '',
        QUORUM_MODELS: `${folder}/models.yml`,
      },
    });
    expect([jobs[0]?.conclusion, told(jobs)]).toEqual(['success', expect.anything()]);
    await world.idle();
    const [pull] = await world.pulls();
    expect(pull?.body).toContain('(the PM answered, from src/greet.js:2)');
    const { id: repositoryId } = world.emulator.repository(REPO);
    const key = `${taskKeysOf({ repositoryId, number: plan })}1`;
    const calls = await world.store.records.calls({ key, limit: 100 });
    // The coder's own program caches what it asks; the PM has nothing to cache.
    const uncached = calls.filter(
      ({ usage }) => usage.cacheReadTokens + usage.cacheWriteTokens === 0,
    );
    expect(uncached).toMatchObject([{ payer: 'repository', costUsd: expect.any(Number) }]);
  });

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
