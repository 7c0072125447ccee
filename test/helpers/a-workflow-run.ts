/** A repository whose workflow runs the actions from their bundles, each job with a token of its own; no App process. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { buildActions } from '../../action/build.ts';
import { renderAppJwt } from '../../src/adapters/github/client/app-jwt.ts';
import { runActionStep, type StepResult } from '../../src/demo/runner/run-step.ts';
import {
  startResultsService,
  type ResultsService,
} from '../../src/emulator/actions/results-service.ts';
import { aWorld, REPO, type TestWorld } from './a-world.ts';

/** Names a folder with bundles that are built already, such as `action`: the tests run those. */
const { ACTIONS_BUILD } = process.env;

/** In the root, so that bundles find the personas where a release has them. */
export const BUILD_DIR = ACTIONS_BUILD ?? `.action-build-${process.pid}`;

export async function buildForTests(names: readonly string[]): Promise<void> {
  if (ACTIONS_BUILD !== undefined) return;
  await buildActions({ names, to: BUILD_DIR, sourcemap: false });
}

export async function dropBuild(): Promise<void> {
  if (ACTIONS_BUILD !== undefined) return;
  await rm(path.resolve(BUILD_DIR), { recursive: true, force: true });
}

type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** Of the jobs of the reusable workflow. */
export const CLAIMS: Permissions = {
  contents: 'write',
  pull_requests: 'read',
  issues: 'read',
  checks: 'read',
};
export const READS: Permissions = {
  contents: 'read',
  pull_requests: 'read',
  issues: 'read',
  checks: 'read',
};
export const APPLIES: Permissions = {
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  checks: 'write',
};

export interface JobWanted {
  action: string;
  permissions: Permissions;
  event: { name: string; payload: object };
  inputs: Readonly<Record<string, string>>;
  run?: string;
  attempt?: number;
  env?: Readonly<Record<string, string>>;
  /** `actions/checkout` ran before it. */
  isCheckedOut?: boolean;
  /** GitHub kills the job when this is aborted. */
  kill?: AbortSignal;
}

export interface Job extends StepResult {
  /** Calls to GitHub, each as `method route status`. */
  calls: string[];
}

export interface ActionsWorld extends TestWorld {
  results: ResultsService;
  /** A token of a job; names of permissions as workflows or as the API write them. */
  mint(permissions: Readonly<Record<string, string>>): Promise<string>;
  job(wanted: JobWanted): Promise<Job>;
}

export async function anActionsWorld(files: Record<string, string> = {}): Promise<ActionsWorld> {
  const world = await aWorld({ files });
  const { emulator } = world;
  await world.idle();
  await world.stopApp();
  emulator.removeInstallation(world.installationId);
  const app = await emulator.createApp({
    name: 'github-actions',
    owner: 'acme',
    permissions: { ...APPLIES, actions: 'write', statuses: 'read' },
    events: [],
  });
  const installationId = emulator.installApp(app.appId, 'acme');
  const results = await startResultsService();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-jobs-'));
  onTestFinished(async () => {
    await results.close();
    await rm(dir, { recursive: true, force: true });
  });
  const mint = async (asked: Readonly<Record<string, string>>): Promise<string> => {
    const permissions = Object.fromEntries(
      Object.entries(asked).map(([name, level]) => [name.replaceAll('-', '_'), level]),
    );
    const jwt = await renderAppJwt(app.appId, app.privateKey, Date.now());
    const answer = await fetch(
      `${emulator.apiUrl}/app/installations/${installationId}/access_tokens`,
      {
        method: 'POST',
        headers: { authorization: `bearer ${jwt}` },
        body: JSON.stringify({ permissions }),
      },
    );
    return ((await answer.json()) as { token: string }).token;
  };
  let jobs = 0;
  const job = async (wanted: JobWanted): Promise<Job> => {
    jobs += 1;
    const own = path.join(dir, `job-${jobs}`);
    const event = path.join(dir, `event-${jobs}.json`);
    await writeFile(event, JSON.stringify(wanted.event.payload));
    if (wanted.isCheckedOut === true) {
      const from = emulator.repository(REPO).gitDir;
      execFileSync('git', ['clone', '--quiet', from, path.join(own, 'workspace')]);
    }
    const token = await mint(wanted.permissions);
    const { run = '77', attempt = 1, action, inputs, env = {} } = wanted;
    const before = emulator.requests.length;
    const done = await runActionStep({
      main: path.resolve(BUILD_DIR, action, 'dist/index.js'),
      dir: own,
      timeoutMs: 120_000,
      kill: wanted.kill,
      inputs: { 'github-token': token, ...inputs },
      env: {
        PATH: process.env['PATH'] ?? '',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: wanted.event.name,
        GITHUB_EVENT_PATH: event,
        GITHUB_RUN_ID: run,
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_API_URL: emulator.apiUrl,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: REPO,
        ACTIONS_RESULTS_URL: results.url,
        ACTIONS_RUNTIME_TOKEN: results.createToken(run, `job-${jobs}`),
        ...env,
      },
    });
    const calls = emulator.requests
      .slice(before)
      .filter(({ actor }) => actor === `installation:${installationId}`)
      .map(({ method, route, status }) => `${method} ${route} ${status}`);
    return { ...done, calls };
  };
  return Object.assign(Object.create(world) as TestWorld, { results, job, mint });
}

/** The event of a workflow that somebody caused, as the runner writes it: a webhook's payload without an installation. */
export async function anEvent(
  { emulator }: TestWorld,
  name: string,
  { by = 'ana', ...payload }: Record<string, unknown> & { by?: string },
): Promise<JobWanted['event']> {
  const ana = emulator.as('ana');
  const [repository, sender] = await Promise.all([
    ana.request('GET', `/repos/${REPO}`),
    ana.request('GET', `/users/${by}`),
  ]);
  return { name, payload: { ...payload, repository, sender } };
}

/** `opened` of a pull request. */
export async function anOpenedPull(world: TestWorld, number: number): Promise<JobWanted['event']> {
  const pull = await world.emulator.as('ana').request('GET', `/repos/${REPO}/pulls/${number}`);
  return anEvent(world, 'pull_request', { action: 'opened', number, pull_request: pull });
}
