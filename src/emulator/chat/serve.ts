/** HTTP for the services that people chat on: for this machine only, each request read whole, faults on demand. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
/** Larger than any file that is uploaded here. */
const MAX_BODY = 20 * 1024 * 1024;

export interface ChatRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface ChatAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** What goes wrong with the next call of a method. `*` is any method. */
export type ChatFault = { method: string; times?: number } & (
  | { kind: 'answer'; answer: ChatAnswer }
  /** The call has its effect, and the answer never arrives. */
  | { kind: 'lost' }
  /** The connection ends before anything happens. */
  | { kind: 'cut' }
);

/** Takes the first fault that fits; each is used up. */
export function takeFault(faults: ChatFault[], method: string): ChatFault | undefined {
  const at = faults.findIndex((fault) => fault.method === method || fault.method === '*');
  const fault = faults[at];
  if (fault === undefined) return undefined;
  const left = (fault.times ?? 1) - 1;
  if (left <= 0) faults.splice(at, 1);
  else faults[at] = { ...fault, times: left };
  return fault;
}

/** What the caller sees of a call that has a fault; undefined is a connection that ends without an answer. */
export async function withFault(
  fault: ChatFault | undefined,
  happens: () => Promise<ChatAnswer>,
): Promise<ChatAnswer | undefined> {
  if (fault?.kind === 'cut') return undefined;
  if (fault?.kind === 'answer') return fault.answer;
  const answered = await happens();
  return fault === undefined ? answered : undefined;
}

export function json(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ChatAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

export interface Listening {
  url: string;
  server: Server;
  close(): Promise<void>;
}

/** An answer of `undefined` ends the connection without one. */
export type Answer = (request: ChatRequest) => Promise<ChatAnswer | undefined>;

/** Listens on 127.0.0.1; a port of 0 takes a free one. */
export async function serve(port: number, answer: Answer): Promise<Listening> {
  const server = createServer((req, res) => {
    respond(req, res, answer).catch((error: unknown) => {
      if (res.headersSent) return res.destroy();
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return res
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(`emulator defect: ${message}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${bound}`, server, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function respond(req: IncomingMessage, res: ServerResponse, answer: Answer): Promise<void> {
  if (!LOOPBACK.test((req.headers.host ?? '').replace(/:\d+$/, ''))) {
    req.resume();
    res.writeHead(403).end('This server answers requests for this machine only.\n');
    return;
  }
  const url = new URL(req.url ?? '/', 'http://emulator');
  const body = await readAll(req);
  const found = await answer({
    method: req.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: req.headers,
    body,
  });
  if (found === undefined) req.socket.destroy();
  else res.writeHead(found.status, found.headers).end(found.body);
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('request too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
