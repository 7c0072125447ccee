/** The HTTP side: reads requests, applies faults, picks git, API or page, and keeps the request log. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { withWrongBody } from './behave/wrong-body.ts';
import { answerApi, type Api, type ApiAnswer } from './api.ts';
import { toNamedPath } from './by-id.ts';
import type { Fault, Faults } from './behave/faults.ts';
import { isForThisMachine } from './local-host.ts';
import { answerGit } from './git-server.ts';
import { parseGitRequest, type GitRequest } from './git/http-backend.ts';
import { toStale } from './behave/lag.ts';
import { nowIso } from './world/world.ts';
import { type Incoming, toIncoming, MALFORMED, parseJson, readAll } from './incoming.ts';

/** One request as assertions and counts see it. */
export interface RequestEntry {
  method: string;
  /** Without `/api/v3`; by the repository's name also where it was asked for by its id. */
  path: string;
  /** Whether the repository was addressed by its id. */
  isById: boolean;
  query: string;
  /** The template that matched, `git`, `page`, or empty. */
  route: string;
  /** 0 when the connection was cut instead of answered. */
  status: number;
  actor: string;
  at: string;
  fault: Fault['kind'] | undefined;
}

/** A whole exchange, for validators. Bodies are parsed JSON or `undefined`. */
export interface Exchange extends RequestEntry {
  requestBody: unknown;
  responseBody: unknown;
  contentType: string;
}

export interface ServerParts {
  api: Api;
  faults: Faults;
  /** Names that it may be asked by, besides those of this machine. */
  names: readonly string[];
  /** Answers HTML pages; `undefined` when the path is no page. */
  page: (request: PageRequest) => Promise<PageAnswer | undefined>;
  record: (entry: RequestEntry) => void;
  /** Bodies are parsed for listeners only while there are any. */
  listeners: ReadonlySet<(exchange: Exchange) => void>;
}

export interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
}

export interface PageAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

const MAX_REMEMBERED = 500;

export function createListener(
  parts: ServerParts,
): (req: IncomingMessage, res: ServerResponse) => void {
  const remembered = new Map<string, ApiAnswer>();
  return (req, res) => {
    if (!isForThisMachine(req, parts.names)) return refuseForeign(req, res);
    const incoming = toIncoming(parts.api, req, res);
    void respond(parts, incoming, remembered).catch((error: unknown) => {
      // Nobody would read it any more: a fault of the emulator, or of a listener.
      if (res.writableEnded) throw error;
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (!res.headersSent) res.writeHead(500, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ message: 'Server Error', emulator_defect: message }));
    });
  };
}

function refuseForeign(req: IncomingMessage, res: ServerResponse): void {
  req.resume();
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  res.writeHead(403, headers).end('This server answers requests for this machine only.\n');
}

async function respond(
  parts: ServerParts,
  incoming: Incoming,
  remembered: Map<string, ApiAnswer>,
): Promise<void> {
  const { method, path, query } = incoming;
  const gitRequest = incoming.isApi ? undefined : parseGitRequest(path, query);
  const route = gitRequest === undefined ? apiRoute(parts, incoming) : 'git';
  const fault = parts.faults.next({ method, path, route });
  if (fault?.kind === 'latency') await parts.api.world.clock.sleep(fault.ms);
  if (failedEarly(parts, incoming, { fault, route })) return;
  if (gitRequest !== undefined) return answerAsGit(parts, incoming, { gitRequest, fault });
  const body = await readAll(incoming.req);
  incoming.path = toNamedPath(parts.api.world, incoming.asked);
  const mayBePage = route === '' && !incoming.isApi;
  if (mayBePage && (await answeredPage(parts, incoming, body))) return;
  await answerAsApi(parts, incoming, { body, fault, remembered });
}

async function answerAsGit(
  parts: ServerParts,
  incoming: Incoming,
  at: { gitRequest: GitRequest; fault: Fault | undefined },
): Promise<void> {
  const discard = at.fault?.kind === 'effect-then-fail';
  const done = await answerGit(parts.api.world, { ...incoming, request: at.gitRequest, discard });
  const status = discard ? 0 : done.status;
  record(parts, incoming, { route: 'git', fault: at.fault, status, actor: done.actor });
}

/** The template of the API operation that is asked for, or nothing. */
function apiRoute(parts: ServerParts, incoming: Incoming): string {
  if (isHome(incoming)) return '';
  return parts.api.match(incoming.method, incoming.path)?.route.path ?? '';
}

/** The root is the API's for programs and a page for browsers. */
function isHome(incoming: Incoming): boolean {
  return (
    !incoming.isApi &&
    incoming.path === '/' &&
    (incoming.req.headers.accept ?? '').includes('text/html')
  );
}

/** Faults that keep the operation from happening. */
function failedEarly(
  parts: ServerParts,
  incoming: Incoming,
  at: { fault: Fault | undefined; route: string },
): boolean {
  const { fault } = at;
  if (fault === undefined) return false;
  const log = (status: number): void => record(parts, incoming, { ...at, status, actor: 'unread' });
  if (fault.kind === 'reset') {
    incoming.req.socket.destroy();
    log(0);
    return true;
  }
  if (fault.kind !== 'status' && fault.kind !== 'fail-without-effect') return false;
  incoming.req.resume();
  const status = fault.status ?? 502;
  const body = fault.kind === 'status' ? fault.body : undefined;
  const headers = fault.kind === 'status' ? fault.headers : undefined;
  incoming.res
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body ?? { message: 'Server Error' }));
  log(status);
  return true;
}

async function answeredPage(
  parts: ServerParts,
  incoming: Incoming,
  body: Buffer,
): Promise<boolean> {
  const page = await parts.page({
    method: incoming.method,
    path: incoming.path,
    query: incoming.query,
    headers: incoming.req.headers,
    form: new URLSearchParams(body.toString()),
  });
  if (page === undefined) return false;
  incoming.res.writeHead(page.status, page.headers).end(page.body);
  record(parts, incoming, {
    route: 'page',
    status: page.status,
    actor: 'anonymous',
    fault: undefined,
  });
  return true;
}

async function answerAsApi(
  parts: ServerParts,
  incoming: Incoming,
  at: { body: Buffer; fault: Fault | undefined; remembered: Map<string, ApiAnswer> },
): Promise<void> {
  const { req, method, path, query } = incoming;
  const requestBody = parseJson(at.body);
  if (requestBody === MALFORMED) {
    incoming.res.writeHead(400, { 'content-type': 'application/json; charset=utf-8' });
    incoming.res.end(JSON.stringify({ message: 'Problems parsing JSON', status: '400' }));
    return record(parts, incoming, { route: '', status: 400, actor: 'unread', fault: undefined });
  }
  const headers = Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  const fresh = await answerApi(parts.api, { method, path, query, headers, body: requestBody });
  const key = `${method} ${path}?${query.toString()} ${fresh.actor}`;
  const since = { last: at.remembered.get(key), nowMs: parts.api.world.clock.now() };
  const answer = at.fault?.kind === 'stale' ? toStale(fresh, at.fault, since) : fresh;
  if (method === 'GET' && fresh.status === 200 && answer.status === 200)
    remember(at.remembered, key, answer);
  const status = write(incoming, answer, at.fault);
  record(parts, incoming, { route: answer.route, status, actor: answer.actor, fault: at.fault });
  if (parts.listeners.size === 0) return;
  const exchange: Exchange = {
    ...toEntry(parts, incoming, {
      route: answer.route,
      status,
      actor: answer.actor,
      fault: at.fault,
    }),
    requestBody,
    responseBody: bodyOf(answer),
    contentType: answer.headers['content-type'] ?? '',
  };
  for (const listener of parts.listeners) listener(exchange);
}

function bodyOf(answer: ApiAnswer): unknown {
  const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json');
  return isJson && answer.payload.length > 0
    ? (JSON.parse(answer.payload.toString()) as unknown)
    : undefined;
}

function remember(remembered: Map<string, ApiAnswer>, key: string, answer: ApiAnswer): void {
  remembered.delete(key);
  remembered.set(key, answer);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** Sends the answer, or what the fault makes of it; returns the status that the caller saw. */
function write(incoming: Incoming, answer: ApiAnswer, fault: Fault | undefined): number {
  const { res, req, method } = incoming;
  if (fault?.kind === 'effect-then-fail') {
    if (fault.reset ?? fault.status === undefined) {
      req.socket.destroy();
      return 0;
    }
    const status = fault.status ?? 502;
    res.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"Server Error"}');
    return status;
  }
  const sent = fault?.kind === 'wrong-body' ? withWrongBody(answer, fault.body) : answer;
  const headers = { ...sent.headers, 'content-length': String(sent.payload.length) };
  res.writeHead(answer.status, headers);
  if (fault?.kind === 'truncated') {
    res.write(answer.payload.subarray(0, Math.floor(answer.payload.length / 2)), () =>
      req.socket.destroy(),
    );
    return answer.status;
  }
  res.end(method === 'HEAD' ? undefined : sent.payload);
  return answer.status;
}

type Outcome = { route: string; status: number; actor: string; fault: Fault | undefined };

function toEntry(parts: ServerParts, incoming: Incoming, outcome: Outcome): RequestEntry {
  return {
    method: incoming.method,
    path: incoming.path,
    isById: incoming.path !== incoming.asked,
    query: incoming.query.toString(),
    route: outcome.route,
    status: outcome.status,
    actor: outcome.actor,
    at: nowIso(parts.api.world),
    fault: outcome.fault?.kind,
  };
}

function record(parts: ServerParts, incoming: Incoming, outcome: Outcome): void {
  parts.record(toEntry(parts, incoming, outcome));
}
