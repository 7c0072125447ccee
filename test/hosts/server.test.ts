import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answerJson } from '../../src/adapters/http/http-answers.ts';
import type { Actor } from '../../src/domain/run/thread-ref.ts';
import { call } from '../contract/store-words.ts';
import { aPlainProxy } from '../helpers/a-plain-proxy.ts';
import { deliver, openDoor } from '../adapters/http/door.ts';
import type { Door } from '../adapters/http/door.ts';
import { createStaleNotes } from '../../src/adapters/http/memory-metrics.ts';
import { endEffects } from '../helpers/end-effects.ts';
import { verifies } from '../verifies.ts';

const SELF: Actor = { id: 777, login: 'quorum[bot]', isBot: true };
const TOKEN = ['a', 'dashboard', 'token'].join('-');
let door: Door | undefined;
afterEach(async () => {
  await door?.stop();
  door = undefined;
});

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${door!.url}${path}`, { headers });
}

test('alive as soon as it listens, ready when GitHub and the store are', async () => {
  let self: Actor | undefined;
  door = await openDoor({ identity: () => self });
  expect((await get('/healthz')).status).toBe(200);
  const early = await get('/readyz');
  expect(early.status).toBe(503);
  expect(await early.json()).toMatchObject({
    status: 'not-ready',
    checks: { store: 'ok', github: 'unknown' },
  });
  self = SELF;
  const late = await get('/readyz');
  expect([late.status, await late.json()]).toEqual([
    200,
    { status: 'ready', checks: { store: 'ok', queue: { status: 'ok', lagMs: 0 }, github: 'ok' } },
  ]);
});

test('not ready while the store is down or work waits too long', async () => {
  let now = 1_000_000;
  door = await openDoor({ clock: { now: () => now, sleep: () => new Promise(() => undefined) } });
  const { records } = door.store;
  const ping = records.ping.bind(records);
  records.ping = () => Promise.reject(new Error('gone'));
  expect(await (await get('/readyz')).json()).toMatchObject({ checks: { store: 'bug' } });
  records.ping = ping;
  const counts = await records.counts();
  records.counts = () => Promise.resolve({ ...counts, lagMs: 301_000 });
  now += 2_000;
  const late = await get('/readyz');
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ checks: { queue: { status: 'late' } } });
});

test('metrics count webhooks by outcome and show the queue', async () => {
  door = await openDoor({ githubCalls: () => ({ 'issues.get': 3 }), dashboardToken: TOKEN });
  const authorization = `Bearer ${TOKEN}`;
  await deliver(door.url, '{}');
  await deliver(door.url, '{}', { 'x-hub-signature-256': undefined });
  const response = await get('/metrics', { authorization });
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  for (const line of [
    'quorum_webhooks_total{outcome="ignored"} 1',
    'quorum_webhooks_total{outcome="signature-invalid"} 1',
    'quorum_events{status="ignored"} 1',
    'quorum_effects{status="pending"} 0',
    'quorum_queue_lag_seconds 0',
    'quorum_model_calls 0',
    'quorum_github_calls_total{operation="issues.get"} 3',
    'quorum_webhook_duration_seconds_bucket{le="+Inf"} 2',
    'quorum_webhook_duration_seconds_count 2',
  ])
    expect(text).toContain(`${line}\n`);
  expect(await (await get('/metrics', { authorization })).text()).toContain(
    'outcome="ignored"} 1\n',
  );
});

test('metrics tell failed reflections in the store once a minute, and stale notes of all installations', async () => {
  const staleNotes = createStaleNotes();
  staleNotes.note({ installationId: 1, repositoryId: 1 }, 2);
  let now = 1_000_000;
  const clock = { now: () => now, sleep: () => new Promise<never>(() => undefined) };
  door = await openDoor({ clock, staleNotes: () => staleNotes.total(), dashboardToken: TOKEN });
  const text = async () => (await get('/metrics', { authorization: `Bearer ${TOKEN}` })).text();
  expect(await text()).toContain('quorum_memory_stale_notes 2\n');
  staleNotes.note({ installationId: 2, repositoryId: 2 }, 3);
  const thread = { installationId: 1, repositoryId: 2, owner: 'acme', repo: 'shop', number: 7 };
  const data = { kind: 'look-memory' as const, thread, handles: [] };
  await endEffects(door.store, [{ data, status: 'dead', reason: 'github-unreachable: no' }]);
  expect(await text()).toContain('quorum_memory_stale_notes 5\n');
  now += 59_000;
  expect(await text()).toContain('quorum_memory_reflections_failed 0\n');
  now += 1_000;
  expect(await text()).toContain('quorum_memory_reflections_failed 1\n');
  staleNotes.forget(1);
  expect(await text()).toContain('quorum_memory_stale_notes 3\n');
});

verifies(
  'CB-14b',
  'metrics tell the limits and who spent most, with as many series however many tenants there are',
  async () => {
    const hostCaps = { repository: undefined, installation: 25, total: 100 };
    door = await openDoor({ hostCaps, dashboardToken: TOKEN });
    const at = new Date(Date.now()).toISOString();
    await door.store.records.settleCall('none', [
      call('a', { installationId: 1, repositoryId: 11, costUsd: 2, at }),
      call('b', { installationId: 1, repositoryId: 12, costUsd: 3, at }),
      call('c', { installationId: 2, repositoryId: 21, costUsd: 4, at }),
      call('old', { repositoryId: 11, costUsd: 50, at: '2026-01-01T00:00:00Z' }),
      // Its own key paid: the limits do not count it either.
      call('own', { installationId: 2, repositoryId: 21, costUsd: 70, payer: 'repository', at }),
    ]);
    const text = await (await get('/metrics', { authorization: `Bearer ${TOKEN}` })).text();
    const series = text.split('\n').filter((line) => line.startsWith('quorum_daily_'));
    expect(series).toEqual([
      'quorum_daily_limit_usd{scope="installation"} 25',
      'quorum_daily_limit_usd{scope="total"} 100',
      'quorum_daily_cost_usd{scope="repository"} 4',
      'quorum_daily_cost_usd{scope="installation"} 5',
      'quorum_daily_cost_usd{scope="total"} 9',
    ]);
  },
);

test('metrics need the token, and are refused where no token is set', async () => {
  door = await openDoor();
  const proxied = await aPlainProxy(door.url);
  for (const url of [door.url, proxied])
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer undefined' }])
      expect((await fetch(`${url}/metrics`, { headers })).status).toBe(401);
  await door.stop();
  door = await openDoor({ dashboardToken: TOKEN });
  for (const url of [door.url, await aPlainProxy(door.url)])
    for (const [authorization, status] of [
      ['', 401],
      ['Bearer wrong', 401],
      [`Bearer ${TOKEN}`, 200],
    ] as const)
      expect((await fetch(`${url}/metrics`, { headers: { authorization } })).status).toBe(status);
});

test('what is not there is a problem, and every answer has protecting headers', async () => {
  door = await openDoor();
  for (const path of ['/', '/nothing?x=1', '/probot', '//', '/healthz/', '/%00']) {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  const post = await fetch(`${door.url}/healthz`, { method: 'POST', body: 'x' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${door.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

test('routes of others come after ours, and one that fails is answered for', async () => {
  door = await openDoor({
    extraRoutes: [
      (req, res) => {
        if (req.url === '/boom') throw new Error('a secret detail');
        if (req.url !== '/mine' && req.url !== '/healthz') return Promise.resolve(false);
        answerJson(res, 200, '{"mine":true}');
        return Promise.resolve(true);
      },
    ],
  });
  expect(await (await get('/mine')).json()).toEqual({ mine: true });
  expect(await (await get('/healthz')).json()).toEqual({ status: 'alive' });
  const failed = await get('/boom');
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain('secret detail');
  expect(door.lines.join('\n')).toContain('request failed');
});

test('closing lets a delivery under way end, and takes no new one', async () => {
  door = await openDoor();
  const { store, url } = door;
  const append = store.append.bind(store);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  let reached = (): void => undefined;
  const isThere = new Promise<void>((resolve) => (reached = resolve));
  store.append = async (events) => {
    reached();
    await gate;
    return append(events);
  };
  const underWay = deliver(url, '{}');
  await isThere;
  const closing = door.close(10_000);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow(/fetch failed/);
  release();
  expect((await underWay).status).toBe(202);
  expect(await closing).toBe('drained');
});

test('closing does not wait for ever', async () => {
  door = await openDoor();
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1');
  await new Promise<void>((resolve) =>
    socket.write('POST / HTTP/1.1\r\nhost: x\r\n', () => resolve()),
  );
  await get('/healthz');
  const gone = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => undefined);
  expect(await door.close(100)).toBe('cut');
  await gone;
});

test('a port that is taken is an error, not another port', async () => {
  door = await openDoor();
  const port = Number(new URL(door.url).port);
  await expect(openDoor({ port })).rejects.toThrow(/EADDRINUSE/);
});

test('app.yml asks for no more than docs/permissions.md explains, and never for workflows', () => {
  const manifest = parse(readFileSync('app.yml', 'utf8')) as {
    default_permissions: Record<string, string>;
    default_events: string[];
  };
  const guide = readFileSync('docs/permissions.md', 'utf8');
  for (const [name, level] of Object.entries(manifest.default_permissions))
    expect(guide).toMatch(new RegExp(`\\| \`${name}\` +\\| ${level} +\\|`));
  for (const event of manifest.default_events) expect(guide).toContain(`\`${event}\``);
  for (const never of ['workflows', 'administration', 'secrets', 'members', 'environments'])
    expect(manifest.default_permissions).not.toHaveProperty(never);
});
