/** The App as processes, through the command line: they stop in order, die without one, and share the work on PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { onPostgres, postgresUrl, missingPostgresReason } from '../contract/postgres-place.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition } from '../helpers/an-issue.ts';
import { aWorld, READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const CLI = [path.join(import.meta.dirname, '../../src/hosts/cli.ts'), 'start'];
/** The same without our own budgets: 30 issues would take minutes. */
const UNBOUND = [path.join(import.meta.dirname, 'app-child.ts')];
const noPostgres = await missingPostgresReason();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

interface Running {
  child: ChildProcess;
  lines: string[];
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>;
}

/** An App with what the world's own was started with. */
async function run(
  world: TestWorld,
  command: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  const child = spawn(process.execPath, command, {
    cwd: world.dir,
    env: { PATH: process.env['PATH'], ...world.appEnv, LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code as number | null) ?? (signal as string),
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await waitUntil(() => /listening/.test(lines.join('')));
  return { child, lines, ended };
}

/** The emulator alone: the App of these scenarios is a process of its own. */
async function anEmulatorWith(
  env: Record<string, string>,
): Promise<{ world: TestWorld; port: string }> {
  const world = await aWorld({ env });
  await world.stopApp();
  const port = String(await freePort());
  world.emulator.app(world.appId).webhookUrl = `http://127.0.0.1:${port}/api/github/webhooks`;
  return { world, port };
}

/** Whether all that the verdict brings has been written: the reaction comes last. */
async function isReady(world: TestWorld, number: number): Promise<boolean> {
  const { labels, reactions } = await world.tell(number);
  return labels.join() === 'ready' && reactions.join() === 'rocket';
}

/** Starts, is told to stop while the model hangs, starts again when it answers: what became of the issue. */
async function stopAndStart(signal: 'SIGTERM' | 'SIGINT'): Promise<string[]> {
  let hangs = true;
  const { server, env } = await aModel({
    position: (_, handle) =>
      hangs ? { fault: { kind: 'hang' } } : { json: aPosition({ reasons: handle }) },
  });
  const { world, port } = await anEmulatorWith(env);
  const first = await run(world, CLI, { PORT: port });
  const number = await world.ask(READY_ISSUE);
  await waitUntil(() => server.calls.length > 0);
  first.child.kill(signal);
  // 30 s are promised; nobody measures here, the process must only be gone by itself.
  const code = await Promise.race([first.ended, wait(35_000).then(() => 'still there')]);
  expect([signal, code]).toEqual([signal, 0]);
  expect(first.lines.join('')).toContain('stopping: finishing what is in hand');
  hangs = false;
  await run(world, CLI, { PORT: port });
  await waitUntil(() => isReady(world, number));
  return (await world.tell(number)).comments;
}

describe('a signal while a model hangs', () => {
  verifies(
    ['P1', 'P2', 'DUR-07: stop in the middle of work'],
    'ends the process in time; started again it does the work, with one comment',
    async () => {
      const ends = await Promise.all([stopAndStart('SIGTERM'), stopAndStart('SIGINT')]);
      for (const comments of ends) {
        expect(comments).toHaveLength(1);
        expect(comments[0]).toMatch(/^### Ready: /);
      }
    },
  );
});

const where = noPostgres === undefined ? '' : ` (skipped: ${noPostgres})`;

describe.skipIf(noPostgres !== undefined)(`two processes on one PostgreSQL${where}`, () => {
  verifies(
    ['P1', 'P2', 'DUR-01', 'DUR-03'],
    'share 30 issues and finish them when one is killed in the middle: each verdict once',
    async () => {
      const database = `quorum_test_${crypto.randomUUID().slice(0, 8)}`;
      await onPostgres(`CREATE DATABASE ${database}`);
      onTestFinished(async () => {
        await onPostgres(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      });
      const url = new URL(postgresUrl);
      url.pathname = `/${database}`;
      const shared = { DATABASE_URL: url.href };
      const { env } = await aModel({
        position: (_, handle) => ({ json: aPosition({ reasons: handle }), delayMs: 100 }),
      });
      const { world, port } = await anEmulatorWith(env);
      await run(world, UNBOUND, { ...shared, PORT: port });
      const victim = await run(world, UNBOUND, { ...shared, PORT: '0' });
      const numbers: number[] = [];
      for (let n = 1; n <= 30; n += 1)
        numbers.push(await world.ask({ ...READY_ISSUE, title: `Wish ${n}` }));
      await waitUntil(async () => (await world.tell(numbers[4] ?? 0)).comments.length > 0);
      victim.child.kill('SIGKILL');
      expect(await victim.ended).toBe('SIGKILL');
      for (const number of numbers) await waitUntil(() => isReady(world, number), 300_000);
      await world.emulator.settled();
      for (const number of numbers) {
        const told = await world.tell(number);
        expect([number, told.comments.length, told.reactions]).toEqual([number, 1, ['rocket']]);
      }
      const posted = world.emulator.requests.filter(
        (each) => each.method === 'POST' && each.path.endsWith('/comments'),
      );
      expect(new Set(posted.map((each) => each.path)).size).toBe(posted.length);
    },
  );
});
