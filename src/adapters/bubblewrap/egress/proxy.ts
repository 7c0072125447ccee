/** The only way out of a sandbox with network: an HTTP proxy on a unix socket that connects to allowed hosts and no others. */
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import {
  createServer,
  STATUS_CODES,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import {
  HOSTS_SETTING,
  parseAuthority,
  renderTarget,
  targetOfUrl,
  type RefusedHost,
  type Target,
} from '../../../domain/sandbox/sandbox-hosts.ts';
import { NotAllowed, openRequest, openTunnel, type Routes } from './dial.ts';

export interface ProxyLimits {
  /** At one time; more are closed at once. */
  connections: number;
  /** Of one request, in bytes. Bodies are passed on as they come and never kept. */
  headerBytes: number;
  /** Until the header of a request is whole, in milliseconds. */
  headerMs: number;
  /** Until a host answers, in milliseconds. */
  connectMs: number;
  /** Without a byte in either direction, in milliseconds. */
  idleMs: number;
}

/** A package manager opens a few dozen connections; a registry answers within seconds. */
export const PROXY_LIMITS: ProxyLimits = {
  connections: 256,
  headerBytes: 16 * 1024,
  headerMs: 10_000,
  connectMs: 20_000,
  idleMs: 120_000,
};

export interface EgressProxyOptions extends Omit<Routes, 'connectTimeoutMs'> {
  socketPath: string;
  limits?: ProxyLimits;
}

export interface EgressProxy {
  /** Targets that were refused, each once; at most {@link MAX_REFUSED}. */
  refused: () => RefusedHost[];
  /** Ends all connections. */
  close: () => Promise<void>;
}

/** Names come from the sandboxed program: a few are enough to tell people. */
const MAX_REFUSED = 20;
/** How often Node looks for connections that are late with their header, in milliseconds. */
const CHECK_MS = 1_000;

interface Proxying {
  routes: Routes;
  limits: ProxyLimits;
  refused: Map<string, RefusedHost>;
}

/** Begins to listen. Anybody who can open the socket may connect to the allowed hosts. */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { socketPath, limits = PROXY_LIMITS, ...routes } = options;
  const refused = new Map<string, RefusedHost>();
  const proxying = { routes: { ...routes, connectTimeoutMs: limits.connectMs }, limits, refused };
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerMs,
      connectionsCheckingInterval: Math.min(CHECK_MS, limits.headerMs),
      insecureHTTPParser: false,
    },
    (req, res) => void forward(proxying, req, res),
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.idleMs);
  server.on('connect', (req, socket, head) => void tunnel(proxying, req, { socket, head }));
  const sockets = socketsOf(server);
  server.listen(socketPath);
  await once(server, 'listening');
  // The sandbox may run as another user; the folder around the socket is what keeps others away.
  chmodSync(socketPath, 0o666);
  return {
    refused: () => [...refused.values()],
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function socketsOf(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function tunnel(
  proxying: Proxying,
  { url = '' }: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): Promise<void> {
  const target = parseAuthority(url);
  if (target === undefined) return endWith(socket, answerOf(400, 'CONNECT needs host:port.'));
  try {
    const out = await openTunnel(target, proxying.routes);
    if (socket.destroyed) return void out.destroy();
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    for (const each of [socket, out]) endWhenIdle(each, proxying.limits.idleMs);
    pipeline(socket, out, socket, () => {
      socket.destroy();
      out.destroy();
    });
  } catch (error) {
    endWith(socket, failureOf(proxying, target, error));
  }
}

function endWhenIdle(out: Duplex, idleMs: number): void {
  if ('setTimeout' in out && typeof out.setTimeout === 'function')
    out.setTimeout(idleMs, () => out.destroy());
}

function endWith(socket: Duplex, { status, text }: Answer): void {
  const body = `${text}\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
  socket.end(head + body);
}

interface Answer {
  status: number;
  text: string;
}

function answerOf(status: number, text: string): Answer {
  return { status, text };
}

/** The answer to the program. Targets that are not allowed are recorded for people. */
function failureOf({ refused }: Proxying, target: Target, error: unknown): Answer {
  const name = renderTarget(target);
  if (!(error instanceof NotAllowed))
    return answerOf(502, `${name} cannot be reached: ${codeOf(error)}.`);
  const { canBeAllowed } = error;
  if (refused.size < MAX_REFUSED) refused.set(name, { target: name, canBeAllowed });
  return answerOf(403, `The sandbox refuses ${name}: ${error.message}. See ${HOSTS_SETTING}.`);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

/** Plain HTTP in absolute form: the URL alone says where it goes, whatever the `Host` header claims. */
async function forward(
  proxying: Proxying,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const url = URL.canParse(req.url ?? '') ? new URL(req.url ?? '') : undefined;
  const target =
    url?.protocol === 'http:' && url.username === '' ? targetOfUrl(url.href) : undefined;
  if (url === undefined || target === undefined)
    return send(res, answerOf(400, 'This proxy takes CONNECT and http:// URLs.'));
  try {
    const headers = { ...endToEnd(req.rawHeaders), host: url.host };
    const { routes, limits } = proxying;
    const { method = 'GET' } = req;
    const out = await openRequest(url, target, { routes, method, headers });
    carry({ req, res, out, idleMs: limits.idleMs }, (error) =>
      send(res, failureOf(proxying, target, error)),
    );
  } catch (error) {
    send(res, failureOf(proxying, target, error));
  }
}

interface Carried {
  req: IncomingMessage;
  res: ServerResponse;
  out: ClientRequest;
  idleMs: number;
}

function carry({ req, res, out, idleMs }: Carried, onFailure: (error: unknown) => void): void {
  out.on('error', onFailure);
  out.on('timeout', () => out.destroy(new Error('it did not answer')));
  out.on('socket', (socket) => socket.once('connect', () => socket.setTimeout(idleMs)));
  res.on('close', () => out.destroy());
  out.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders));
    pipeline(answer, res, () => undefined);
  });
  // Not `pipeline`: it would end the connection before a failure can be reported.
  req.pipe(out);
}

function send(res: ServerResponse, { status, text }: Answer): void {
  if (res.headersSent) return void res.destroy();
  res.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${text}\n`);
}

/** Headers that concern one connection; those that `Connection` names are such as well. */
const HOP_BY_HOP = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];

function endToEnd(raw: readonly string[]): OutgoingHttpHeaders {
  const pairs = raw.flatMap((name, i) =>
    i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? '']] : [],
  );
  const named = pairs
    .filter(([name]) => name === 'connection')
    .flatMap(([, value = '']) => value.split(','));
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim().toLowerCase())]);
  // Framing is Node's own: a sender that declares its length as another connection's matter changes nothing.
  for (const name of ['content-length', 'transfer-encoding']) dropped.delete(name);
  const headers = new Map<string, string[]>();
  for (const [name = '', value = ''] of pairs)
    if (!dropped.has(name)) headers.set(name, [...(headers.get(name) ?? []), value]);
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}
