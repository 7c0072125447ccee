import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readCredentials } from '../../src/hosts/environment/app-credentials.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { loadEnvFile } from '../../src/hosts/environment/env-file.ts';
import type { Env } from '../../src/hosts/environment/env-file.ts';
import { setupHints } from '../../src/hosts/setup/hook-address.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { aFolder } from '../helpers/a-folder.ts';
import { cookieOf } from '../helpers/cookie-of.ts';
import { deliver, openDoor, sign } from '../adapters/http/door.ts';
import type { Door } from '../adapters/http/door.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const NEW_SECRET = ['made', 'by', 'github'].join('-');

const Manifest = z.object({
  redirect_url: z.string(),
  hook_attributes: z.object({ url: z.string(), active: z.boolean() }),
  default_permissions: z.record(z.string(), z.string()),
  public: z.boolean(),
});

/** As much of GitHub as the manifest flow needs: the confirmation page, and the conversion, once for each code. */
interface FakeGitHub {
  host: string;
  manifests: z.infer<typeof Manifest>[];
  codes: Set<string>;
  /** Paths of the conversions that were asked for. */
  converted: string[];
  server: Server;
}

async function startFakeGitHub(): Promise<FakeGitHub> {
  const server = createServer();
  const fake: FakeGitHub = { host: '', manifests: [], codes: new Set(), converted: [], server };
  const confirm = async (req: IncomingMessage): Promise<string> => {
    const form = new URLSearchParams(await text(req));
    const manifest = Manifest.parse(JSON.parse(form.get('manifest') ?? ''));
    fake.manifests.push(manifest);
    fake.codes.add('c0de');
    const state = new URL(req.url ?? '/', 'http://x').searchParams.get('state') ?? '';
    return `${manifest.redirect_url}?code=c0de&state=${state}`;
  };
  server.on('request', (req: IncomingMessage, res) => {
    const url = req.url ?? '/';
    if (url.startsWith('/settings/apps/new'))
      return void confirm(req).then((location) => res.writeHead(302, { location }).end());
    const code = /^(?:\/api\/v3)?\/app-manifests\/([\w-]+)\/conversions$/.exec(url)?.[1];
    fake.converted.push(url);
    const isGood = req.method === 'POST' && code !== undefined && fake.codes.delete(code);
    res.writeHead(isGood ? 201 : 404, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isGood ? toConversion(fake.host) : { message: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function toConversion(host: string): object {
  return {
    id: 4711,
    slug: 'quorum',
    html_url: `http://${host}/apps/quorum`,
    client_id: 'Iv1.abc',
    client_secret: 'client-secret',
    webhook_secret: NEW_SECRET,
    pem: PEM,
  };
}

let github: FakeGitHub;
let door: Door;
let envFile: string;
let taken: AppCredentials[];
let whenTaken: () => Promise<void>;
let addresses: string[];
/** Of the browser that opened the address with the token. */
let cookie: string;

/** A server, and a browser that opened the address that the terminal shows. */
async function open(env: Env = {}): Promise<void> {
  envFile = path.join(aFolder('setup'), '.env');
  taken = [];
  addresses = [];
  whenTaken = () => Promise.resolve();
  door = await openDoor({
    secrets: [],
    appId: undefined,
    setup: {
      env: { GHE_HOST: github.host, GHE_PROTOCOL: 'http', ...env },
      envFile,
      manifestFile: 'app.yml',
      random: systemRandom,
      onAddress: (address) => void addresses.push(address),
      async onCredentials(credentials) {
        taken.push(credentials);
        await whenTaken();
      },
    },
  });
  cookie = cookieOf(await fetch(addresses[0] ?? ''));
}

beforeEach(async () => {
  github = await startFakeGitHub();
  await open();
});
afterEach(async () => {
  await door.stop();
  github.server.close();
});

/** Asks with any headers, a `Host` of another name included. */
function ask(
  page: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; location: string | undefined; html: string }> {
  return new Promise((resolve, reject) => {
    request(`${door.url}${page}`, { headers: { cookie, ...headers } }, (res) => {
      const { statusCode: status, headers: got } = res;
      text(res).then((html) => resolve({ status, location: got.location, html }), reject);
    })
      .on('error', reject)
      .end();
  });
}

function readForm(html: string): { action: string; manifest: z.infer<typeof Manifest> } {
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const value = /value='([^']*)'/.exec(html)?.[1] ?? '';
  return { action, manifest: Manifest.parse(JSON.parse(value)) };
}

/** Opens the page, sends its form to GitHub and follows GitHub's redirect. */
async function register(
  headers: Record<string, string> = {},
): Promise<Awaited<ReturnType<typeof ask>>> {
  const { action, manifest } = readForm((await ask('/probot')).html);
  const body = new URLSearchParams({ manifest: JSON.stringify(manifest) });
  const confirmed = await fetch(action, { method: 'POST', body, redirect: 'manual' });
  const back = new URL(confirmed.headers.get('location') ?? '');
  return ask(`${back.pathname}${back.search}`, headers);
}

describe('before there are credentials', () => {
  test('the way in leads to the setup page, which looks right', async () => {
    expect(await ask('/')).toMatchObject({ status: 302, location: '/probot' });
    const page = await ask('/probot');
    expect(page.status).toBe(200);
    expect(page.html).toContain('Register Quorum on GitHub');
    expect(page.html).toContain(`${door.url}/api/github/webhooks`);
    const own = await ask('/probot/import');
    expect(own.html).toContain('Use an App that exists');
    for (const { html } of [page, own]) {
      expect(html).not.toMatch(/probot\.github\.io|built with Probot|Welcome to/);
      const used = [...html.matchAll(/(?:href|src)="(\/probot\/[\w.]+)"/g)].map(([, file]) => file);
      expect(used).toContain('/probot/setup.css');
      for (const file of used) expect((await ask(file ?? '')).status).toBe(200);
    }
    expect((await ask('/probot/nothing')).status).toBe(404);
  });

  test('its form carries app.yml with the address of the webhook and of the way back', async () => {
    const { action, manifest } = readForm((await ask('/probot')).html);
    expect(action.startsWith(`http://${github.host}/settings/apps/new?state=`)).toBe(true);
    expect(manifest.hook_attributes).toEqual({
      url: `${door.url}/api/github/webhooks`,
      active: true,
    });
    expect(manifest.redirect_url).toBe(`${door.url}/probot/setup`);
    expect(manifest.public).toBe(false);
    expect(manifest.default_permissions).not.toHaveProperty('workflows');
  });

  test('a proxy address and an organisation are taken from the environment', async () => {
    await door.stop();
    const url = 'https://quorum.example/api/github/webhooks';
    await open({ WEBHOOK_PROXY_URL: url, GH_ORG: 'octo-org', GHE_HOST: undefined });
    const { html } = await ask('/probot');
    expect(readForm(html).action).toMatch(
      /^https:\/\/github\.com\/organizations\/octo-org\/settings\/apps\/new\?/,
    );
    expect(readForm(html).manifest.hook_attributes.url).toBe(url);
  });

  test.each([
    { said: 'nothing', env: {}, query: '' },
    {
      said: 'localhost in the environment',
      env: { WEBHOOK_PROXY_URL: 'http://localhost:3000/api/github/webhooks' },
      query: '?hook=https://quorum.example/api/github/webhooks',
    },
    { said: 'a private address on the page', env: {}, query: '?hook=http://192.168.1.7/hooks' },
    { said: 'no address on the page', env: {}, query: '?hook=javascript:alert(1)' },
  ])(
    'github.com gets no form before a public webhook address is known: $said',
    async ({ env, query }) => {
      await door.stop();
      await open({ GHE_HOST: undefined, ...env });
      const { html } = await ask(`/probot${query}`);
      expect(html).not.toContain('/settings/apps/new');
      expect(html).toContain('WEBHOOK_PROXY_URL');
      expect(html).toContain('GH_ORG');
      expect((await ask('/probot/import')).html).not.toContain('127.0.0.1');
    },
  );

  test.each([
    ['https://api.octo.ghe.com', 'https://octo.ghe.com'],
    ['https://api.octo.ghe.com/', 'https://octo.ghe.com'],
    ['https://api.github.com', 'https://github.com'],
    ['https://git.example.org/api/v3', 'https://git.example.org'],
  ])('GITHUB_API_URL %s registers the App at %s', async (GITHUB_API_URL, web) => {
    await door.stop();
    const hook = { WEBHOOK_PROXY_URL: 'https://quorum.example/api/github/webhooks' };
    await open({ ...hook, GHE_HOST: undefined, GHE_PROTOCOL: undefined, GITHUB_API_URL });
    const { action } = readForm((await ask('/probot')).html);
    expect(action.startsWith(`${web}/settings/apps/new?state=`)).toBe(true);
    expect((await ask('/probot/import')).html).toContain(`${web}/settings/apps`);
  });

  test('ghe.com gets no form before a public webhook address is known, an Enterprise Server does', async () => {
    await door.stop();
    await open({ GHE_HOST: undefined, GITHUB_API_URL: 'https://api.octo.ghe.com' });
    expect((await ask('/probot')).html).not.toContain('/settings/apps/new');
    expect(setupHints({ GITHUB_API_URL: 'https://api.octo.ghe.com' })[0]).toContain(
      'refuses localhost',
    );
    await door.stop();
    await open({ GHE_HOST: undefined, GITHUB_API_URL: 'https://git.example.org/api/v3' });
    expect((await ask('/probot')).html).toContain('/settings/apps/new');
    expect(setupHints({ GHE_HOST: 'git.example.org' }).join()).not.toContain('refuses localhost');
  });

  test('a public address and an organisation that are entered on the page go into the form', async () => {
    await door.stop();
    await open({ GHE_HOST: undefined });
    const hook = 'https://quorum.example/api/github/webhooks';
    const given = new URLSearchParams({ hook, organisation: 'octo-org' }).toString();
    const { html } = await ask(`/probot?${given}`);
    const { action, manifest } = readForm(html);
    expect(action).toContain('/organizations/octo-org/settings/apps/new?');
    expect(manifest.hook_attributes.url).toBe(hook);
    expect(html).toContain('belong to the organisation <b>octo-org</b>');
  });

  test('what is entered on the page cannot become markup', async () => {
    const { html } = await ask('/probot?organisation=%22%3E%3Cscript%3E');
    expect(html).not.toContain('"><script>');
  });

  test('without an organisation the page says where the App can be installed', async () => {
    expect((await ask('/probot')).html).toContain('GH_ORG');
  });

  test('webhooks wait, and the process says that it is not ready', async () => {
    expect(await deliver(door.url, '{}')).toMatchObject({
      status: 503,
      body: { code: 'not-configured' },
    });
    const ready = await ask('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.html).toContain('not-configured');
  });

  test('only this machine sees the page, under its own names and through no proxy', async () => {
    for (const headers of [
      { host: 'quorum.example' },
      { host: '127.0.0.1.nip.io:3000' },
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
    ])
      for (const page of ['/', '/probot', '/probot/setup?code=c0de', '/probot/import'])
        expect((await ask(page, headers)).status).toBe(403);
    expect((await ask('/probot', { host: 'localhost:3000' })).status).toBe(200);
  });
});

describe('registering the App', () => {
  test.each([
    ['GITHUB_API_URL', '', (host: string) => ({ GITHUB_API_URL: `http://${host}` })],
    ['GHE_HOST', '/api/v3', (host: string) => ({ GHE_HOST: host, GHE_PROTOCOL: 'http' })],
  ])('the code is converted at the REST base that %s names', async (_, base, env) => {
    await door.stop();
    const hook = { WEBHOOK_PROXY_URL: 'https://quorum.example/api/github/webhooks' };
    await open({ ...hook, GHE_HOST: undefined, GHE_PROTOCOL: undefined, ...env(github.host) });
    const state = new URL(readForm((await ask('/probot')).html).action).searchParams.get('state');
    github.codes.add('c0de');
    expect((await ask(`/probot/setup?code=c0de&state=${state}`)).status).toBe(302);
    expect(github.converted).toEqual([`${base}/app-manifests/c0de/conversions`]);
    expect(taken.map(({ appId }) => appId)).toEqual([4711]);
  });

  test('the code is converted, kept in .env with mode 600, and in use without a restart', async () => {
    const done = await register({ 'sec-fetch-site': 'cross-site' });
    expect(done).toMatchObject({
      status: 302,
      location: `http://${github.host}/apps/quorum/installations/new`,
    });
    expect(taken).toEqual([
      {
        appId: 4711,
        privateKey: PEM,
        webhookSecrets: [NEW_SECRET],
        clientId: 'Iv1.abc',
        clientSecret: 'client-secret',
      },
    ]);
    expect(statSync(envFile).mode & 0o777).toBe(0o600);
    const env: Env = {};
    loadEnvFile(envFile, env);
    expect(readCredentials(env)).toEqual(taken[0]);

    const answer = await deliver(door.url, '{}', { 'x-hub-signature-256': sign('{}', NEW_SECRET) });
    expect(answer.status).toBe(202);
    expect((await ask('/readyz')).status).toBe(200);
    for (const page of ['/', '/probot', '/probot/setup?code=c0de', '/probot/import'])
      expect((await ask(page)).status).toBe(404);
    expect(door.lines.join('\n')).not.toContain(NEW_SECRET);
    expect(door.lines.join('\n')).not.toContain('PRIVATE KEY');
  });

  test("a browser that was sent here by another's link brings no App of theirs", async () => {
    github.codes.add('evil');
    await ask('/probot');
    for (const query of ['code=evil', 'code=evil&state=', 'code=evil&state=guess'])
      for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }])
        expect((await ask(`/probot/setup?${query}`, headers)).status).toBe(400);
    expect(taken).toEqual([]);
    expect(github.codes.has('evil')).toBe(true);
  });

  test('a code that GitHub does not know, or that is no code, changes nothing', async () => {
    const { action } = readForm((await ask('/probot')).html);
    const { search } = new URL(action);
    expect((await ask(`/probot/setup${search}&code=unknown`)).status).toBe(400);
    for (const query of ['', '?code=', '?code=../../x', '?code=a&code=%20'])
      expect((await ask(`/probot/setup${query}`)).status).toBe(400);
    expect(taken).toEqual([]);
    expect(() => readFileSync(envFile)).toThrow(/ENOENT/);
    expect((await ask('/probot')).status).toBe(200);
  });

  test('when the App cannot be taken into use its credentials are kept all the same', async () => {
    whenTaken = () => Promise.reject(new Error('GitHub is away'));
    const failed = await register();
    expect(failed.status).toBe(500);
    expect(failed.html).toContain('takeover-failed');
    expect(readFileSync(envFile, 'utf8')).toContain('APP_ID="4711"');
    expect((await deliver(door.url, '{}')).status).toBe(503);
  });
});

describe('an App that exists already', () => {
  async function post(body: unknown, type = 'application/json'): Promise<number> {
    const sent = JSON.stringify(body);
    const headers = { 'content-type': type, cookie };
    const url = `${door.url}/probot/import`;
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  }

  test('is entered by hand', async () => {
    expect((await ask('/probot/import')).html).toContain(`${door.url}/api/github/webhooks`);
    const app = { appId: '99', pem: PEM, webhook_secret: 'typed in' };
    expect(await post(app)).toBe(200);
    expect(taken).toMatchObject([{ appId: 99, privateKey: PEM, webhookSecrets: ['typed in'] }]);
  });

  test('is refused when something is missing or wrong, or when a foreign form may have sent it', async () => {
    const app = { appId: '99', pem: PEM, webhook_secret: 'typed in' };
    expect(await post({ ...app, webhook_secret: undefined })).toBe(400);
    expect(await post({ ...app, pem: 'no key' })).toBe(400);
    expect(await post({ ...app, appId: 'abc' })).toBe(400);
    expect(await post(null)).toBe(400);
    expect(await post(app, 'text/plain')).toBe(415);
    expect(await post({ ...app, pem: PEM.padEnd(100_000) })).toBe(413);
    expect(taken).toEqual([]);
  });
});
