/** All that a fenced CLI reaches: its model, metered and capped, and the tools of the team, on one unix socket. */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { CallOutcome } from '../../../domain/ledger.ts';
import { scrubSecrets } from '../../../domain/scrub.ts';
import type { Meter } from './meter.ts';
import type { ClaudeModel } from './model.ts';
import { outreachOf } from './outreach.ts';
import type { CoderTools } from './tools.ts';
import { createUsageReader } from './usage.ts';

export interface GatewayOptions {
  socketPath: string;
  /** Of this run: who has it may spend what is left of the run's limits, and nothing else. */
  token: string;
  model: ClaudeModel;
  meter: Meter;
  tools: CoderTools;
}

export interface Gateway {
  close: () => Promise<void>;
}

/** Anthropic takes at most 32 MB in one request. */
const MAX_BODY_BYTES = 32_000_000;

/** Headers of the CLI that its provider understands; none that identifies this machine. */
const FORWARDED = ['accept', 'anthropic-beta', 'anthropic-version', 'content-type'];
/** Of the answer, what the CLI acts on. */
const RETURNED = ['content-type', 'request-id', 'retry-after', 'x-should-retry'];

/** Begins to listen; whoever is not the user of this process cannot open the socket. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const server = createServer((req, res) => {
    answer(options, req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else
        sendError(res, { status: 502, type: 'api_error', message: scrub(options, String(error)) });
    });
  });
  server.requestTimeout = 0;
  server.listen(options.socketPath);
  await once(server, 'listening');
  chmodSync(options.socketPath, 0o600);
  return {
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function answer(
  options: GatewayOptions,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const path = (req.url ?? '').split('?')[0];
  if (!hasToken(req, options.token))
    return sendError(res, { status: 401, type: 'authentication_error', message: 'no such run' });
  if (req.method !== 'POST')
    return sendError(res, { status: 404, type: 'not_found_error', message: 'nothing is here' });
  const body = await readBody(req);
  if (path === '/mcp') return sendJson(res, await options.tools.answerRpc(parseJson(body)));
  if (path === '/hook') return sendJson(res, await options.tools.decide(parseJson(body)));
  if (path === '/v1/messages' || path === '/v1/messages/count_tokens')
    return passOn(options, { req, res, body, path });
  sendError(res, { status: 404, type: 'not_found_error', message: 'nothing is here' });
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
  const [a, b] = [Buffer.from(String(given)), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface Forwarding {
  req: IncomingMessage;
  res: ServerResponse;
  body: Buffer;
  path: '/v1/messages' | '/v1/messages/count_tokens';
}

const Wanted = z.looseObject({ model: z.string(), stream: z.boolean().optional() });

async function passOn(options: GatewayOptions, forwarding: Forwarding): Promise<void> {
  const { model, meter } = options;
  const { res, body, path } = forwarding;
  const wanted = Wanted.safeParse(parseJson(body));
  // 403 is what the CLI does not try again.
  const refuse = (message: string): void =>
    sendError(res, { status: 403, type: 'permission_error', message });
  if (!wanted.success) return refuse('This is no request for a message.');
  if (wanted.data.model !== model.id) return refuse(`This run may use ${model.id} and no other.`);
  const outreach = outreachOf(wanted.data);
  if (outreach !== undefined)
    return refuse(`This run has no network, and ${outreach} would be one.`);
  // Counting tokens is free, and no call of a model.
  if (path !== '/v1/messages') return void (await carry(options, forwarding, () => undefined));
  const refusal = meter.refusal();
  if (refusal !== undefined) return refuse(`No further call: ${refusal}.`);
  const end = meter.begin();
  const reader = createUsageReader(wanted.data.stream === true);
  let outcome: CallOutcome = 'error';
  try {
    const isCarried = await carry(options, forwarding, reader.push);
    if (!isCarried) outcome = 'aborted';
    else if (reader.isWhole()) outcome = reader.isRefused() ? 'refused' : 'ok';
  } finally {
    end(outcome, reader.usage());
  }
}

/** Sends a request on and its answer back; false when whoever asked went away before the end. */
async function carry(
  options: GatewayOptions,
  { req, res, body, path }: Forwarding,
  onPiece: (piece: Buffer) => void,
): Promise<boolean> {
  const { model } = options;
  const left = new AbortController();
  res.on('close', () => left.abort());
  try {
    const upstream = await fetch(`${model.baseUrl.replace(/\/$/, '')}${path}`, {
      method: 'POST',
      // A redirect would take the key elsewhere.
      redirect: 'error',
      signal: left.signal,
      headers: {
        ...forwardedHeaders(req),
        'x-api-key': model.apiKey,
        'accept-encoding': 'identity',
      },
      body: new Uint8Array(body),
    });
    if (upstream.ok) await stream(upstream, res, onPiece);
    else await sendScrubbed(options, upstream, res);
    return true;
  } catch (error) {
    if (left.signal.aborted) return false;
    throw error;
  }
}

function forwardedHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function stream(
  upstream: Response,
  res: ServerResponse,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  res.writeHead(upstream.status, returnedHeaders(upstream));
  for await (const chunk of upstream.body ?? []) {
    const piece = Buffer.from(chunk);
    onPiece(piece);
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
}

/** What a provider says of a failure may repeat what it was sent. */
async function sendScrubbed(
  options: GatewayOptions,
  upstream: Response,
  res: ServerResponse,
): Promise<void> {
  const text = scrub(options, await upstream.text());
  res.writeHead(upstream.status, returnedHeaders(upstream)).end(text);
}

function scrub({ model }: GatewayOptions, text: string): string {
  return scrubSecrets(text, [model.apiKey]);
}

function returnedHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries(
    RETURNED.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The request is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function sendJson(res: ServerResponse, value: unknown): void {
  if (value === undefined) res.writeHead(202).end();
  else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendError(
  res: ServerResponse,
  { status, type, message }: { status: number; type: string; message: string },
): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ type: 'error', error: { type, message } }));
}
