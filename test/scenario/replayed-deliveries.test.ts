/** Somebody who captured signed bodies sends them again under new GUIDs: each is acknowledged, and nothing follows from it. */
import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { push } from '../helpers/a-pull.ts';
import { build, green, red } from '../helpers/a-build.ts';
import { aLeapWorld } from '../helpers/a-leap-world.ts';
import { aWorld, isWrite, READY_ISSUE, REPO, type TestWorld } from '../helpers/a-world.ts';
import { aPull, anIssue, say } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

/** Sends every body of the past again, in the same order; tells what the App said to each. */
async function replay(
  { emulator, appEnv, app }: TestWorld,
  only?: string,
): Promise<Map<string, Set<string>>> {
  const said = new Map<string, Set<string>>();
  for (const { event, action, payload } of emulator.deliveries.slice()) {
    if (only !== undefined && action !== only) continue;
    const hmac = createHmac('sha256', appEnv['WEBHOOK_SECRET'] ?? '').update(payload);
    const answer = await fetch(`${app.url}/api/github/webhooks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${hmac.digest('hex')}`,
      },
      body: payload,
    });
    const { status } = (await answer.json()) as { status: string };
    const name = action === undefined ? event : `${event}.${action}`;
    said.set(name, (said.get(name) ?? new Set()).add(`${answer.status} ${status}`));
  }
  return said;
}

verifies(
  [
    'ING-04: issue and label',
    'ING-04: comment and command',
    'ING-04: pull request and push',
    'ING-04: build',
    'ING-04: installation and repository',
  ],
  'bodies of a day under new GUIDs change nothing on GitHub and ask no model',
  async () => {
    const world = await aWorld({ files: QUICK });
    const issue = await world.ask({
      title: 'Add a quiet flag',
      body: 'So that cron stays silent.',
    });
    const held = await anIssue(world);
    await say(world, held, '/pm hold');
    await say(world, held, '/pm resume');
    await say(world, issue, '/pm status');
    const pull = await aPull(world, { 'src/run.ts': 'export const run = 1;\n' });
    await world.idle();
    await push(world, { 'src/run.ts': 'export const run = 2;\n' });
    await world.idle();
    await build(world, green());
    await build(world, red());
    await world.idle();
    for (const isSuspended of [true, false]) {
      world.emulator.suspendInstallation(world.installationId, isSuspended);
      await world.idle();
    }
    world.emulator.renameRepository(REPO, 'neat');
    world.emulator.renameRepository('acme/neat', 'tidy');
    await world.idle();
    const told = async () =>
      JSON.stringify([await world.tell(issue), await world.tell(held), await world.tell(pull)]);
    const before = await told();
    const from = world.emulator.requests.length;
    const calls = (await world.store.records.effects({ limit: 10_000 })).filter(
      ({ data }) => data.kind === 'ask',
    ).length;
    const said = await replay(world);
    await world.idle();
    for (const name of [
      'issues.labeled',
      'issue_comment.created',
      'pull_request.opened',
      'pull_request.synchronize',
      'workflow_run.completed',
    ])
      expect([
        name,
        said.get(name)?.has('202 duplicate'),
        said.get(name)?.has('202 queued'),
      ]).toEqual([name, true, false]);
    expect([...said.keys()]).toEqual(
      expect.arrayContaining(['installation.suspend', 'repository.renamed']),
    );
    expect(
      world.emulator.requests
        .slice(from)
        .filter(isWrite)
        .map(({ method, path }) => `${method} ${path}`),
    ).toEqual([]);
    expect(
      (await world.store.records.effects({ limit: 10_000 })).filter(
        ({ data }) => data.kind === 'ask',
      ),
    ).toHaveLength(calls);
    expect(await told()).toBe(before);
  },
);

verifies(
  'ING-04: installation and repository',
  'a captured suspension, and one of a repository’s removal, hold until the reconcile pass has asked GitHub',
  async () => {
    const world = await aLeapWorld();
    const { emulator, installationId } = world;
    for (const isSuspended of [true, false]) {
      emulator.suspendInstallation(installationId, isSuspended);
      await world.pass(MINUTE);
    }
    for (const change of [{ removed: [REPO] }, { added: [REPO] }]) {
      emulator.changeRepositories(installationId, change);
      await world.pass(MINUTE);
    }
    for (const action of ['suspend', 'removed']) {
      await replay(world, action);
      await world.pass(10 * MINUTE);
      const title = action === 'suspend' ? READY_ISSUE.title : 'Rename the cache folder';
      const number = await world.ask({ ...READY_ISSUE, title });
      await world.pass(10 * MINUTE);
      expect([action, (await world.tell(number)).comments.length]).toEqual([action, 1]);
    }
  },
);
