/** The same adapter on a GitHub emulator that others wrote, behind the prefix of GitHub Enterprise Server. */
import { createEmulator } from 'emulate';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { toNamedPath } from './by-name.ts';
import { createTestClock, SECRET, steady } from './stage.ts';

const APP_ID = 12_345;
const INSTALLATION = 100;
const TOKEN = ['tok', 'alice'].join('_');

/** Its clock is the machine's. */
const clock = { ...createTestClock(), now: () => Date.now() };

function listen(server: Server): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await new Promise<number>((resolve) => {
    probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port));
  });
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Serves `/api/v3/…` from the emulator's `/…`, and by a repository's id what it has by name alone. */
function openPrefixed(port: number): Promise<number> {
  const server = createServer((request, response) => {
    const path = toNamedPath((request.url ?? '/').replace(/^\/api\/v3/, ''), 'acme/widgets');
    const headers = { ...request.headers, host: `127.0.0.1:${port}` };
    const upstream = forward({ host: '127.0.0.1', port, method: request.method, path, headers });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.writeHead(502).end());
    request.pipe(upstream);
  });
  return listen(server);
}

async function openWorld() {
  const port = await freePort();
  const emulator = await createEmulator({
    service: 'github',
    port,
    hostname: '127.0.0.1',
    baseUrl: `http://127.0.0.1:${port}`,
    seed: {
      tokens: { [TOKEN]: { login: 'alice', scopes: ['repo', 'user'] } },
      github: {
        users: [{ login: 'alice', name: 'Alice', email: 'alice@example.org' }],
        orgs: [{ login: 'acme', name: 'Acme', members: [{ login: 'alice', role: 'admin' }] }],
        repos: [{ owner: 'acme', name: 'widgets', auto_init: true }],
        apps: [
          {
            app_id: APP_ID,
            slug: 'agent-team',
            name: 'Agent Team',
            permissions: { contents: 'read', issues: 'write', checks: 'write', metadata: 'read' },
            events: ['issues'],
            installations: [
              { installation_id: INSTALLATION, account: 'acme', repository_selection: 'all' },
            ],
          },
        ],
      },
    },
  });
  onTestFinished(() => emulator.close());
  const baseUrl = `http://127.0.0.1:${await openPrefixed(port)}/api/v3`;
  const call = async (path: string, body?: object): Promise<{ id: number; number: number }> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `token ${TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { id: number; number: number };
  };
  const repository = await call('/repos/acme/widgets');
  const issue = await call('/repos/acme/widgets/issues', {
    title: 'Hello',
    body: 'Text',
    labels: ['bug'],
  });
  const ref = {
    installationId: INSTALLATION,
    repositoryId: repository.id,
    owner: 'acme',
    repo: 'widgets',
  };
  const warnings: string[] = [];
  const open = () =>
    createGitHub({
      auth: { kind: 'app', appId: APP_ID, privateKey: emulator.generatedSecrets[0]?.value ?? '' },
      baseUrl,
      markerSecret: SECRET,
      clock,
      random: steady,
      log: { info: () => undefined, warn: (_, message) => void warnings.push(message) },
    });
  return { open, ref, thread: { ...ref, number: issue.number }, warnings };
}

test('reads, writes once and goes on without what that server lacks', async () => {
  const { open, ref, thread, warnings } = await openWorld();
  const { read } = open().at(ref);
  const { headSha } = await read.repository(ref);
  expect((await read.paths(ref, headSha, 10)).paths).toEqual(['README.md']);
  expect(await read.issue(thread)).toMatchObject({ title: 'Hello', authorPermission: 'admin' });

  const marker = { kind: 'run', run: 'r', key: 'k' } as const;
  const outcomes: string[] = [];
  for (const body of ['one', 'one', 'two'])
    outcomes.push((await open().at(ref).write.ensureComment(thread, { marker, body })).outcome);
  expect(outcomes).toEqual(['created', 'unchanged', 'edited']);

  const github = open();
  const { write } = github.at(ref);
  await write.ensureReaction(thread, { add: 'eyes' });
  await write.ensureReaction(thread, { add: 'rocket', remove: 'eyes' });
  const add = [{ name: 'ready', color: 'ff0000', description: 'Ready' }];
  await write.ensureLabels(thread, { add, remove: ['bug'] });
  expect((await github.app.labelled(ref, ['ready'])).map((one) => one.labels)).toEqual([['ready']]);
  expect(await github.app.redeliverFailed(new Date(0).toISOString())).toBe(0);
  expect(warnings).toEqual([
    expect.stringContaining('reactions are not available'),
    expect.stringContaining('cannot list webhook deliveries'),
  ]);
  expect(await write.ensureClosed(thread, 'duplicate')).toBe('closed');
  expect(await open().at(ref).read.issue(thread)).toMatchObject({
    state: 'closed',
    labels: ['ready'],
  });
});
