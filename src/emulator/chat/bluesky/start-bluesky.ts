/** An emulated Bluesky on loopback: sessions, records, notifications, and a page that shows the posts. */
import type { Clock } from '../../../ports/clock.ts';
import {
  json,
  serve,
  takeFault,
  withFault,
  type ChatAnswer,
  type ChatFault,
  type ChatRequest,
} from '../serve.ts';
import { blobPage, uploadBlob } from './bluesky-blobs.ts';
import { blueskyPage } from './bluesky-page.ts';
import { asObject, getRecord, loadSchemas, putRecord, type Validate } from './bluesky-records.ts';
import { readBearer, createSession, refreshSession } from './bluesky-sessions.ts';
import { getAuthorFeed, getPosts, listNotifications } from './bluesky-views.ts';
import { createBlueskyWorld, type BlueskyAccount, type BlueskyWorld } from './bluesky-world.ts';
import { xrpcFail, type XrpcAnswer } from './xrpc.ts';

export interface BlueskyOptions {
  clock: Clock;
  accounts: readonly BlueskyAccount[];
  port?: number;
}

export interface BlueskyEmulator {
  /** For `BLUESKY_SERVICE`; a page for browsers. */
  url: string;
  world: BlueskyWorld;
  faults: ChatFault[];
  /** Every call, in order. */
  calls: { method: string; status: number }[];
  close(): Promise<void>;
}

export async function startBluesky({
  clock,
  accounts,
  port = 0,
}: BlueskyOptions): Promise<BlueskyEmulator> {
  const world = createBlueskyWorld(clock, accounts);
  const state: State = { world, faults: [], calls: [], validate: await loadSchemas() };
  const listening = await serve(port, (request) => answer(state, request));
  return {
    url: listening.url,
    world,
    faults: state.faults,
    calls: state.calls,
    close: () => listening.close(),
  };
}

interface State {
  world: BlueskyWorld;
  faults: ChatFault[];
  calls: BlueskyEmulator['calls'];
  validate: Validate;
}

async function answer(state: State, request: ChatRequest): Promise<ChatAnswer | undefined> {
  const method = /^\/xrpc\/([\w.]+)$/.exec(request.path)?.[1];
  if (method === undefined)
    return (
      blueskyPage(state.world, request.path) ??
      blobPage(state.world, request.path) ?? { status: 404, headers: {}, body: 'not found\n' }
    );
  const happens = (): Promise<ChatAnswer> => {
    const { status, body, headers } = call(state, method, request);
    return Promise.resolve(json(body, status, headers));
  };
  const answered = await withFault(takeFault(state.faults, method), happens);
  state.calls.push({ method, status: answered?.status ?? 0 });
  return answered;
}

function call(state: State, method: string, request: ChatRequest): XrpcAnswer {
  const { world } = state;
  const { authorization: header } = request.headers;
  if (method === 'com.atproto.server.createSession') return createSession(world, readBody(request));
  if (method === 'com.atproto.server.refreshSession') return refreshSession(world, header);
  if (method === 'com.atproto.repo.getRecord') return getRecord(world, request.query);
  const account = readBearer(world, header, 'access');
  if ('status' in account) return account;
  return (CALLS[method] ?? unknown)({ ...state, account, request });
}

type AsAccount = State & { account: BlueskyAccount; request: ChatRequest };

const CALLS: Readonly<Record<string, (call: AsAccount) => XrpcAnswer>> = {
  'com.atproto.server.getSession': ({ account: { did, handle } }) => ({
    status: 200,
    body: { did, handle, active: true },
  }),
  'com.atproto.repo.putRecord': ({ world, account, request, validate }) =>
    putRecord(world, { account, body: readBody(request), validate }),
  'com.atproto.repo.uploadBlob': ({ world, request }) => uploadBlob(world, request),
  'app.bsky.notification.listNotifications': ({ world, account, request }) =>
    listNotifications(world, account, request.query),
  'app.bsky.feed.getAuthorFeed': ({ world, request }) => getAuthorFeed(world, request.query),
  'app.bsky.feed.getPosts': ({ world, request }) => getPosts(world, request.query),
};

function unknown(): XrpcAnswer {
  return xrpcFail(501, 'MethodNotImplemented', 'Method Not Implemented');
}

function readBody({ body }: ChatRequest): Record<string, unknown> {
  try {
    return asObject(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}
