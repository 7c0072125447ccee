/** The emulator and the App that is shipped, as a process of its own on either store. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Script } from '../../src/emulator/model-server/script.ts';
import { startModelServer } from '../../src/emulator/model-server/start-model-server.ts';
import {
  systemClock as clock,
  systemRandom as random,
} from '../../src/adapters/system/system-clock.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { WEBHOOK_PATH } from '../../src/hosts/setup/app-manifest.ts';
import type { StoreSettings } from '../../src/hosts/open-store.ts';
import { end, freePort, newDatabase, SHIPPED } from './contenders.ts';
import { wait } from './machine.ts';

export type StoreKind = 'SQLite' | 'PostgreSQL';

export interface ShippedWorld extends Pick<World, 'emulator' | 'appId' | 'appEnv'> {
  port: number;
  pid: number;
  /** Where it keeps its data. */
  place: Pick<StoreSettings, 'databaseUrl' | 'dataDir'>;
  close(): Promise<void>;
}

export async function openShippedWorld(store: StoreKind, script: Script): Promise<ShippedWorld> {
  const model = await startModelServer({ clock, script, cache: 'provider' });
  const env = {
    ANTHROPIC_API_KEY: ['a', 'key', 'of', 'benchmarks'].join('-'),
    ANTHROPIC_BASE_URL: model.url,
  };
  const log = createLog({ level: 'error', format: 'json' });
  // Its own App only gives the credentials.
  const world = await openWorld({ env, clock, random, log, owner: 'acme' });
  await world.stopApp();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
  const database = store === 'PostgreSQL' ? await newDatabase() : undefined;
  const port = await freePort();
  const child = spawn(process.execPath, [SHIPPED, 'start'], {
    cwd: dataDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      ...world.appEnv,
      LOG_LEVEL: 'error',
      QUORUM_DATA: dataDir,
      PORT: String(port),
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    },
  });
  await untilReady(port, child);
  const { emulator, appId, appEnv } = world;
  emulator.app(appId).webhookUrl = `http://127.0.0.1:${port}${WEBHOOK_PATH}`;
  return {
    emulator,
    appId,
    appEnv,
    port,
    pid: child.pid ?? 0,
    place: { dataDir, databaseUrl: database?.url },
    close: async () => {
      await end(child);
      await world.close();
      await model.close();
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const LIMIT_MS = 60_000;
const AGAIN_MS = 50;

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (const from = performance.now(); performance.now() - from < LIMIT_MS; await wait(AGAIN_MS)) {
    if (child.exitCode !== null) throw new Error('the App ended');
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
  }
  throw new Error('the App did not start');
}
