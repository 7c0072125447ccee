/** A second App with the credentials of the first and a store of its own; every delivery reaches both. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { startApp, type RunningApp } from '../../src/hosts/start-app.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { WEBHOOK_PATH } from '../../src/hosts/setup/app-manifest.ts';
import { MANIFEST_FILE } from '../../src/hosts/package-files.ts';
import type { Store } from '../../src/ports/store.ts';
import { idle, type TestWorld } from './a-world.ts';

export interface TwoApps {
  second: RunningApp;
  /** Of the second. */
  env: Record<string, string | undefined>;
  stores: Store[];
  /** Nothing is left to be done in either. */
  idle(): Promise<void>;
}

export async function aSecondApp(
  world: TestWorld,
  { reconcileEveryMs = 0 } = {},
): Promise<TwoApps> {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-second-'));
  const env = { ...world.appEnv, QUORUM_DATA: dir };
  const second = await startApp({
    env,
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent', format: 'json' }),
    envFile: path.join(dir, '.env'),
    manifestFile: MANIFEST_FILE,
    budgets: 'off',
    reconcileEveryMs,
  });
  onTestFinished(async () => {
    await second.close();
    await rm(dir, { recursive: true, force: true });
  });
  world.emulator.app(world.appId).webhookUrl = await relayTo([world.app.url, second.url]);
  return {
    second,
    env,
    stores: [world.store, second.store],
    idle: async () => {
      await world.idle();
      await idle(Object.assign(Object.create(world) as TestWorld, { app: second }));
      await world.idle();
    },
  };
}

/** Passes each delivery on to all of them at once. */
async function relayTo(urls: readonly string[]): Promise<string> {
  const passOn = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await readBody(req);
    const { host: _, connection: __, 'content-length': ___, ...rest } = req.headers;
    const request = { method: 'POST', headers: rest as Record<string, string>, body };
    const deliver = async (url: string): Promise<boolean> =>
      (await fetch(`${url}${WEBHOOK_PATH}`, request)).ok;
    // One of them may be closed already.
    const taken = await Promise.all(urls.map((url) => deliver(url).catch(() => false)));
    res.writeHead(taken.every(Boolean) ? 202 : 502).end();
  };
  const server = createServer((req, res) => void passOn(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}${WEBHOOK_PATH}`;
}

async function readBody(req: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
