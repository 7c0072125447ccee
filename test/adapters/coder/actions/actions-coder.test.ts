/** A coder in a workflow, on the embedded GitHub: one dispatch for a session, and what its run may say. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createActionsCoder } from '../../../../src/adapters/coder/actions/actions-coder.ts';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import { createTestClock } from '../../github/stage.ts';
import { dispatchKey, type CodeData } from '../../../../src/domain/dispatch/code-order.ts';
import { untoldCall } from '../../../../src/domain/dispatch/untold-cost.ts';
import { aZip } from '../../../helpers/a-zip.ts';
import { DISPATCHED_FILES } from '../../../helpers/a-dispatched-run.ts';
import { verifies } from '../../../verifies.ts';
import { aWorkflowWorld, DISPATCH_WORKFLOW, NAME, PATCH, TASK } from './a-workflow.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a session in a workflow', () => {
  test('is one dispatch, and ends with the change, the cost and the questions of its run', async () => {
    const world = await aWorkflowWorld();
    world.onNap(() => world.end());
    const outcome = await world.run();
    expect(outcome).toMatchObject({ outcome: 'done', summary: 'Adds it.', turns: 3 });
    expect(outcome.calls.map(({ costUsd }) => costUsd)).toEqual([0.5, 0.5]);
    expect(world.applied).toEqual([PATCH]);
    expect(world.answers.map(({ question }) => question)).toEqual(['Why?']);
    const key = dispatchKey(world.emulator.repository(NAME).id, 'run-1/3-code');
    expect(world.dispatches()).toMatchObject([
      { eventType: 'quorum-code', clientPayload: { version: 1, key } },
    ]);
    expect(world.openApi.violations).toEqual([]);
  });

  test('sends the prompt as an object of the repository, and not in the dispatch', async () => {
    const world = await aWorkflowWorld();
    world.onNap(() => world.end());
    await world.run();
    const [sent] = world.dispatches();
    const order = String(Reflect.get(Object(sent?.clientPayload), 'order'));
    const blob = (await world.emulator
      .as('alice')
      .request('GET', `/repos/${NAME}/git/blobs/${order}`)) as { content: string };
    const text = Buffer.from(blob.content, 'base64').toString();
    expect(JSON.parse(text)).toMatchObject({ limits: { usd: 2 }, data: { prompt: 'Add it.' } });
    expect(JSON.stringify(sent)).not.toContain('Add it.');
  });

  test('costs what its run says, also beyond what it was allowed: that is spent', async () => {
    const world = await aWorkflowWorld();
    world.onNap(() => world.end());
    const outcome = await world.run({ task: { ...TASK, limits: { ...TASK.limits, usd: 0.6 } } });
    expect(outcome.calls.map(({ costUsd }) => costUsd)).toEqual([0.5, 0.5]);
  });

  test('is found among those of everybody else, however many began since', async () => {
    const world = await aWorkflowWorld();
    let naps = 0;
    world.onNap(async () => {
      naps += 1;
      const { workflowRuns } = world.emulator.repository(NAME);
      const [own] = workflowRuns;
      if (own === undefined || naps > 1) return world.end();
      for (let n = 0; n < 250; n += 1)
        workflowRuns.push({ ...own, id: own.id + 1_000 + n, title: 'quorum-code of another' });
    });
    expect(await world.run()).toMatchObject({ outcome: 'done' });
    expect(world.dispatches()).toHaveLength(1);
  });
});

describe('a second dispatch is not sent', () => {
  test('when the session is carried out again while its run goes on, or after it', async () => {
    const world = await aWorkflowWorld();
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-not-shown' });
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-running' });
    await world.end();
    expect(await world.look()).toMatchObject({ outcome: 'done' });
    expect(await world.look()).toMatchObject({ outcome: 'done' });
    expect(world.dispatches()).toHaveLength(1);
  });

  verifies('DUR-10', 'when the answer to the first was lost', async () => {
    const world = await aWorkflowWorld();
    world.emulator.faults.add({
      path: '/repos/{owner}/{repo}/dispatches',
      fault: { kind: 'effect-then-fail', status: 502 },
    });
    await expect(world.run()).rejects.toMatchObject({ code: 'github-unavailable' });
    world.onNap(() => world.end());
    expect(await world.run()).toMatchObject({ outcome: 'done' });
    expect(world.dispatches()).toHaveLength(1);
  });

  test('when somebody deletes the run: two minutes later the attempt fails and says why', async () => {
    const world = await aWorkflowWorld();
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-not-shown' });
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-running' });
    world.runs().length = 0;
    const deletedAt = world.clock.now();
    const outcome = await world.run();
    expect(outcome).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /has shown no run of .* in 2 minutes\. Somebody deleted the run/,
      ),
      calls: [{ costUsd: undefined }],
    });
    expect(world.clock.now() - deletedAt).toBeGreaterThan(2 * MINUTE);
    expect(world.dispatches()).toHaveLength(1);
  });

  test('when the process ended right before it sent the first: nobody knows that it did not', async () => {
    const world = await aWorkflowWorld();
    world.emulator.faults.add({
      path: '/repos/{owner}/{repo}/dispatches',
      fault: { kind: 'fail-without-effect' },
    });
    await expect(world.look()).rejects.toMatchObject({ code: 'github-unavailable' });
    expect(world.isSent()).toBe(true);
    expect(await world.run()).toMatchObject({ outcome: 'failed' });
    expect(world.dispatches()).toEqual([]);
  });

  test('but one that GitHub did not take is no dispatch: the next look sends it', async () => {
    const world = await aWorkflowWorld();
    world.emulator.faults.add({
      path: '/repos/{owner}/{repo}/dispatches',
      fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    });
    await expect(world.look()).rejects.toMatchObject({ code: 'github-rate-limited' });
    expect(world.isSent()).toBe(false);
    world.clock.advance(2 * HOUR);
    world.onNap(() => world.end());
    expect(await world.run()).toMatchObject({ outcome: 'done' });
    expect(world.dispatches()).toHaveLength(1);
  });

  test('nor is one of an App whose key GitHub does not take', async () => {
    const world = await aWorkflowWorld();
    world.emulator.faults.add({
      path: '/repos/{owner}/{repo}/dispatches',
      fault: { kind: 'status', status: 401 },
      times: 5,
    });
    await expect(world.look()).rejects.toMatchObject({ code: 'github-unauthorised' });
    expect(world.isSent()).toBe(false);
  });

  test('when an older version may have sent it: its run is taken once GitHub shows it', async () => {
    const world = await aWorkflowWorld();
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-not-shown' });
    const own = world.runs().splice(0);
    world.forget();
    world.doubt();
    await expect(world.look()).rejects.toMatchObject({ code: 'workflow-not-shown' });
    expect([world.isSent(), world.dispatches()]).toEqual([
      false,
      expect.objectContaining({ length: 1 }),
    ]);
    world.runs().push(...own);
    world.onNap(() => world.end());
    expect(await world.run()).toMatchObject({ outcome: 'done' });
    expect(world.dispatches()).toHaveLength(1);
  });

  test('when an older version had not sent it: it is sent two minutes later', async () => {
    const world = await aWorkflowWorld();
    world.doubt();
    const begun = world.clock.now();
    let sentAt: number | undefined;
    world.onNap(() => {
      if (world.isSent()) sentAt ??= world.clock.now();
      return world.end();
    });
    expect(await world.run()).toMatchObject({ outcome: 'done' });
    expect((sentAt ?? 0) - begun).toBeGreaterThan(2 * MINUTE);
    expect(world.dispatches()).toHaveLength(1);
  });
});

const CALLS = Array.from({ length: 2 }, () => ({ ...untoldCall(10), provider: 'p', costUsd: 0.5 }));

describe('a session has no result', () => {
  test.each([
    ['failed', { conclusion: 'failure' }, 'The workflow ended as failure.'],
    ['was cancelled', { conclusion: 'cancelled' }, 'The workflow ended as cancelled.'],
    ['left no artifact of that name', { name: 'renamed' }, 'left no artifact `quorum-code`'],
    ['left the result of another session', { work: { claim: 'x' } }, 'it is of another claim'],
    ['left the result of another run', { work: { workflowRun: '1' } }, 'it is of another run'],
    ['left another patch', { work: { patch: '0'.repeat(64) } }, 'not the one that it names'],
    ['left more keys', { work: { more: 1 } }, 'it does not have the form of a change'],
    ['left no archive', { archive: Buffer.from('no zip') }, 'it is no whole archive'],
    ['left other files', { archive: aZip([{ name: 'x', content: '' }]) }, 'it holds other files'],
    [
      'left a change that is too large',
      { coded: { isTooLarge: true } },
      'The change is too large.',
    ],
    [
      'could not work on it',
      { work: { done: { failed: { code: 'github-unavailable', message: 'It is away.' } } } },
      'The workflow could not work on it: It is away.',
    ],
    [
      'could not work on it any more, and says what it cost until then',
      { work: { done: { failed: { code: 'model-busy', message: 'No.', calls: CALLS } } } },
      'The workflow could not work on it: No.',
    ],
  ])('when its run %s', async (_, over, why) => {
    const world = await aWorkflowWorld();
    world.onNap(() => world.end(over));
    const outcome = await world.run();
    expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(why) });
    expect(outcome).toMatchObject({ reason: expect.stringContaining('/actions/runs/') });
    // What the job reports it cost, where it can be believed; else nobody knows.
    const told = [{ costUsd: 0.5 }, { costUsd: 0.5 }];
    const isTold = why === 'The change is too large.' || why.endsWith('No.');
    expect(outcome.calls).toMatchObject(isTold ? told : [{ costUsd: undefined, outcome: 'error' }]);
    expect(world.applied).toEqual([]);
  });

  test('when its job failed before a model was asked, and says so: it costs nothing', async () => {
    const world = await aWorkflowWorld();
    const failed = { code: 'intents-invalid', message: 'Another App sent it.', calls: [] };
    world.onNap(() => world.end({ conclusion: 'failure', work: { done: { failed } } }));
    expect(await world.run()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('could not work on it: Another App sent it.'),
      calls: [],
    });
  });

  test.each(['coder-unavailable', 'no-sandbox'])(
    'when its machine lacks something (%s): that is no attempt, and the task is blocked',
    async (code) => {
      const world = await aWorkflowWorld();
      world.onNap(() => world.end({ work: { done: { failed: { code, message: 'No key.' } } } }));
      await expect(world.run()).rejects.toMatchObject({
        code: 'coder-unavailable',
        message: expect.stringMatching(
          /^The workflow cannot write code: No key\. See .*\/actions\/runs\//,
        ),
      });
      // No model was asked: nothing stays reserved.
      expect(world.isSent()).toBe(false);
    },
  );

  test('when its change does not apply to the commit that it started from', async () => {
    const world = await aWorkflowWorld();
    world.refuse('src/a.js is not there');
    world.onNap(() => world.end());
    expect(await world.run()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('does not apply to aaaaaaaaaaaa: src/a.js is not there'),
      calls: [{ costUsd: 0.5 }, { costUsd: 0.5 }],
    });
    // What was asked on the way, and what it cost, is reported as of a session here.
    expect(world.answers.map(({ question }) => question)).toEqual(['Why?']);
  });

  test('when GitHub starts no run of which the title says that it is this one', async () => {
    const [[file, text] = ['', '']] = Object.entries(DISPATCHED_FILES);
    const world = await aWorkflowWorld({ [file]: text.replace(/^run-name.*$/m, '') });
    expect(await world.run()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(`GitHub has shown no run of \`${DISPATCH_WORKFLOW}\``),
      calls: [{ costUsd: undefined }],
    });
  });

  test('when a person sends a dispatch with the same key: only the run of the App counts', async () => {
    const world = await aWorkflowWorld();
    const key = dispatchKey(world.emulator.repository(NAME).id, 'run-1/3-code');
    const payload = { event_type: 'quorum-code', client_payload: { key } };
    await world.emulator.as('alice').request('POST', `/repos/${NAME}/dispatches`, payload);
    await world.end();
    world.onNap(() => world.end());
    await world.run();
    expect(world.runs().map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(world.dispatches()).toHaveLength(2);
  });

  test('when its task was stopped or taken before it was sent: no dispatch is sent, and it costs nothing', async () => {
    const world = await aWorkflowWorld();
    world.stop();
    expect(await world.run()).toMatchObject({ outcome: 'cancelled', calls: [] });
    expect(world.dispatches()).toEqual([]);
  });

  test('when its task was stopped or taken after it was sent: nobody can tell what it cost', async () => {
    const world = await aWorkflowWorld();
    world.onNap(() => world.stop());
    expect(await world.run()).toMatchObject({
      outcome: 'cancelled',
      calls: [{ costUsd: undefined }],
    });
    expect(world.dispatches()).toHaveLength(1);
  });

  test('when it was stopped', async () => {
    const world = await aWorkflowWorld();
    const stop = new AbortController();
    world.onNap(() => stop.abort());
    expect(await world.run({ signal: stop.signal })).toMatchObject({ outcome: 'cancelled' });
    expect(world.dispatches()).toHaveLength(1);
  });

  test('when its run has not ended an hour after its time', async () => {
    const world = await aWorkflowWorld();
    const begun = world.clock.now();
    const outcome = await world.run();
    expect(outcome).toMatchObject({ outcome: 'timed-out' });
    const took = (world.clock.now() - begun) / MINUTE;
    expect([took > 89, took < 92]).toEqual([true, true]);
  });
});

test('an archive that is larger than what it may hold is not read to its end', async () => {
  const world = await aWorkflowWorld();
  world.onNap(() => world.end({ archive: randomBytes(200_000) }));
  await world.run();
  const { port, thread } = world;
  const [artifact] = await port.artifactsOf(thread, world.runs()[0]?.id ?? 0);
  await expect(port.filesOf(thread, artifact?.id ?? 0, new Map([['x', 1]]))).rejects.toMatchObject({
    code: 'intents-invalid',
    message: 'The artifact has more than 100001 bytes.',
  });
});

describe('no session begins', () => {
  test('for an App whose account GitHub does not show', async () => {
    const clock = createTestClock();
    const coder = createActionsCoder({ clock, self: () => Promise.resolve({ id: 0 }) });
    const { port, thread } = await aWorkflowWorld();
    const errand = {
      effectId: 'run-1/3-code',
      at: '2026-11-05T10:00:00.000Z',
      data: { kind: 'code', thread } as CodeData,
      isSent: false,
      sending: () => Promise.resolve(),
      notSent: () => Promise.resolve(),
      isStopped: () => Promise.resolve(false),
      dispatches: port,
      apply: () => Promise.resolve({ outcome: 'applied' as const }),
      answered: () => undefined,
    };
    const place = { folder: '/', gitDir: '/', errand };
    await expect(coder.run(TASK, place, new AbortController().signal)).rejects.toMatchObject({
      code: 'coder-unavailable',
    });
  });

  test('for an order of more than 6 MB', async () => {
    const world = await aWorkflowWorld();
    const task = { ...TASK, prompt: trusted('x'.repeat(6_000_000)) };
    await expect(world.run({ task })).rejects.toMatchObject({
      message: expect.stringContaining('bytes, which is too much'),
    });
    expect(world.dispatches()).toEqual([]);
  });

  test('where the repository has no such workflow', async () => {
    const world = await aWorkflowWorld({});
    await expect(world.run()).rejects.toMatchObject({
      code: 'coder-unavailable',
      message: expect.stringContaining(`has no \`${DISPATCH_WORKFLOW}\` on its default branch`),
    });
    expect(world.dispatches()).toEqual([]);
  });

  test.each([
    ['read runs', { contents: 'write', metadata: 'read' }],
    ['send a dispatch', { actions: 'read', contents: 'read', metadata: 'read' }],
  ] as const)('where the owner has not accepted that the App may %s', async (_, permissions) => {
    const world = await aWorkflowWorld();
    world.emulator.setPermissions(world.installationId, permissions);
    await expect(world.run()).rejects.toMatchObject({
      code: 'coder-unavailable',
      message: expect.stringContaining('accept its permissions on the installation page'),
    });
    expect(world.dispatches()).toEqual([]);
  });
});
