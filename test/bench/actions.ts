/** How large the bundles of the actions are, and how soon after its start one asks GitHub for the first time. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildActions } from '../../action/build.ts';
import { ACTIONS, type ActionName } from '../../src/hosts/action/job/action-specs.ts';
import { median, describeLoad, watchForeignLoad } from './machine.ts';
import type { Row, Section } from './report.ts';
import { measureReviewJobs } from './review-jobs.ts';

const RUNS = 9;
const REACH_MS = 400;
const REACH_BYTES = 1_000_000;
const LIMIT_MS = 20_000;
const KEY = randomBytes(32).toString('base64');
const BUILD = `.action-build-bench-${process.pid}`;

const REPOSITORY = {
  id: 1,
  name: 'tidy',
  full_name: 'acme/tidy',
  owner: { id: 2, login: 'acme', type: 'Organization' },
  private: false,
  default_branch: 'main',
};
const USER = { id: 3, login: 'ana', type: 'User' };
const ISSUE = {
  id: 4,
  number: 7,
  title: 'Sort the rows',
  body: '',
  state: 'open',
  user: USER,
  labels: [{ id: 5, name: 'deliberate' }],
};
const SIDE = { ref: 'main', sha: 'a'.repeat(40), repo: REPOSITORY };
const PULL = { ...ISSUE, head: SIDE, base: SIDE, draft: false };
const AROUND = { repository: REPOSITORY, sender: USER };

/** The job that begins a run of each workflow, with what GitHub gives it. */
const JOBS: readonly { name: ActionName; event: string; payload: object; inputs: object }[] = [
  {
    name: 'review',
    event: 'pull_request',
    payload: { action: 'opened', number: 7, pull_request: PULL, ...AROUND },
    inputs: { step: 'claim' },
  },
  {
    name: 'deliberate',
    event: 'issues',
    payload: { action: 'labeled', issue: ISSUE, label: { id: 5, name: 'deliberate' }, ...AROUND },
    inputs: { step: 'claim' },
  },
  {
    name: 'command',
    event: 'issue_comment',
    payload: {
      action: 'created',
      issue: ISSUE,
      comment: { id: 6, body: '/pm status', user: USER, created_at: '2026-01-01T00:00:00Z' },
      ...AROUND,
    },
    inputs: { step: 'claim' },
  },
  {
    name: 'approval-gate',
    event: 'pull_request',
    payload: { action: 'opened', number: 7, pull_request: PULL, ...AROUND },
    inputs: { approvals: '1', agents: '*', siblings: 'together', report: 'exit' },
  },
  {
    name: 'task',
    event: 'workflow_dispatch',
    payload: { inputs: {}, ref: 'refs/heads/main', ...AROUND },
    inputs: { step: 'claim', plan: '7', task: '1' },
  },
];

export const actions: Section = {
  name: 'actions',
  title: 'Actions',
  method:
    'The bundles as a release has them, without source maps. From the spawn of the process to its first request to GitHub, which a server in this process answers with 404; medians. What is read before that is the entry with all that it imports at once; the other files of a bundle are read when they are needed. A review is one of the demonstration, by offline rules: its time is that of three processes one after the other, with the answers of the emulated GitHub in it. Its calls are those of all three jobs until its check has ended, with the key that signs; without it there is one more.',
  run: async ({ isLong }) => {
    await buildActions({ to: BUILD, sourcemap: false });
    try {
      const rows: Row[] = [];
      for (const job of JOBS) rows.push(...(await measure(job, isLong ? 3 * RUNS : RUNS)));
      rows.push(...(await measureReviewJobs(BUILD, isLong ? 3 * RUNS : RUNS)));
      return rows;
    } finally {
      rmSync(BUILD, { recursive: true, force: true });
    }
  },
};

async function measure(job: (typeof JOBS)[number], runs: number): Promise<Row[]> {
  const { name } = job;
  const dist = path.resolve(BUILD, name, 'dist');
  const loadOf = watchForeignLoad([]);
  const times: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const ms = await firstRequest(path.join(dist, 'index.js'), job);
    // The first run fills the caches.
    if (run > 0) times.push(ms);
  }
  const load = describeLoad(Math.max(0, loadOf() - 0.5));
  const ms = median(times);
  const first = sum(dist, readAtOnce(dist));
  const all = sum(
    dist,
    readdirSync(dist).filter((file) => file.endsWith('.js')),
  );
  const step = ACTIONS[name].steps[0];
  const what = step === undefined ? `action/${name}` : `action/${name}, ${step}`;
  return [
    {
      what: `${what}: to the first request`,
      reach: `≤ ${REACH_MS} ms`,
      measured: `${ms.toFixed(0)} ms`,
      isReached: ms <= REACH_MS,
      load,
    },
    {
      what: `${what}: read before that`,
      reach: '≤ 1 MB',
      measured: `${mb(first)}, of ${mb(all)} in all`,
      isReached: first <= REACH_BYTES,
      load,
    },
  ];
}

const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;

function sum(dist: string, files: readonly string[]): number {
  return files.reduce((total, file) => total + statSync(path.join(dist, file)).size, 0);
}

/** The entry, and what its static imports bring. */
function readAtOnce(dist: string): string[] {
  const known = new Set(['index.js']);
  for (const file of known)
    for (const [, next = ''] of readFileSync(path.join(dist, file), 'utf8').matchAll(
      /(?:from|import)\s*"\.\/([^"]+\.js)"/g,
    ))
      known.add(next);
  return [...known];
}

async function firstRequest(main: string, job: (typeof JOBS)[number]): Promise<number> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
  let startedAt = 0;
  const asked = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    asked.resolve(performance.now() - startedAt);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const event = path.join(dir, 'event.json');
  writeFileSync(event, JSON.stringify(job.payload));
  const files = ['OUTPUT', 'ENV', 'STATE', 'PATH', 'STEP_SUMMARY'].map((name) => {
    writeFileSync(path.join(dir, name), '');
    return [`GITHUB_${name}`, path.join(dir, name)];
  });
  const inputs = Object.entries({ 'github-token': 'stub', ...job.inputs }).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  startedAt = performance.now();
  const child = spawn(process.execPath, [main], {
    cwd: dir,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      RUNNER_TEMP: dir,
      GITHUB_WORKSPACE: dir,
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: job.event,
      GITHUB_EVENT_PATH: event,
      GITHUB_RUN_ID: '1',
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: REPOSITORY.full_name,
      QUORUM_ENCRYPTION_KEY: KEY,
      ...Object.fromEntries([...files, ...inputs]),
    },
  });
  const ended = once(child, 'exit');
  void ended.then(() => asked.reject(new Error(`action/${job.name} ended without a request`)));
  const timer = setTimeout(() => asked.reject(new Error('no request came')), LIMIT_MS);
  try {
    return await asked.promise;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
