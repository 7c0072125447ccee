/**
 * The real server of Bluesky's accounts, from the package in `test/pds`, where `PDS_DIR` names an installed copy. What
 * people see of the records (notifications, feeds) is another service: our emulator's views stand in for it and read the
 * real records for each call.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AtpAgent } from '@atproto/api';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import {
  getAuthorFeed,
  getPosts,
  listNotifications,
} from '../../../src/emulator/chat/bluesky/bluesky-views.ts';
import {
  accountOf,
  createBlueskyWorld,
  type BlueskyWorld,
} from '../../../src/emulator/chat/bluesky/bluesky-world.ts';
import { xrpcFail, type XrpcAnswer } from '../../../src/emulator/chat/bluesky/xrpc.ts';

const DIR = process.env['PDS_DIR'];
export const HAS_PDS = DIR !== undefined && DIR !== '';

export interface RealPds {
  url: string;
  /** Methods that the AppView was asked for. */
  viewed: string[];
  /** Everybody and everything that is there. */
  read(): Promise<BlueskyWorld>;
  /** A new account; the agent is signed in. */
  signUp(name: string): Promise<{ did: string; handle: string; password: string; agent: AtpAgent }>;
  close(): Promise<void>;
}

const COLLECTIONS = ['app.bsky.feed.post', 'app.bsky.feed.like', 'app.bsky.feed.repost'];

export async function startRealPds(): Promise<RealPds> {
  const viewed: string[] = [];
  let url = '';
  const read = (): Promise<BlueskyWorld> => readWorld(url);
  const views = createServer((req, res) => {
    const asked = new URL(req.url ?? '', 'http://views');
    const method = asked.pathname.slice('/xrpc/'.length);
    viewed.push(method);
    // The PDS says for whom it asks.
    const token = (req.headers.authorization ?? '').split('.')[1] ?? '';
    const answer = async (): Promise<void> => {
      const { status, body } = view(await read(), { method, query: asked.searchParams, token });
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    void answer();
  });
  views.listen(0, '127.0.0.1');
  await once(views, 'listening');
  const viewUrl = `http://127.0.0.1:${(views.address() as AddressInfo).port}`;
  const server = spawn(process.execPath, [path.join(DIR ?? '', 'serve.mjs'), viewUrl], {
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], LOG_ENABLED: 'false' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  ({ url } = JSON.parse(line) as { url: string });
  return {
    url,
    viewed,
    read,
    signUp: async (name) => {
      const agent = new AtpAgent({ service: url });
      const handle = `${name}.test`;
      const password = ['pass', 'word', name].join('-');
      const { data } = await agent.createAccount({
        handle,
        email: `${name}@example.test`,
        password,
      });
      return { did: data.did, handle, password, agent };
    },
    close: async () => {
      const ended = once(server, 'exit');
      server.stdin.end();
      await ended;
      views.closeAllConnections();
      views.close();
    },
  };
}

interface Asked {
  method: string;
  query: URLSearchParams;
  token: string;
}

function view(world: BlueskyWorld, { method, query, token }: Asked): XrpcAnswer {
  const { iss } = JSON.parse(Buffer.from(token, 'base64url').toString() || '{}') as {
    iss?: string;
  };
  const me = accountOf(world, iss ?? '');
  if (me !== undefined && method === 'app.bsky.notification.listNotifications')
    return listNotifications(world, me, query);
  if (method === 'app.bsky.feed.getAuthorFeed') return getAuthorFeed(world, query);
  if (method === 'app.bsky.feed.getPosts') return getPosts(world, query);
  // The PDS asks for what it does not show itself.
  if (method === 'com.atproto.repo.getRecord')
    return xrpcFail(400, 'RecordNotFound', 'Could not locate record');
  return xrpcFail(501, 'MethodNotImplemented', method);
}

/** Everything is read again for each call: the records of the real server are the only ones. */
async function readWorld(service: string): Promise<BlueskyWorld> {
  const { com } = new AtpAgent({ service });
  const { data } = await com.atproto.sync.listRepos({ limit: 500 });
  const world = createBlueskyWorld(systemClock, []);
  // Of an account that is deactivated nothing is shown.
  for (const { did } of data.repos.filter(({ active }) => active !== false)) {
    const { data: repo } = await com.atproto.repo.describeRepo({ repo: did });
    world.accounts.push({ did, handle: repo.handle, password: '' });
    for (const collection of COLLECTIONS) {
      const { data: list } = await com.atproto.repo.listRecords({
        repo: did,
        collection,
        limit: 100,
      });
      for (const { uri, cid, value } of list.records) {
        const rkey = uri.split('/').at(-1) ?? '';
        const indexedAt = String(value['createdAt']);
        world.records.push({ uri, cid, did, collection, rkey, value, indexedAt });
      }
    }
  }
  return world;
}
