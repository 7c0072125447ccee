/** The engine's own speed: events reduced and effects performed a second, without models. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { systemClock as clock } from '../../src/adapters/system/system-clock.ts';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { newDatabase, newPrivateKey, startStub } from './contenders.ts';
import type { CoreOrder } from './core-worker.ts';
import { describeLoad, median, watchForeignLoad } from './machine.ts';
import { byRatio, type Row, type Section } from './report.ts';

const ROUNDS = 3;
const EVENTS = 600;
const THREADS = 60;
const CONCURRENCY = 8;
/** What GitHub takes for a small REST call is more; this is enough for workers to wait rather than compete. */
const REMOTE_MS = 25;
const LIMIT_MS = 120_000;

type Hub = Pick<CoreOrder, 'github' | 'thread'> & { pids: number[]; stop: () => Promise<void> };

interface Case {
  what: string;
  hub: 'emulator' | 'stub' | 'remote';
  store: 'embedded' | 'postgres';
  workers: number;
  /** What it is held against: a figure, or twice as many workers. */
  reach?: { perSecond: number } | { times: number; of: string };
}

const CASES: readonly Case[] = [
  {
    what: 'embedded, emulator',
    hub: 'emulator',
    store: 'embedded',
    workers: 1,
    reach: { perSecond: 300 },
  },
  {
    what: 'embedded, stub GitHub',
    hub: 'stub',
    store: 'embedded',
    workers: 1,
    reach: { perSecond: 300 },
  },
  { what: 'PostgreSQL, 1 worker, emulator', hub: 'emulator', store: 'postgres', workers: 1 },
  { what: 'PostgreSQL, 1 worker, stub GitHub', hub: 'stub', store: 'postgres', workers: 1 },
  {
    what: 'PostgreSQL, 2 workers, stub GitHub',
    hub: 'stub',
    store: 'postgres',
    workers: 2,
    reach: { times: 1.7, of: 'PostgreSQL, 1 worker, stub GitHub' },
  },
  {
    what: `PostgreSQL, 1 worker, GitHub that takes ${REMOTE_MS} ms`,
    hub: 'remote',
    store: 'postgres',
    workers: 1,
  },
  {
    what: `PostgreSQL, 2 workers, GitHub that takes ${REMOTE_MS} ms`,
    hub: 'remote',
    store: 'postgres',
    workers: 2,
    reach: { times: 1.7, of: `PostgreSQL, 1 worker, GitHub that takes ${REMOTE_MS} ms` },
  },
];

export const core: Section = {
  name: 'core',
  title: 'Core, without models',
  method: `${EVENTS} events on ${THREADS} threads; each is reduced, makes one write on GitHub (reaction, labels and comment in turn), and its result is reduced: three pieces of work, each settled in one durable transaction. ${CONCURRENCY} in hand in each worker, workers are processes. The emulator runs in the benchmark's process, the stub in its own: they, PostgreSQL and the workers share the same processors, so that two workers can only gain where they wait for somebody else.`,
  run: async () => {
    const missing = await missingPostgresReason();
    const cases = CASES.filter(({ store }) => store === 'embedded' || missing === undefined);
    const rates = new Map<string, number[]>(cases.map(({ what }) => [what, []]));
    const loads = new Map<string, number[]>(cases.map(({ what }) => [what, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const one of cases) {
        const { perSecond, load } = await measure(one);
        rates.get(one.what)?.push(perSecond);
        loads.get(one.what)?.push(load);
      }
    const rate = (what: string): number => median(rates.get(what) ?? []);
    return cases.map((one) => toRow(one, rate, describeLoad(median(loads.get(one.what) ?? []))));
  },
};

function toRow(one: Case, rate: (what: string) => number, load: string): Row {
  const { what, reach } = one;
  const measured = `${rate(what).toFixed(0)} events and effects/s`;
  if (reach === undefined) return { what, reach: '', measured, load };
  if ('times' in reach)
    return byRatio(
      { what, reach: `≥ ${reach.times}× one worker`, measured, load },
      rate(what) / rate(reach.of),
      { atLeast: reach.times },
    );
  const isReached = rate(what) >= reach.perSecond;
  return { what, reach: `≥ ${reach.perSecond}/s`, measured, isReached, load };
}

async function measure(one: Case): Promise<{ perSecond: number; load: number }> {
  const hub = await openHub(one.hub);
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
  const database = one.store === 'postgres' ? await newDatabase() : undefined;
  const place = database === undefined ? { dir } : { url: database.url };
  const { github, thread } = hub;
  const order = { place, github, thread, threads: THREADS, concurrency: CONCURRENCY };
  const workers: Worker[] = [];
  try {
    for (let n = 0; n < one.workers; n += 1)
      workers.push(await startWorker({ ...order, events: n === 0 ? EVENTS : 0 }));
    const loadOf = watchForeignLoad([...hub.pids, ...workers.map(({ child }) => child.pid ?? 0)]);
    const seconds = await settleAll(workers, 3 * EVENTS);
    return { perSecond: (3 * EVENTS) / seconds, load: loadOf() };
  } finally {
    for (const worker of workers) await worker.stop();
    await database?.drop();
    rmSync(dir, { recursive: true, force: true });
    await hub.stop();
  }
}

async function openHub(kind: Case['hub']): Promise<Hub> {
  if (kind === 'emulator') return openEmulator();
  const stub = await startStub(kind === 'remote' ? REMOTE_MS : 0);
  return {
    github: { apiUrl: stub.url, appId: 1, privateKey: newPrivateKey() },
    thread: { installationId: 1, repositoryId: 1, owner: 'acme', repo: 'bench', number: 1 },
    pids: [stub.pid],
    stop: stub.stop,
  };
}

async function openEmulator(): Promise<Hub> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
  const emulator = await createGitHubEmulator({ dir, clock, limits: { enforced: false } });
  emulator.createOrg('acme');
  emulator.createUser('ana');
  const history = [{ message: 'feat: begin', author: 'ana', files: { 'README.md': '# bench\n' } }];
  const repository = await emulator.createRepository({ owner: 'acme', name: 'bench', history });
  for (let n = 0; n < THREADS; n += 1)
    await emulator.as('ana').openIssue('acme/bench', { title: `Issue ${n}`, body: 'A body.' });
  const permissions = { issues: 'write', metadata: 'read' } as const;
  const app = await emulator.createApp({ name: 'bench', owner: 'acme', permissions, events: [] });
  const installationId = emulator.installApp(app.appId, 'acme');
  const place = { installationId, repositoryId: repository.id, owner: 'acme', repo: 'bench' };
  return {
    github: { apiUrl: emulator.apiUrl, appId: app.appId, privateKey: app.privateKey },
    thread: { ...place, number: 1 },
    pids: [],
    stop: async () => {
      await emulator.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Worker {
  child: ChildProcess;
  stop: () => Promise<void>;
}

async function startWorker(order: CoreOrder): Promise<Worker> {
  const file = fileURLToPath(new URL('core-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(order)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error('a worker did not start')));
  });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.kill('SIGKILL');
    await ended;
  };
  return { child, stop };
}

/** Seconds from the word to start until everything is settled. */
function settleAll(workers: readonly Worker[], total: number): Promise<number> {
  const settled = workers.map(() => 0);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the work did not end')), LIMIT_MS);
    for (const [at, { child }] of workers.entries()) {
      child.on('message', (message: { settled: number }) => {
        settled[at] = message.settled;
        if (settled.reduce((sum, n) => sum + n, 0) < total) return;
        clearTimeout(late);
        resolve((performance.now() - startedAt) / 1000);
      });
      child.send('start');
    }
  });
}
