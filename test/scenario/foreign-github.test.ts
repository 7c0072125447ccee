/** The App, unchanged, on a GitHub that others wrote (the `emulate` package), behind the prefixes of an Enterprise Server. */
import { createEmulator } from 'emulate';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { startApp } from '../../src/hosts/start-app.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { MANIFEST_FILE } from '../../src/hosts/package-files.ts';
import { aModel } from '../helpers/a-model.ts';
import { aVerdict } from '../helpers/an-issue.ts';
import { READY_ISSUE } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const APP_ID = 12_345;
const INSTALLATION = 100;
const TOKEN = ['tok', 'alice'].join('_');
const HOOK_SECRET = ['hook', 'secret'].join('-');
const BASE = '/repos/acme/widgets';

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
  const port = await listen(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** `/api/v3/…` and `/api/graphql` of the emulator's `/…` and `/graphql`; by id it has nothing but the repository itself. */
function openPrefixed(port: number): Promise<number> {
  return listen(
    createServer((request, response) => {
      const target = (request.url ?? '/')
        .replace(/^\/api\/v3/, '')
        .replace(/^\/api(?=\/graphql)/, '')
        .replace(/^\/repositories\/\d+(?=[/?]|$)/, BASE);
      const headers = { ...request.headers, host: `127.0.0.1:${port}` };
      const upstream = forward({
        host: '127.0.0.1',
        port,
        method: request.method,
        path: target,
        headers,
      });
      upstream.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      upstream.on('error', () => response.writeHead(502).end());
      request.pipe(upstream);
    }),
  );
}

interface Foreign {
  call(method: string, path: string, body?: object): Promise<unknown>;
  comments(issue: number): Promise<{ body: string; user: { login: string } }[]>;
  labels(issue: number): Promise<string[]>;
  /** The App's log, line by line. */
  lines: string[];
  /** Where the App takes webhooks. */
  hookUrl: string;
}

async function aForeignWorld(env: Record<string, string> = {}): Promise<Foreign> {
  const [port, appPort] = [await freePort(), await freePort()];
  const emulator = await createEmulator({
    service: 'github',
    port,
    hostname: '127.0.0.1',
    baseUrl: `http://127.0.0.1:${port}`,
    seed: seedOf(`http://127.0.0.1:${appPort}/api/github/webhooks`),
  });
  onTestFinished(() => emulator.close());
  const proxy = await openPrefixed(port);
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-foreign-'));
  const lines: string[] = [];
  const app = await startApp({
    env: {
      ...env,
      APP_ID: String(APP_ID),
      PRIVATE_KEY: emulator.generatedSecrets[0]?.value ?? '',
      WEBHOOK_SECRET: HOOK_SECRET,
      GHE_HOST: `127.0.0.1:${proxy}`,
      GHE_PROTOCOL: 'http',
      QUORUM_DATA: path.join(dir, 'data'),
      PORT: String(appPort),
    },
    clock: systemClock,
    random: systemRandom,
    log: createLog({ format: 'json', destination: { write: (line) => void lines.push(line) } }),
    envFile: path.join(dir, '.env'),
    manifestFile: MANIFEST_FILE,
    budgets: 'off',
    // One pass at the start, and no other while the test goes on.
    reconcileEveryMs: 24 * 3_600_000,
  });
  onTestFinished(async () => {
    await app.close(5_000);
    await rm(dir, { recursive: true, force: true });
  });
  const call = async (method: string, target: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
      method,
      headers: { authorization: `token ${TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([target, answer.ok]).toEqual([target, true]);
    return answer.json();
  };
  return { ...reading(call), call, lines, hookUrl: `${app.url}/api/github/webhooks` };
}

function seedOf(webhookUrl: string) {
  return {
    tokens: { [TOKEN]: { login: 'alice', scopes: ['repo', 'user'] } },
    github: {
      users: [{ login: 'alice', name: 'Alice', email: 'alice@example.org' }],
      orgs: [
        { login: 'acme', name: 'Acme', members: [{ login: 'alice', role: 'admin' as const }] },
      ],
      repos: [{ owner: 'acme', name: 'widgets', auto_init: true }],
      apps: [
        {
          app_id: APP_ID,
          slug: 'agent-team',
          name: 'Agent Team',
          permissions: {
            contents: 'read',
            issues: 'write',
            checks: 'write',
            metadata: 'read',
          },
          events: ['issues', 'issue_comment'],
          webhook_url: webhookUrl,
          webhook_secret: HOOK_SECRET,
          installations: [
            {
              installation_id: INSTALLATION,
              account: 'acme',
              repository_selection: 'all' as const,
            },
          ],
        },
      ],
    },
  };
}

function reading(call: Foreign['call']): Pick<Foreign, 'comments' | 'labels'> {
  return {
    comments: async (issue) =>
      (await call('GET', `${BASE}/issues/${issue}/comments`)) as {
        body: string;
        user: { login: string };
      }[],
    labels: async (issue) =>
      ((await call('GET', `${BASE}/issues/${issue}/labels`)) as { name: string }[]).map(
        (label) => label.name,
      ),
  };
}

/** Opened with the label on it: that server tells its hooks so, but nothing of labels put on later. */
async function askByOpening(world: Foreign): Promise<number> {
  const issue = { ...READY_ISSUE, labels: ['deliberate'] };
  return ((await world.call('POST', `${BASE}/issues`, issue)) as { number: number }).number;
}

/** The delivery that GitHub would send for a label, made of what that server says of the issue. */
async function askByLabel(world: Foreign): Promise<number> {
  const { number } = (await world.call('POST', `${BASE}/issues`, READY_ISSUE)) as {
    number: number;
  };
  const labels = (await world.call('POST', `${BASE}/issues/${number}/labels`, {
    labels: ['deliberate'],
  })) as object[];
  const body = JSON.stringify({
    action: 'labeled',
    label: labels[0],
    issue: await world.call('GET', `${BASE}/issues/${number}`),
    repository: await world.call('GET', BASE),
    sender: await world.call('GET', '/users/alice'),
    installation: { id: INSTALLATION },
  });
  const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
  const answer = await fetch(world.hookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  });
  expect(answer.status).toBe(202);
  return number;
}

const WAYS: [string, (world: Foreign) => Promise<number>][] = [
  ['opened with the label, told by that server’s own hook', askByOpening],
  ['labelled later', askByLabel],
];

describe.each(WAYS)('on a GitHub of others, an issue %s', (_, ask) => {
  verifies(
    ['NW-9', 'P1'],
    'gets its live comment, verdict and label; without reactions it goes on and says so once',
    async () => {
      const seen = new Set<string>();
      const { env } = await aModel({ verdict: () => ({ json: aVerdict(), delayMs: 500 }) });
      const foreign = await aForeignWorld(env);
      const number = await ask(foreign);
      await waitUntil(async () => {
        for (const { body } of await foreign.comments(number)) seen.add(body.slice(0, 14));
        return (await foreign.labels(number)).includes('ready');
      });
      await waitUntil(async () => !(await foreign.labels(number)).includes('deliberate'));
      const comments = await foreign.comments(number);
      expect(comments).toHaveLength(1);
      expect(comments[0]?.user.login).toBe('agent-team[bot]');
      expect(comments[0]?.body).toMatch(/^### Ready: /);
      expect(comments[0]?.body).toContain('priya would start');
      expect(seen).toContain('### Discussing');
      const told = (words: string): string[] =>
        foreign.lines.filter((line) => line.includes(words));
      await waitUntil(() => Promise.resolve(told('reactions are not available').length > 0));
      expect(told('reactions are not available')[0]).toContain('going on without');
      expect(told('reactions are not available')).toHaveLength(1);
      expect(told('cannot list webhook deliveries')).toHaveLength(1);
      expect(told('repositories of this installation are not told')).toHaveLength(1);
      expect(told('"level":50')).toEqual([]);
    },
  );
});
