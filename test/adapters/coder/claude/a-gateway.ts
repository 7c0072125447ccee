/** A gateway on a socket of its own, its model played by a script, and requests as a client of it sends them. */
import { request, type ClientRequest } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startGateway } from '../../../../src/adapters/coder/claude/gateway/gateway.ts';
import { createMeter, type Meter } from '../../../../src/adapters/coder/claude/gateway/meter.ts';
import { createCoderTools } from '../../../../src/adapters/coder/claude/tools.ts';
import {
  startModelServer,
  type ModelServer,
} from '../../../../src/emulator/model-server/start-model-server.ts';
import type { Script } from '../../../../src/emulator/model-server/script.ts';
import { systemClock } from '../../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../../src/ports/clock.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';
import { MODEL, REAL_KEY } from './a-session.ts';

export const TOKEN = 'token-of-this-run';
export const USAGE = { input: 1000, output: 100, cacheRead: 10_000, cacheWrite: 0 };
export const PRICE = { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 };

export interface GatewayOptions {
  script?: Script;
  baseUrl?: string;
  limits?: { turns: number; usd: number };
  clock?: Clock;
}

export interface TestGateway {
  server: ModelServer;
  meter: Meter;
  socketPath: string;
  ask: (more?: Asking) => Promise<Answer>;
  /** Sends a request and leaves it open. */
  open: (more?: Asking) => ClientRequest;
  stop: AbortController;
  close: () => Promise<void>;
}

export async function aGateway({
  script = () => ({ text: 'hi', usage: USAGE }),
  baseUrl,
  limits = { turns: 10, usd: 1 },
  clock = systemClock,
}: GatewayOptions = {}): Promise<TestGateway> {
  const server = await startModelServer({ clock: systemClock, apiKey: REAL_KEY, script });
  onTestFinished(() => server.close());
  const model = {
    pool: 'sonnet',
    provider: 'anthropic',
    id: MODEL,
    price: PRICE,
    baseUrl: baseUrl ?? `${server.url}/`,
    apiKey: REAL_KEY,
  };
  const meter = createMeter({ model, limits, clock });
  const socketPath = path.join(temporaryFolder(), 's');
  const tools = createCoderTools({
    ask: async () => undefined,
    answer: undefined,
    memory: undefined,
    threads: undefined,
  });
  const stop = new AbortController();
  const serving = { socketPath, token: TOKEN, model, meter, tools, clock, stop: stop.signal };
  const gateway = await startGateway(serving);
  onTestFinished(() => {
    stop.abort();
    return gateway.close();
  });
  return {
    server,
    meter,
    socketPath,
    ask: (more = {}) => ask(socketPath, more),
    open: (more = {}) => send(socketPath, more),
    stop,
    close: gateway.close,
  };
}

export interface Asking {
  model?: string;
  stream?: boolean;
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  /** More of the request, or something in place of what it says. */
  body?: Record<string, unknown>;
  /** The body as it is sent. */
  raw?: string;
}

export interface Answer {
  status: number;
  body: string;
}

export async function ask(socketPath: string, asking: Asking): Promise<Answer> {
  const req = send(socketPath, asking);
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('response', (res) => {
      text(res).then((said) => resolve({ status: res.statusCode ?? 0, body: said }), reject);
    });
  });
}

function send(
  socketPath: string,
  {
    model = MODEL,
    stream = true,
    url = '/v1/messages?beta=true',
    method = 'POST',
    headers,
    body,
    raw,
  }: Asking,
): ClientRequest {
  const req = request({
    socketPath,
    path: url,
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': TOKEN, ...headers },
  });
  const messages = [{ role: 'user', content: 'hello' }];
  const said = raw ?? JSON.stringify({ model, max_tokens: 10, stream, messages, ...body });
  req.end(method === 'GET' ? '' : said);
  return req;
}
