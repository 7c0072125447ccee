/** Webhooks that arrive through a channel of smee.io: the real client of one, against a channel on loopback. */
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { startApp } from '../../src/hosts/start-app.ts';
import { createLines, sign } from '../adapters/http/door.ts';
import { readSmeeUrl } from '../../src/hosts/environment/host-settings.ts';
import { setupHints } from '../../src/hosts/setup/hook-address.ts';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { temporaryFolder } from './cli/temporary-folder.ts';

const SECRET = 'a secret of the test';

interface Channel {
  url: string;
  /** Sends to all listeners, as smee.io does: the headers, and the body as a value. */
  send: (body: object, headers: Record<string, string>) => void;
}

async function openChannel(): Promise<Channel> {
  const listening: ServerResponse[] = [];
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ready\ndata: {}\n\n');
    listening.push(res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/AbCd1234`,
    send: (body, headers) => {
      const data = JSON.stringify({ ...headers, body, query: { token: 'guess' } });
      for (const res of listening) res.write(`data: ${data}\n\n`);
    },
  };
}

async function startOn(channel: Channel) {
  const dir = temporaryFolder();
  const emulator = await createGitHubEmulator({ dir: path.join(dir, 'hub'), clock: systemClock });
  onTestFinished(() => emulator.close());
  const app = await emulator.createApp({
    name: 'Quorum',
    permissions: { issues: 'write' },
    events: ['issues'],
    webhookUrl: channel.url,
    webhookSecret: SECRET,
  });
  const { log, lines } = createLines();
  const store = await openSqliteStore({ dir: path.join(dir, 'data'), clock: systemClock });
  const running = await startApp({
    env: {
      PORT: '0',
      QUORUM_DATA: path.join(dir, 'data'),
      QUORUM_SMEE_URL: channel.url,
      APP_ID: String(app.appId),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: SECRET,
      GHE_HOST: emulator.host,
      GHE_PROTOCOL: 'http',
    },
    envFile: path.join(dir, '.env'),
    manifestFile: 'app.yml',
    clock: systemClock,
    random: systemRandom,
    log,
    store,
    reconcileEveryMs: 0,
  });
  onTestFinished(() => store.close());
  onTestFinished(() => running.close(2_000));
  return { store, lines };
}

test('a delivery through the channel is taken in, and one without our secret is refused there as well', async () => {
  const channel = await openChannel();
  const { store, lines } = await startOn(channel);
  const body = { action: 'opened', zen: 'Naïve – “quoted” \u2028 text' };
  const headersOf = (signature: string) => ({
    'x-github-event': 'issues',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': signature,
    host: 'smee.example',
  });
  channel.send(body, headersOf(sign(JSON.stringify(body), 'another secret')));
  await expect.poll(() => lines.join('\n')).toContain('401');
  expect(await store.records.events({ limit: 10 })).toEqual([]);
  channel.send(body, headersOf(sign(JSON.stringify(body), SECRET)));
  await expect.poll(() => lines.join('\n')).toContain('202');
  expect(await store.records.events({ limit: 10 })).toHaveLength(1);
  // Who sends to a channel chooses no part of our address.
  expect(lines.join('\n')).not.toContain('token=guess');
});

test('what is no channel is refused at the start, and the terminal says who can read one', () => {
  for (const wrong of ['smee', 'ftp://smee.io/a', 'https://smee.io', 'https://smee.io/'])
    expect(() => readSmeeUrl({ QUORUM_SMEE_URL: wrong })).toThrow('https://smee.io/new makes one');
  expect(readSmeeUrl({})).toBeUndefined();
  const hints = setupHints({ QUORUM_SMEE_URL: 'https://smee.io/AbCd1234' }).join('\n');
  expect(hints).toContain('anybody who knows this address reads the webhooks');
  const known = { WEBHOOK_PROXY_URL: 'https://quorum.example/api/github/webhooks' };
  expect(setupHints(known, 'http://127.0.0.1:3000')[0]).toBe(
    'GitHub delivers to https://quorum.example/api/github/webhooks; a proxy there has to pass it on to http://127.0.0.1:3000.',
  );
  expect(setupHints({}, 'http://127.0.0.1:3000').join('\n')).toMatch(
    /refuses localhost\. Set WEBHOOK_PROXY_URL=https:\/\/your\.host\/api\/github\/webhooks.*\n.*QUORUM_SMEE_URL/,
  );
});
