/** A loopback server that answers by script, and a clock that sleeps at once: what the adapter is tried on. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import type { GitHubOptions } from '../../../src/adapters/github/client/github-options.ts';
import { TransientError } from '../../../src/domain/event/errors.ts';
import type { Clock, Random } from '../../../src/ports/clock.ts';
import type { GitHubWork } from '../../../src/ports/github/work.ts';
import { toNamedPath } from './by-name.ts';

export interface TestClock extends Clock {
  naps: number[];
  advance(ms: number): void;
}

export function createTestClock(startMs = Date.parse('2026-11-05T10:00:00Z')): TestClock {
  let nowMs = startMs;
  const naps: number[] = [];
  return {
    naps,
    now: () => nowMs,
    sleep: (ms) => {
      naps.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

export const steady: Random = { next: () => 0.5, id: () => 'id' };

export interface Reply {
  status?: number;
  body?: unknown;
  /** JSON text in place of a body. */
  raw?: string;
  headers?: Record<string, string>;
  /** Ends the connection in the middle of the body, or before anything. */
  cut?: 'body' | 'all';
  /** Answers when this is settled. */
  after?: Promise<void>;
  /** Never answers. */
  hang?: boolean;
}

export interface Seen {
  method: string;
  /** By the repository's name. */
  path: string;
  /** As it was asked for. */
  asked: string;
  body: unknown;
  headers: IncomingMessage['headers'];
}

/** Answers one request; undefined is 404. */
export type Script = (seen: Seen) => Reply | undefined;

export interface Stage {
  url: string;
  seen: Seen[];
  /** How many requests began with this method and path. */
  count: (start: string) => number;
}

export async function openStage(script: Script): Promise<Stage> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const one: Seen = {
      method: request.method ?? '',
      path: toNamedPath(request.url ?? '', `${REF.owner}/${REF.repo}`),
      asked: request.url ?? '',
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    };
    seen.push(one);
    const reply = script(one) ?? { status: 404, body: { message: 'Not Found' } };
    await reply.after;
    send(response, reply);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => close(server));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    count: (start) => seen.filter((one) => `${one.method} ${one.path}`.startsWith(start)).length,
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply.hang === true) return;
  if (reply.cut === 'all') {
    response.destroy();
    return;
  }
  const text = reply.raw ?? (reply.body === undefined ? '' : JSON.stringify(reply.body));
  const type = text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(reply.status ?? 200, { ...type, ...reply.headers });
  if (reply.cut === 'body') {
    response.write(text.slice(0, Math.ceil(text.length / 2)));
    setImmediate(() => response.destroy());
    return;
  }
  response.end(text);
}

export const REF = { installationId: 7, repositoryId: 42, owner: 'acme', repo: 'widgets' };
export const THREAD = { ...REF, number: 5 };

/** Assembled at run time, so that nothing in the sources looks like a secret. */
export const SECRET = ['marker', 'for', 'tests'].join('-');

export function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

export function openGitHub(
  stage: { url: string },
  clock: Clock,
  more: Partial<GitHubOptions> = {},
): GitHubWork {
  return createGitHub({
    auth: { kind: 'token', token: ['t', 'o', 'k'].join('') },
    baseUrl: stage.url,
    markerSecret: SECRET,
    clock,
    random: steady,
    ...more,
  });
}

/** A comment as GitHub answers it. */
export function wireComment(
  id: number,
  body: string,
  user = { id: 900, login: 'quorum[bot]', type: 'Bot' },
) {
  const at = '2026-11-05T10:00:00Z';
  return { id, body, user, html_url: `http://x/${id}`, created_at: at, updated_at: at };
}

export function wireIssue(number: number, more: Record<string, unknown> = {}) {
  const at = '2026-11-05T10:00:00Z';
  return {
    number,
    title: `Issue ${number}`,
    body: 'text',
    state: 'open',
    locked: false,
    user: { id: 11, login: 'alice', type: 'User' },
    labels: [{ name: 'bug' }],
    assignees: [],
    html_url: `http://x/${number}`,
    repository_url: 'http://x/repos/acme/widgets',
    created_at: at,
    updated_at: at,
    ...more,
  };
}

export const WIRE_REPOSITORY = {
  id: 42,
  name: 'widgets',
  full_name: 'acme/widgets',
  owner: { id: 1, login: 'acme' },
  private: false,
  archived: false,
  default_branch: 'main',
};

export const WIRE_SELF = { id: 900, login: 'quorum[bot]', type: 'Bot' };

/** A guard against hangs only. */
const MOST_WAITS = 1_000;

/** Reads as the queue does: again after the time that a failure names, until it names none. */
export async function inQueue<T>(
  clock: TestClock,
  read: () => Promise<T>,
): Promise<{ found: T; waits: number[] }> {
  for (const waits: number[] = []; ;) {
    try {
      return { found: await read(), waits };
    } catch (error) {
      if (!(error instanceof TransientError) || error.retryAfterMs === undefined) throw error;
      if (waits.length > MOST_WAITS)
        throw new Error('it is told to wait without end', { cause: error });
      waits.push(error.retryAfterMs);
      clock.advance(error.retryAfterMs);
    }
  }
}
