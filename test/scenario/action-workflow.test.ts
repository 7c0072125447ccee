/** The example workflow of a small repository, run as GitHub runs it: events in, three jobs, no App process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readWorkflowFile } from '../../src/demo/runner/read-workflow.ts';
import { runWorkflow, type JobRun } from '../../src/demo/runner/run-workflow.ts';
import { aWidePull } from '../helpers/a-pull.ts';
import {
  anActionsWorld,
  anEvent,
  anOpenedPull,
  BUILD_DIR,
  buildForTests,
  dropBuild,
  type ActionsWorld,
  type JobWanted,
} from '../helpers/a-workflow-run.ts';
import { isWrite, READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

beforeAll(() => buildForTests(['review', 'deliberate', 'command']));
afterAll(dropBuild);

const workflow = (file: string) => readWorkflowFile(readFileSync(file, 'utf8'));
const CALLED = '.github/workflows/quorum.yml';
const CALLER = 'examples/small/.github/workflows/quorum.yml';

let runs = 100;

function play(
  world: ActionsWorld,
  event: JobWanted['event'],
  secrets: Record<string, string> = {},
): Promise<JobRun[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-run-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  runs += 1;
  return runWorkflow({
    caller: workflow(CALLER),
    called: workflow(CALLED),
    event,
    secrets,
    mainOf: (uses) => {
      const name = /\/action\/(\w+)@/.exec(uses)?.[1] ?? '';
      return path.resolve(BUILD_DIR, name, 'dist/index.js');
    },
    mint: (permissions) => world.mint(permissions),
    results: world.results,
    apiUrl: world.emulator.apiUrl,
    repository: REPO,
    runId: String(runs),
    dir,
  });
}

const conclusions = (jobs: readonly JobRun[]): string[] =>
  jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`);
const ALL_WELL = ['claim: success', 'agent: success', 'apply: success'];

async function aDiscussedIssue(world: ActionsWorld): Promise<number> {
  return world.ask(READY_ISSUE);
}

async function aLabelled(world: ActionsWorld, number: number): Promise<JobWanted['event']> {
  const ana = world.emulator.as('ana');
  const issue = (await ana.request('GET', `/repos/${REPO}/issues/${number}`)) as {
    labels: { name: string }[];
  };
  const label = issue.labels.find(({ name }) => name === 'deliberate');
  return anEvent(world, 'issues', { action: 'labeled', issue, label });
}

describe('without an App, the workflow', () => {
  test('discusses an issue and puts the verdict on it', async () => {
    const world = await anActionsWorld();
    const number = await aDiscussedIssue(world);
    const jobs = await play(world, await aLabelled(world, number));
    expect(conclusions(jobs)).toEqual(ALL_WELL);
    const told = await world.tell(number);
    expect(told.labels).toEqual(['ready']);
    expect(told.comments).toHaveLength(1);
    expect(world.openApi.violations).toEqual([]);
  });

  test('signs its comment with the key of the repository, which only the apply job has', async () => {
    const world = await anActionsWorld();
    const number = await aDiscussedIssue(world);
    const key = ['a', 'signing', 'key', 'of', 'enough', 'characters'].join('-');
    const jobs = await play(world, await aLabelled(world, number), { QUORUM_ENCRYPTION_KEY: key });
    expect(conclusions(jobs)).toEqual(ALL_WELL);
    const [comment = ''] = (await world.tell(number)).comments;
    expect(comment).toMatch(/<!-- quorum:v1 \S+ -->$/);
    const logs = jobs.flatMap(({ steps }) =>
      steps.map(({ log }) => log.replaceAll(/::add-mask::.*/g, '')),
    );
    expect(logs.join('\n')).not.toContain(key);
  });

  test('reviews a pull request and skips the other jobs when the event was done before', async () => {
    const world = await anActionsWorld();
    const event = await anOpenedPull(world, await aWidePull(world, 1));
    expect(conclusions(await play(world, event))).toEqual(ALL_WELL);
    expect(conclusions(await play(world, event))).toEqual([
      'claim: success',
      'agent: skipped',
      'apply: skipped',
    ]);
  });

  verifies(
    'SEC-06: pull request of a fork',
    'leaves a pull request from a fork alone, where the token cannot write',
    async () => {
      const world = await anActionsWorld();
      const event = await anOpenedPull(world, await aWidePull(world, 1));
      const pull = Reflect.get(event.payload, 'pull_request') as { head: { repo: { id: number } } };
      pull.head.repo.id += 1;
      const jobs = await play(world, event);
      expect(conclusions(jobs)).toEqual(['claim: skipped', 'agent: skipped', 'apply: skipped']);
    },
  );
});

test('a write with the token of the agent job is refused', async () => {
  const world = await anActionsWorld();
  const number = await aDiscussedIssue(world);
  const { permissions = {} } = workflow(CALLED).jobs['agent'] ?? {};
  const token = await world.mint(permissions);
  const before = world.emulator.requests.length;
  const answer = await fetch(`${world.emulator.apiUrl}/repos/${REPO}/issues/${number}/comments`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}` },
    body: JSON.stringify({ body: 'A misled model was here.' }),
  });
  expect(answer.status).toBe(403);
  expect(world.emulator.requests.slice(before).filter(isWrite)).toHaveLength(1);
  expect((await world.tell(number)).comments).toEqual([]);
});
