/** What reaches the jobs of a workflow and must not be acted on: forks, Apps, changed comments and foreign artifacts. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeptArtifact } from '../../src/emulator/actions/results-service.ts';
import { aWidePull, checksOf, headOf } from '../helpers/a-pull.ts';
import { anotherApp } from '../helpers/another-app.ts';
import { openPullOf, tipOf } from '../helpers/commits.ts';
import {
  anActionsWorld,
  anEvent,
  anOpenedPull,
  APPLIES,
  buildForTests,
  CLAIMS,
  dropBuild,
  READS,
  type ActionsWorld,
  type Job,
  type JobWanted,
} from '../helpers/a-workflow-run.ts';
import { isWrite, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { aZip } from '../helpers/a-zip.ts';

beforeAll(() => buildForTests(['review', 'command']));
afterAll(dropBuild);

interface Flow {
  claimed: Job;
  done: Job;
  apply: () => Promise<Job>;
}

async function readUpToApply(
  world: ActionsWorld,
  action: string,
  event: JobWanted['event'],
): Promise<Flow> {
  const base = { action, event };
  const claimed = await world.job({ ...base, permissions: CLAIMS, inputs: { step: 'claim' } });
  const claim = claimed.outputs['claim'] ?? '';
  const inputs = { step: 'agent', claim };
  const done = await world.job({ ...base, permissions: READS, inputs });
  const digest = done.outputs['digest'] ?? '';
  const apply = (): Promise<Job> =>
    world.job({ ...base, permissions: APPLIES, inputs: { step: 'apply', claim, digest } });
  return { claimed, done, apply };
}

const claimOf = (world: ActionsWorld, event: JobWanted['event']): Promise<Job> =>
  world.job({ action: 'review', event, permissions: CLAIMS, inputs: { step: 'claim' } });

describe('a run of a fork that has ended', () => {
  async function aFork() {
    const world = await anActionsWorld();
    await world.emulator.createFork(REPO, 'tom');
    const files = {
      'src/more.js': 'export const more = 1;\n',
      // Nothing of these counts: they are the fork's.
      '.github/quorum.yml': 'enabled: false\n',
      '.github/workflows/quorum.yml': 'on: push\n',
      'intents.json': '{"version":1,"intents":[]}\n',
    };
    const number = await openPullOf(world, files, { by: 'tom', repository: 'tom/tidy' });
    const pull = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/pulls/${number}`)) as {
      head: { sha: string; ref: string; repo: object };
    };
    const { sha, ref, repo } = pull.head;
    const run = { event: 'pull_request', head_sha: sha, head_branch: ref, head_repository: repo };
    return { world, number, run };
  }

  test('is reviewed by the settings of the base, whatever files it changes, at the head that GitHub shows now', async () => {
    const { world, number, run } = await aFork();
    const event = await anEvent(world, 'workflow_run', { action: 'completed', workflow_run: run });
    const { apply } = await readUpToApply(world, 'review', event);
    expect((await apply()).exitCode).toBe(0);
    const checks = (await world.emulator
      .as('ana')
      .request('GET', `/repos/${REPO}/commits/${run.head_sha}/check-runs`)) as {
      check_runs: { name: string }[];
    };
    expect(checks.check_runs.map(({ name }) => name)).toEqual(['quorum / review']);
    expect(await headOf(world, number)).toBe(run.head_sha);
  });

  test('is left alone when its commit is the head of no open pull request', async () => {
    const { world, run } = await aFork();
    const stale = { ...run, head_sha: 'b'.repeat(40) };
    const event = await anEvent(world, 'workflow_run', {
      action: 'completed',
      workflow_run: stale,
    });
    expect((await claimOf(world, event)).outputs).toEqual({ proceed: 'false' });
  });
});

/** An App begins the review of this head. */
async function anAppReviews(world: ActionsWorld, number: number): Promise<void> {
  const headers = await anotherApp(world, { checks: 'write' });
  await fetch(`${world.emulator.apiUrl}/repos/${REPO}/check-runs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'quorum / review', head_sha: await headOf(world, number) }),
  });
}

const APP_ACTS = 'The Quorum App is installed in this repository and acts on this event.';
const ADVICE = 'Remove the App or this workflow.';

describe('an event is left to the App', () => {
  test('where the App has written on the head, and the first summary alone advises to remove one of both', async () => {
    const world = await anActionsWorld();
    const number = await aWidePull(world, 1);
    await anAppReviews(world, number);
    const claimed = await claimOf(world, await anOpenedPull(world, number));
    expect(claimed.outputs).toEqual({ proceed: 'false' });
    expect(claimed.summary).toContain(`${APP_ACTS} ${ADVICE}`);
    const again = await claimOf(world, await anOpenedPull(world, number));
    expect(again.outputs).toEqual({ proceed: 'false' });
    expect(again.summary).toContain(APP_ACTS);
    expect(again.summary).not.toContain(ADVICE);
  });

  test('that began while the models of the workflow worked: nothing is written, and the claim ends with its cost', async () => {
    const world = await anActionsWorld();
    const number = await aWidePull(world, 1);
    const event = await anOpenedPull(world, number);
    const { apply } = await readUpToApply(world, 'review', event);
    await anAppReviews(world, number);
    const { exitCode, summary, calls } = await apply();
    expect([exitCode, summary]).toEqual([0, expect.stringContaining(`${APP_ACTS} ${ADVICE}`)]);
    expect(calls.filter((call) => /reviews|comments|check-runs 201/.test(call))).toEqual([]);
    const checks = await checksOf(world, await headOf(world, number));
    expect(checks.map(({ status }) => status)).toEqual(['queued']);
    const { gitDir } = world.emulator.repository(REPO);
    const show = ['show', 'quorum/memory:state/actions.json'];
    const state = JSON.parse(execFileSync('git', show, { cwd: gitDir, encoding: 'utf8' })) as {
      claims: Record<string, { doneAt?: string }>;
    };
    expect(Object.values(state.claims)).toEqual([
      expect.objectContaining({ doneAt: expect.any(String) }),
    ]);
  });
});

test('the settings of a branch count that became the default one after the event', async () => {
  const world = await anActionsWorld();
  const number = await aWidePull(world, 1);
  const event = await anOpenedPull(world, number);
  const ana = world.emulator.as('ana');
  const sha = await tipOf(world, 'main');
  await ana.request('POST', `/repos/${REPO}/git/refs`, { ref: 'refs/heads/trunk', sha });
  await ana.request('PUT', `/repos/${REPO}/contents/.github/quorum.yml`, {
    message: 'chore: pause',
    branch: 'trunk',
    content: Buffer.from('enabled: false\n').toString('base64'),
  });
  await ana.request('PATCH', `/repos/${REPO}`, { default_branch: 'trunk' });
  const { apply } = await readUpToApply(world, 'review', event);
  const { calls } = await apply();
  expect(calls.filter((call) => /reviews|check-runs 201/.test(call))).toEqual([]);
  expect((await checksOf(world, await headOf(world, number))).length).toBe(0);
});

test('a claim that a rule of the memory branch refuses fails and says which branch', async () => {
  const world = await anActionsWorld();
  const rules = { checks: [], isStrict: false, hasQueue: false, mustPull: true };
  world.emulator.repository(REPO).rules = new Map([
    ['quorum/memory', { from: 'ruleset', ...rules }],
  ]);
  const claimed = await claimOf(world, await anOpenedPull(world, await aWidePull(world, 1)));
  expect([claimed.exitCode, claimed.outputs]).toEqual([1, {}]);
  expect(claimed.summary).toContain('GitHub refuses to update the branch quorum/memory');
});

async function aCommand(world: ActionsWorld, body: string) {
  const ana = world.emulator.as('ana');
  const { number } = await ana.openIssue(REPO, READY_ISSUE);
  const { id } = (await ana.comment(REPO, number, body)) as { id: number };
  const issue = await ana.request('GET', `/repos/${REPO}/issues/${number}`);
  const comment = await ana.request('GET', `/repos/${REPO}/issues/comments/${id}`);
  const event = await anEvent(world, 'issue_comment', { action: 'created', issue, comment });
  return { number, id, event };
}

describe('a command', () => {
  test('is answered on its thread', async () => {
    const world = await anActionsWorld();
    const { number, event } = await aCommand(world, '/pm help');
    const { apply } = await readUpToApply(world, 'command', event);
    expect((await apply()).exitCode).toBe(0);
    const told = await world.tell(number);
    expect(told.comments.join('\n')).toContain('/pm');
  });

  test('is not answered once its comment was edited between the jobs', async () => {
    const world = await anActionsWorld();
    const { number, id, event } = await aCommand(world, '/pm help');
    const { apply } = await readUpToApply(world, 'command', event);
    world.emulator.setClockOffset(5_000);
    await world.emulator
      .as('ana')
      .request('PATCH', `/repos/${REPO}/issues/comments/${id}`, { body: 'never mind' });
    const applied = await apply();
    expect([applied.exitCode, applied.log.includes('[comment-changed]')]).toEqual([1, true]);
    expect((await world.tell(number)).comments).toEqual([]);
  });
});

describe('an artifact that is not what the agent job made', () => {
  const first = (artifacts: readonly KeptArtifact[]): KeptArtifact => {
    const [found] = artifacts;
    if (found === undefined) throw new Error('the agent job left no artifact');
    return found;
  };

  test.each<[string, (artifact: KeptArtifact) => void]>([
    ['renamed', (artifact) => (artifact.name = 'other')],
    ['of another run', (artifact) => (artifact.workflowRun = '78')],
    ['truncated', (artifact) => (artifact.bytes = artifact.bytes.subarray(0, 300))],
    ['larger than is read', (artifact) => (artifact.bytes = randomBytes(1_000_001))],
    [
      'an archive that unpacks to 100 MB',
      (artifact) => {
        const content = Buffer.alloc(100 * 1024 * 1024);
        artifact.bytes = aZip([{ name: 'intents.json', content, says: 100 }]);
      },
    ],
  ])('is refused and nothing is written when it is %s', async (_, change) => {
    const world = await anActionsWorld();
    const event = await anOpenedPull(world, await aWidePull(world, 1));
    const { apply } = await readUpToApply(world, 'review', event);
    change(first(world.results.artifacts));
    const before = world.emulator.requests.length;
    const applied = await apply();
    expect(applied.exitCode).toBe(1);
    expect(world.emulator.requests.slice(before).filter(isWrite)).toEqual([]);
  });
});
