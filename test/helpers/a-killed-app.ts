/** Runs the App as its own process that kills itself at a given point, on a world whose own App is stopped. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { EffectKind } from '../../src/domain/event/effect.ts';
import { createJumpClock } from './a-jump-clock.ts';
import { aWorld, type TestWorld } from './a-world.ts';

/** Before its work, after it and before its result is kept, and after that. */
export const POINTS = ['before-effect', 'after-effect', 'after-record'] as const;

export interface KillAt {
  kind: EffectKind;
  /** Which effect of that kind, counted from the start of the process. */
  nth: number;
  point: (typeof POINTS)[number];
  /** Only effects of this stream. */
  key?: string;
}

export interface KilledApp {
  world: TestWorld;
  /** Where its processes keep their data, one after the other. */
  dir: string;
  /** Starts it, to be killed there: resolves when it takes work, or is dead by then. */
  startUntil(at: KillAt): Promise<void>;
  /** Puts the clock of the world forward, and that of every process that is started from now on. */
  jump(ms: number): void;
  /** Starts it; resolves with what kills it from outside. */
  startToKill(): Promise<() => Promise<void>>;
  /** Resolves when it was killed, by itself. */
  killed(): Promise<void>;
  /** Starts it to stay, and resolves when nothing is left to be done. */
  runToRest(act?: () => Promise<unknown>): Promise<void>;
}

/** @param reconcileMs - how often it looks for what was lost; never when absent */
export async function aKilledApp(
  files: Record<string, string>,
  {
    reconcileMs = 0,
    env: hostSays = {},
  }: { reconcileMs?: number; env?: Record<string, string> } = {},
): Promise<KilledApp> {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-kill-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const clock = createJumpClock();
  let offset = 0;
  const world = await aWorld({ files, env: hostSays, clock });
  await world.stopApp();
  const env = {
    PATH: process.env['PATH'],
    ...world.appEnv,
    QUORUM_DATA: dir,
    PORT: String(await freePort()),
    RECONCILE_MS: String(reconcileMs),
  };
  world.emulator.app(world.appId).webhookUrl = `http://127.0.0.1:${env.PORT}/api/github/webhooks`;
  let death: Promise<unknown[]> = Promise.resolve([]);
  const start = async (more: Record<string, string>): Promise<ChildProcess> => {
    const child = fork(path.join(import.meta.dirname, '../scenario/kill-child.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execPath: process.execPath,
      env: { ...env, ...more, CLOCK_OFFSET_MS: String(offset) },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    death = once(child, 'exit');
    // Work that waits is begun before it can say that it is there.
    await Promise.race([once(child, 'message'), death]);
    return child;
  };
  return {
    world,
    dir,
    jump: (ms) => {
      offset += ms;
      clock.jump(ms);
    },
    startUntil: async (at) => void (await start({ KILL_AT: JSON.stringify(at) })),
    startToKill: async () => {
      const child = await start({});
      return async () => {
        child.kill('SIGKILL');
        await death;
      };
    },
    killed: async () => expect((await death)[1]).toBe('SIGKILL'),
    runToRest: async (act) => {
      const child = await start({});
      await act?.();
      await rest(child, world);
      child.kill('SIGKILL');
      await death;
    },
  };
}

/** A guard against hangs only. */
const LIMIT = 4000;

async function rest(child: ChildProcess, world: TestWorld): Promise<void> {
  let quiet = 0;
  for (let i = 0; i < LIMIT && quiet < 3; i += 1) {
    await world.emulator.settled();
    child.send('pending');
    const [{ pending }] = (await once(child, 'message')) as [{ pending: number }];
    quiet = pending === 0 ? quiet + 1 : 0;
    await wait(50);
  }
  expect(quiet).toBe(3);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
