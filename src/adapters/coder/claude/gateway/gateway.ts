/** All that a sandboxed CLI reaches: its model, metered and capped, and the tools of the team, on one unix socket. */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { scrubSecrets } from '../../../../domain/secrets/scrub.ts';
import type { Clock } from '../../../../ports/clock.ts';
import { passCall, passCount, type Messages } from './pass-call.ts';
import type { Meter } from './meter.ts';
import type { ClaudeModel } from '../claude-model.ts';
import { createBodyReader, type ReadBody } from './read-body.ts';
import { sendMessagesError, sendMcpJson } from './gateway-answers.ts';
import type { CoderTools } from '../tools.ts';

export interface GatewayOptions {
  socketPath: string;
  /** Of this run: who has it may spend what is left of the run's limits, and nothing else. */
  token: string;
  model: ClaudeModel;
  meter: Meter;
  tools: CoderTools;
  clock: Clock;
  /** Stops every call at once; what it used is not waited for. */
  stop: AbortSignal;
}

export interface Gateway {
  /** Resolves when every call is counted: at most 30 s after its client hung up, and at once after a stop. */
  close: () => Promise<void>;
}

/** The CLI and its tools open fewer than ten at a time. */
const MAX_CONNECTIONS = 64;
/** All requests of one run, of every kind. */
const MAX_REQUESTS = 20_000;
/** Anthropic takes at most 32 MB in one request. */
const MAX_PROMPT_BYTES = 32_000_000;
/** A question to the PM, or a note. */
const MAX_TOOL_BYTES = 1_000_000;
/** What all requests hold in memory together. */
const MAX_HELD_BYTES = 64_000_000;
/** A client that sends its request more slowly is cut off by the server. */
const MAX_RECEIVE_MS = 60_000;
/** The PM may think about a question for 300 s (`argv.ts`). */
const MAX_TOOL_MS = 330_000;
const MAX_TOOLS_AT_ONCE = 16;

interface Serving extends GatewayOptions, Messages {
  readBody: ReadBody;
  /** Calls of the model that are under way. */
  calls: Set<Promise<void>>;
  requests: number;
  tooling: number;
}

/** Begins to listen; nobody but the user of this process can open the socket. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const serving: Serving = {
    ...options,
    readBody: createBodyReader(MAX_HELD_BYTES),
    calls: new Set(),
    requests: 0,
    tooling: 0,
  };
  const server = createServer((req, res) => {
    answer(serving, req, res).catch((error: unknown) => fail(serving, res, error));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = MAX_RECEIVE_MS;
  server.listen(options.socketPath);
  await once(server, 'listening');
  chmodSync(options.socketPath, 0o600);
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.allSettled(serving.calls);
    },
  };
}

function fail({ model }: Serving, res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy();
  const message = scrubSecrets(String(error), [model.apiKey]);
  sendMessagesError(res, { status: 502, type: 'api_error', message });
}

async function answer(serving: Serving, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const refuse = (status: number, type: string, message: string): void =>
    sendMessagesError(res, { status, type, message });
  if (!hasToken(req, serving.token))
    return refuse(401, 'authentication_error', 'The token is not that of this run.');
  serving.requests += 1;
  if (serving.requests > MAX_REQUESTS)
    return refuse(403, 'permission_error', `This run made ${MAX_REQUESTS} requests, the most.`);
  const route = req.method === 'POST' ? ROUTES.get((req.url ?? '').split('?')[0] ?? '') : undefined;
  if (route === undefined) return refuse(404, 'not_found_error', 'This path is not served.');
  await route(serving, req, res);
}

type Route = (serving: Serving, req: IncomingMessage, res: ServerResponse) => Promise<void>;

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/mcp', (serving, req, res) => answerTool(serving, { req, res }, serving.tools.answerRpc)],
  ['/hook', (serving, req, res) => answerTool(serving, { req, res }, serving.tools.decide)],
  ['/v1/messages', answerCall],
  [
    '/v1/messages/count_tokens',
    ({ readBody, ...messages }, req, res) =>
      readBody(req, MAX_PROMPT_BYTES, (body) => passCount(messages, { req, res, body })),
  ],
]);

function answerCall(serving: Serving, req: IncomingMessage, res: ServerResponse): Promise<void> {
  return serving.readBody(req, MAX_PROMPT_BYTES, async (body) => {
    const call = passCall(serving, { req, res, body });
    serving.calls.add(call);
    await call.finally(() => serving.calls.delete(call));
  });
}

async function answerTool(
  serving: Serving,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  work: (body: unknown) => Promise<unknown>,
): Promise<void> {
  if (serving.tooling >= MAX_TOOLS_AT_ONCE)
    return sendMessagesError(res, {
      status: 429,
      type: 'rate_limit_error',
      message: 'Too many at once.',
    });
  serving.tooling += 1;
  const over = new AbortController();
  try {
    await serving.readBody(req, MAX_TOOL_BYTES, async (body) => {
      const limit = serving.clock.sleep(MAX_TOOL_MS, AbortSignal.any([over.signal, serving.stop]));
      const late = limit.then(() => Promise.reject(new Error('The tool took too long.')));
      sendMcpJson(res, await Promise.race([work(body), late]));
    });
  } finally {
    over.abort();
    serving.tooling -= 1;
  }
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
  const [a, b] = [Buffer.from(String(given)), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
