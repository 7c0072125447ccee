/** Who gets to the setup page: through a plain reverse proxy that makes everybody a local peer. */
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { type GitHubEmulator } from '../../src/emulator/github/emulator-interface.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { createSetupAccess } from '../../src/hosts/setup/setup-access.ts';
import { CLOCK, openDoor, type Door } from '../adapters/http/door.ts';
import { aPlainProxy } from '../helpers/a-plain-proxy.ts';
import { aFolder } from '../helpers/a-folder.ts';
import { cookieOf } from '../helpers/cookie-of.ts';

const MINUTE = 60_000;
/** Only against a test that hangs. */
const GUARD_MS = 60_000;

let github: GitHubEmulator;
let door: Door;
let proxy: string;
let now: number;
let addresses: string[];
let taken: AppCredentials[];
/** What the takeover of credentials waits for. */
let taking: Promise<void>;

beforeEach(async () => {
  const dir = aFolder('setup');
  now = Date.now();
  addresses = [];
  taken = [];
  taking = Promise.resolve();
  github = await createGitHubEmulator({
    dir: path.join(dir, 'github'),
    clock: CLOCK,
    // An Enterprise Server on the same network.
    behaviour: { refusesLocalHooks: false },
  });
  github.createUser('mona');
  door = await openDoor({
    secrets: [],
    appId: undefined,
    clock: { ...CLOCK, now: () => now },
    setup: {
      env: { GHE_HOST: github.host, GHE_PROTOCOL: 'http' },
      envFile: path.join(dir, '.env'),
      manifestFile: 'app.yml',
      random: systemRandom,
      onAddress: (address) => void addresses.push(address),
      onCredentials: async (credentials) => {
        taken.push(credentials);
        await taking;
      },
    },
  });
  onTestFinished(async () => {
    await door.stop();
    await github.close();
  });
  proxy = await aPlainProxy(door.url);
});

interface Answer {
  status: number;
  text: string;
  location: string;
  cookie: string;
  headers: Headers;
}

async function get(page: string, cookie = ''): Promise<Answer> {
  const response = await fetch(`${proxy}${page}`, {
    redirect: 'manual',
    headers: { cookie },
    signal: AbortSignal.timeout(GUARD_MS),
  });
  const { status, headers } = response;
  const location = headers.get('location') ?? '';
  return { status, headers, text: await response.text(), location, cookie: cookieOf(response) };
}

/** The path and query of the last address that the terminal showed. */
function shown(): string {
  const { pathname, search } = new URL(addresses.at(-1) ?? '');
  return `${pathname}${search}`;
}

/** Sends the page's form to GitHub, twice where two codes are wanted, and answers where GitHub sends the browser. */
async function waysBack(cookie: string, count = 1): Promise<string[]> {
  const { text } = await get('/probot', cookie);
  const action = /action="([^"]+)"/.exec(text)?.[1] ?? '';
  const manifest = /value='([^']*)'/.exec(text)?.[1] ?? '';
  const ways: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const named = JSON.stringify({ ...(JSON.parse(manifest) as object), name: `Quorum ${at}` });
    const body = new URLSearchParams({ manifest: named, confirmed: 'yes' });
    const sent = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    const { pathname, search } = new URL(sent.headers.get('location') ?? '');
    ways.push(`${pathname}${search}`);
  }
  return ways;
}

const REQUIRED = expect.stringMatching(/token that the terminal shows.*Run quorum setup for a new/);

describe('a stranger behind a plain reverse proxy', () => {
  test('sees nothing of the setup except how to get in', async () => {
    for (const page of [
      '/',
      '/probot',
      '/probot?token=',
      '/probot?token=guess',
      '/probot/import',
      '/probot/import.js',
      '/probot/setup.css',
      '/probot/setup?code=c0de',
      '/probot/setup?code=c0de&state=',
      '/probot/setup?code=c0de&state=guess',
    ]) {
      const { status, text, cookie } = await get(page, 'quorum-setup=guess');
      expect([page, status, cookie]).toEqual([page, 403, '']);
      expect(JSON.parse(text)).toMatchObject({ code: 'setup-token-required', title: REQUIRED });
    }
    const body = JSON.stringify({ appId: '1', pem: 'x', webhook_secret: 'theirs' });
    const headers = { 'content-type': 'application/json' };
    const posted = await fetch(`${proxy}/probot/import`, { method: 'POST', headers, body });
    expect(posted.status).toBe(403);
    expect(taken).toEqual([]);
    // Their guesses cost the owner nothing.
    expect((await get(shown())).status).toBe(200);
    expect(addresses).toHaveLength(1);
  });

  test('converts no code, with whatever state but that of the page', async () => {
    const { cookie } = await get(shown());
    const [way = ''] = await waysBack(cookie);
    const [withoutState = ''] = way.split('&state=');
    for (const page of [withoutState, `${withoutState}&state=`, `${withoutState}&state=guess`]) {
      expect((await get(page)).status).toBe(403);
      expect((await get(page, cookie)).status).toBe(400);
    }
    // GitHub's redirect without the cookie, as a browser makes it, leads on and converts nothing itself.
    const led = await get(way);
    expect(led.status).toBe(200);
    expect(led.text).toContain('content="0;url=/probot/setup?code=');
    expect((await get(`${way}&again`)).status).toBe(403);
    expect(taken).toEqual([]);
    expect((await get(`${way}&again`, cookie)).status).toBe(302);
    expect(taken).toHaveLength(1);
  });
});

describe('the token', () => {
  test('has 128 random bits and more, and opens the page once', async () => {
    expect(shown()).toMatch(/^\/probot\?token=[0-9a-f]{64}$/);
    const entered = await get(shown());
    expect(entered.text).toContain('content="0;url=/probot"');
    expect(entered.headers.get('referrer-policy')).toBe('no-referrer');
    expect(entered.headers.get('set-cookie')).toMatch(
      /^quorum-setup=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=1800$/,
    );
    expect(shown()).not.toContain(entered.cookie.split('=')[1]);
    expect(await get('/', entered.cookie)).toMatchObject({ status: 302, location: '/probot' });
    expect((await get('/probot', entered.cookie)).text).toContain('Register GitHub App');
    expect((await get('/probot/setup.css', entered.cookie)).status).toBe(200);
    expect(await get(shown(), entered.cookie)).toMatchObject({ status: 302, location: '/probot' });
    expect(await get(shown())).toMatchObject({ status: 403, cookie: '' });
  });

  test('expires after 30 minutes, and the terminal shows a new one at the next visit', async () => {
    const old = shown();
    now += 30 * MINUTE;
    expect((await get(old)).status).toBe(403);
    expect(addresses).toHaveLength(2);
    expect((await get(old)).status).toBe(403);
    expect(addresses).toHaveLength(2);
    expect(shown()).not.toBe(old);
    expect((await get(shown())).status).toBe(200);
  });

  test('opens a session of 30 minutes, after which the terminal shows a new token', async () => {
    const { cookie } = await get(shown());
    const [way = ''] = await waysBack(cookie);
    now += 29 * MINUTE;
    expect((await get('/probot', cookie)).status).toBe(200);
    expect((await get('/probot')).status).toBe(403);
    expect(addresses).toHaveLength(1);
    now += MINUTE;
    for (const page of ['/probot', way, `${way}&again`])
      expect((await get(page, cookie)).status).toBe(403);
    expect(addresses).toHaveLength(2);
    expect(taken).toEqual([]);
  });

  test('and what it opens are in no line of the log', async () => {
    const { cookie } = await get(shown());
    const [way = ''] = await waysBack(cookie);
    await get(`/probot/setup?code=unknown&${way.split('&')[1] ?? ''}`, cookie);
    expect((await get(way, cookie)).status).toBe(302);
    const log = door.lines.join('\n');
    expect(log).toContain('the App is set up');
    const state = way.split('state=')[1] ?? 'none';
    for (const secret of [shown().split('=')[1] ?? 'none', cookie.split('=')[1] ?? 'none', state])
      expect(log).not.toContain(secret);
  });
});

test('the page registers one App: of two answers of GitHub at once, one is converted', async () => {
  const { cookie } = await get(shown());
  const [first = '', second = ''] = await waysBack(cookie, 2);
  const { promise, resolve } = Promise.withResolvers<void>();
  taking = promise;
  const running = get(first, cookie);
  await expect.poll(() => taken.length, { timeout: GUARD_MS }).toBe(1);
  const refused = await get(second, cookie);
  expect(JSON.parse(refused.text)).toMatchObject({ status: 409, code: 'setup-taken' });
  const body = JSON.stringify({ appId: '1', pem: 'x', webhook_secret: 'other' });
  const headers = { 'content-type': 'application/json', cookie };
  const posted = await fetch(`${proxy}/probot/import`, { method: 'POST', headers, body });
  expect(posted.status).toBe(409);
  resolve();
  expect((await running).status).toBe(302);
  expect(taken).toHaveLength(1);
});

test('the same chance gives the same token', () => {
  const tokens: string[] = [];
  const random = { id: () => '00000000-0000-4000-8000-000000000001' };
  for (let at = 0; at < 2; at += 1)
    createSetupAccess({ clock: CLOCK, random, onToken: (token) => void tokens.push(token) });
  expect(tokens[0]).toBe(tokens[1]);
});
