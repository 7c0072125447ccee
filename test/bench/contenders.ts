/** The Apps that are compared, as processes of their own, and what they need around them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { postgresUrl, missingPostgresReason } from '../contract/postgres-place.ts';
import { Line } from './load.ts';
import { wait } from './machine.ts';
import type { SignedPayload } from './payloads.ts';

export interface Contender {
  name: string;
  entry: string[];
  /** In addition to what all have. */
  env: () => Promise<{ env: Record<string, string>; cleanUp: () => Promise<void> }>;
}

export interface Running {
  name: string;
  pid: number;
  port: number;
  /** From the spawn to the answer to the first delivery, in milliseconds. */
  firstAckMs: number;
  stop(): Promise<void>;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
/** The App as it is shipped: `npm run bench` builds it first. */
export const SHIPPED = here('../../dist/hosts/cli.js');

const nothing = async (): ReturnType<Contender['env']> => ({ env: {}, cleanUp: async () => {} });

export const PROBOT: Contender = {
  name: 'Probot, hello world',
  entry: [here('probot-hello.ts')],
  env: nothing,
};

export const EMBEDDED: Contender = {
  name: 'Quorum, embedded',
  entry: [SHIPPED, 'start'],
  env: async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'quorum-bench-'));
    return {
      env: { QUORUM_DATA: dir },
      cleanUp: async () => rmSync(dir, { recursive: true, force: true }),
    };
  },
};

export const POSTGRES: Contender = {
  name: 'Quorum, PostgreSQL',
  entry: [SHIPPED, 'start'],
  env: async () => {
    const place = await newDatabase();
    return { env: { DATABASE_URL: place.url }, cleanUp: place.drop };
  },
};

/** Those that can run here. */
export async function contenders(): Promise<Contender[]> {
  const missing = await missingPostgresReason();
  if (missing === undefined) return [PROBOT, EMBEDDED, POSTGRES];
  process.stderr.write(`Without PostgreSQL: ${missing}\n`);
  return [PROBOT, EMBEDDED];
}

/** A database of its own, so that nothing else is in it. */
export async function newDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `quorum_bench_${randomBytes(4).toString('hex')}`;
  const on = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await on(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => on(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

export interface Surroundings {
  secret: string;
  privateKey: string;
  /** A GitHub that knows none of the payloads' repositories. */
  githubUrl: string;
  payload: SignedPayload;
}

export function newPrivateKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

/** Starts a contender and sends it the first delivery as soon as it listens. */
export async function start(contender: Contender, around: Surroundings): Promise<Running> {
  const port = await freePort();
  const own = await contender.env();
  const startedAt = performance.now();
  const child = spawn(process.execPath, contender.entry, {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'],
      APP_ID: '1',
      PRIVATE_KEY: around.privateKey,
      WEBHOOK_SECRET: around.secret,
      GITHUB_API_URL: around.githubUrl,
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...own.env,
    },
  });
  await firstAck(port, around.payload, child);
  const firstAckMs = performance.now() - startedAt;
  const stop = async (): Promise<void> => {
    await end(child);
    await own.cleanUp();
  };
  return { name: contender.name, pid: child.pid ?? 0, port, firstAckMs, stop };
}

const TRY_AGAIN_MS = 2;
const START_LIMIT_MS = 30_000;

async function firstAck(port: number, payload: SignedPayload, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} did not start`);
    const line = await Line.open(port).catch(() => undefined);
    const status = await line?.send(payload).catch(() => undefined);
    line?.close();
    if (status === 200 || status === 202) return;
    await wait(TRY_AGAIN_MS);
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGKILL');
  await ended;
}

/** The stub of GitHub, which takes `delayMs` for each answer. */
export async function startStub(
  delayMs: number,
): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [here('stub-github.ts'), String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8');
    child.stdout.once('data', (text: string) => resolve(text.trim()));
    child.once('exit', () => reject(new Error('the stub of GitHub did not start')));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => end(child) };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
