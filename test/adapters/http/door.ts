/** A real server on loopback with a real embedded store behind it, and a sender that signs like GitHub. */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { startServer } from '../../../src/hosts/start-server.ts';
import type { RunningServer, ServerOptions } from '../../../src/hosts/start-server.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Store, StoredEvent } from '../../../src/ports/store.ts';

export const CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms).unref();
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    }),
};

/** Lines of a log, as text: what an operator could have read. */
export function createLines(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { log: { debug: write, info: write, warn: write, error: write }, lines };
}

export const SECRET = ['a', 'webhook', 'secret', 'of', 'tests'].join('-');

export interface Door extends RunningServer {
  store: Store;
  lines: string[];
  rows(): Promise<StoredEvent[]>;
  stop(): Promise<void>;
}

/** Opens a store in a directory of its own and a server before it. */
export async function openDoor(options: Partial<ServerOptions> = {}): Promise<Door> {
  const dir = mkdtempSync(path.join(tmpdir(), 'quorum-door-'));
  const store = await openSqliteStore({ dir, clock: CLOCK });
  const { log, lines } = createLines();
  const server = await startServer({
    port: 0,
    store,
    clock: CLOCK,
    log,
    secrets: [SECRET],
    appId: 12345,
    identity: () => ({ id: 777, login: 'quorum[bot]', isBot: true }),
    ...options,
  });
  return {
    ...server,
    store,
    lines,
    rows: () => store.records.events({ limit: 100_000 }),
    async stop() {
      await server.close(500);
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** `X-Hub-Signature-256` of a body. */
export function sign(body: string | Uint8Array, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Headers of a well-made delivery; `undefined` takes one away. */
export function headersOf(
  body: string | Uint8Array,
  overrides: Record<string, string | undefined> = {},
): Record<string, string> {
  const headers: Record<string, string | undefined> = {
    'content-type': 'application/json',
    'x-github-event': 'issues',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': sign(body),
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export interface DoorAnswer {
  status: number;
  body: { status?: string; reason?: string; code?: string };
}

/** Delivers; overrides as in {@link headersOf}. */
export async function deliver(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  overrides: Record<string, string | undefined> = {},
): Promise<DoorAnswer> {
  const response = await fetch(`${url}/api/github/webhooks`, {
    method: 'POST',
    headers: headersOf(body, overrides),
    body,
  });
  return { status: response.status, body: (await response.json()) as DoorAnswer['body'] };
}

export interface Example {
  event: string;
  payload: Record<string, unknown>;
}

/** Every payload that GitHub publishes as an example. */
export function readExamples(): Example[] {
  const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
  const events = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string;
    examples: Record<string, unknown>[];
  }[];
  return events.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ event: name, payload })),
  );
}

/** The example of this event and action, with an installation, and parts replaced. */
export function example(
  event: string,
  action: string | undefined,
  parts: Record<string, unknown> = {},
): Record<string, unknown> {
  const found = readExamples().find(
    (each) => each.event === event && each.payload['action'] === action,
  );
  if (found === undefined) throw new Error(`no example of ${event}.${action}`);
  return { ...found.payload, installation: { id: 9 }, ...parts };
}
