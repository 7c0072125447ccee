/** The App as processes, through the command line: they stop in order, die without one, and share the work on PostgreSQL. */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { missingPostgresReason } from '../contract/postgres-place.ts';
import { aDatabase } from '../helpers/a-database.ts';
import { CLI, leaveToProcess, startAppProcess } from '../helpers/an-app-process.ts';
import { aModel } from '../helpers/a-model.ts';
import { aPosition } from '../helpers/an-issue.ts';
import { aWorld, READY_ISSUE, type TestWorld } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** The same without our own budgets: 30 issues would take minutes. */
const UNBOUND = [path.join(import.meta.dirname, 'app-child.ts')];
const noPostgres = await missingPostgresReason();

/** The emulator alone: the App of these scenarios is a process of its own. */
async function anEmulatorWith(
  env: Record<string, string>,
): Promise<{ world: TestWorld; port: string }> {
  const world = await aWorld({ env });
  return { world, port: await leaveToProcess(world) };
}

/** Whether all that the verdict brings has been written: the reaction comes last. */
async function isReady(world: TestWorld, number: number): Promise<boolean> {
  const { labels, reactions } = await world.tell(number);
  return labels.join() === 'ready' && reactions.join() === 'rocket';
}

/**
 * Starts, receives a stop signal while the model hangs, and starts again when it answers. Returns
 * what became of the issue.
 */
async function stopAndStart(signal: 'SIGTERM' | 'SIGINT'): Promise<string[]> {
  let hangs = true;
  const { server, env } = await aModel({
    position: (_, handle) =>
      hangs ? { fault: { kind: 'hang' } } : { json: aPosition({ reasons: handle }) },
  });
  const { world, port } = await anEmulatorWith(env);
  const first = await startAppProcess(world, [CLI, 'start'], { PORT: port });
  const number = await world.ask(READY_ISSUE);
  await waitUntil(() => server.calls.length > 0);
  first.child.kill(signal);
  // 30 s are promised; nobody measures here, the process must only be gone by itself.
  const code = await Promise.race([first.ended, wait(35_000).then(() => 'still there')]);
  expect([signal, code]).toEqual([signal, 0]);
  expect(first.said()).toContain('stopping: finishing what is in hand');
  hangs = false;
  await startAppProcess(world, [CLI, 'start'], { PORT: port });
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
      const shared = { DATABASE_URL: await aDatabase() };
      const { env } = await aModel({
        position: (_, handle) => ({ json: aPosition({ reasons: handle }), delayMs: 100 }),
      });
      const { world, port } = await anEmulatorWith(env);
      await startAppProcess(world, UNBOUND, { ...shared, PORT: port });
      const victim = await startAppProcess(world, UNBOUND, { ...shared, PORT: '0' });
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
