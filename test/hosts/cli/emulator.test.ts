/** `quorum emulator` from outside: what it prints, what the control address does, and that nothing is left behind. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { gitFolder } from './git-folder.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const Line = z.strictObject({
  url: z.string(),
  apiUrl: z.string(),
  graphqlUrl: z.string(),
  socket: z.string(),
  repository: z.string(),
  people: z.array(z.strictObject({ login: z.string(), role: z.string(), token: z.string() })),
  app: z.strictObject({ id: z.number(), privateKeyFile: z.string(), webhookSecret: z.string() }),
  models: z.strictObject({ url: z.string(), key: z.string() }).optional(),
  control: z.strictObject({ url: z.string(), token: z.string() }),
  gh: z.record(z.string(), z.string()),
});

interface Up extends z.infer<typeof Line> {
  /** Asks the API, as one of the people or with a token. */
  api: (who: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;
  steer: (operation: object) => Promise<{ status: number; body: Record<string, unknown> }>;
  stop: () => Promise<number>;
}

/** Runs the command until the test's end. */
async function up(...args: string[]): Promise<Up> {
  let stop: (signal: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => (stop = resolve));
  let print: (text: string) => void = () => undefined;
  const printed = new Promise<string>((resolve) => (print = resolve));
  const ended = quorum(['emulator', '--json', ...args], { stopped: () => stopped, out: print });
  const refused = ended.then(({ err }) => Promise.reject(new Error(`not started: ${err}`)));
  refused.catch(() => undefined);
  const line = Line.parse(JSON.parse(await Promise.race([printed, refused])));
  const end = async (): Promise<number> => {
    stop('SIGINT');
    return (await ended).code;
  };
  onTestFinished(async () => void (await end()));
  const tokenOf = (who: string): string =>
    line.people.find(({ login }) => login === who)?.token ?? who;
  return {
    ...line,
    api: async (who, at, body) => {
      const answer = await fetch(`${line.apiUrl}${at}`, {
        headers: { authorization: `token ${tokenOf(who)}` },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    steer: (operation) => post(line.control, operation),
    stop: end,
  };
}

async function post(
  { url, token }: { url: string; token: string },
  operation: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(operation) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Counts what is delivered to it. */
async function hookListener(): Promise<{ url: string; events: string[] }> {
  const events: string[] = [];
  const server = createServer((req, res) => {
    events.push(String(req.headers['x-github-event']));
    req.resume();
    res.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/hooks`, events };
}

test('one line says where everything is, with a token for each person, and nothing is left at the end', async () => {
  const emulator = await up();
  expect(emulator.repository).toBe('tablewright/csvpeek');
  expect(emulator.people.map(({ login, role }) => `${login} ${role}`)).toEqual([
    'ana-lund maintain',
    'ben-okafor write',
    'chloe-marchetti triage',
    'dario-perez none',
    'mei-tanaka none',
  ]);
  for (const { login } of emulator.people)
    expect(await emulator.api(login, '/user')).toMatchObject({ status: 200, body: { login } });
  const labels = await emulator.api('ana-lund', `/repos/${emulator.repository}/labels`);
  expect(JSON.stringify(labels.body)).toContain('"name":"deliberate"');
  const { socket, app, gh } = emulator;
  expect([socket, app.privateKeyFile, gh['GH_CONFIG_DIR'] ?? ''].map(existsSync)).toEqual([
    true,
    true,
    true,
  ]);
  expect(await emulator.stop()).toBe(0);
  expect(existsSync(path.dirname(app.privateKeyFile))).toBe(false);
  await expect(fetch(emulator.url)).rejects.toThrow('fetch failed');
  await expect(fetch(emulator.control.url)).rejects.toThrow('fetch failed');
});

test('for people it prints the lines to copy', async () => {
  const said = await quorum(['emulator'], { stopped: () => Promise.resolve('SIGINT') });
  expect(said.code).toBe(0);
  for (const line of [
    /To start the App on it, in another terminal:\n {2}APP_ID=\d+ \\\n {2}PRIVATE_KEY_PATH=\S+ \\\n/,
    /choose at the top of each page whom to act as:\n {2}http:\S+\/tablewright\/csvpeek\/issues\/new\n/,
    / {2}dario-perez +no role +ghp_/,
    / {2}export GH_CONFIG_DIR=\S+\n {2}export GH_HOST=github\.emulator\n/,
    / {2}gh issue create --label deliberate --title '[^']+' --body '[^']+'\n/,
    /To stop: Ctrl-C\. Nothing is kept\./,
  ])
    expect(said.out).toMatch(line);
});

test('a copy of a git repository takes the place of the example', async () => {
  const { dir, git, write, commit } = gitFolder({ 'README.md': '# Mine\n' });
  git('checkout', '-q', '-b', 'side');
  write('side.txt', 'side\n');
  commit('second');
  git('checkout', '-q', 'main');
  const emulator = await up('--repo', dir);
  expect(emulator.repository).toBe(`tablewright/${path.basename(dir)}`);
  const at = `/repos/${emulator.repository}`;
  expect(await emulator.api('ben-okafor', at)).toMatchObject({ body: { default_branch: 'main' } });
  const side = await emulator.api('ben-okafor', `${at}/contents/side.txt?ref=side`);
  expect(side).toMatchObject({ status: 200, body: { path: 'side.txt' } });
  expect((await emulator.api('dario-perez', `${at}/issues`, { title: 'Hello' })).status).toBe(201);
});

test('a scripted model server answers by the rules of a file', async () => {
  const rules = [
    { when: 'weather', times: 1, reply: 'Rain.' },
    { when: 'weather', reply: { fault: { kind: 'status', status: 529 } } },
  ];
  const dir = temporaryFolder({ 'models.json': JSON.stringify(rules) });
  const { models } = await up('--models', path.join(dir, 'models.json'));
  const ask = async (content: string, key = models?.key ?? ''): Promise<[number, string]> => {
    const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] };
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${models?.url}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return [answer.status, await answer.text()];
  };
  expect(await ask('the weather')).toEqual([200, expect.stringContaining('"Rain."')]);
  expect((await ask('the weather'))[0]).toBe(529);
  expect(await ask('else')).toEqual([200, expect.stringContaining('"else"')]);
  expect((await ask('else', 'wrong'))[0]).toBe(401);
});

describe('the control address', () => {
  test('takes operations from nobody without its token', async () => {
    const { control } = await up();
    const clear = { op: 'clear' };
    expect((await post({ ...control, token: 'wrong' }, clear)).status).toBe(401);
    expect((await fetch(control.url)).status).toBe(401);
    expect((await post(control, clear)).status).toBe(200);
  });

  test('makes calls and deliveries fail, counts the hits and ends it', async () => {
    const { url, events } = await hookListener();
    const { api, steer, repository } = await up('--webhook', url);
    const fault = { kind: 'status', status: 503 };
    const rule = { method: 'GET', pathPattern: '^/us', nth: 2, fault };
    expect(await steer({ op: 'fault', rule })).toEqual({ status: 200, body: { ok: true } });
    const lost = { event: 'issues', fault: { kind: 'lost' } };
    await steer({ op: 'hookFault', rule: lost });
    const statuses = [await api('ana-lund', '/user'), await api('ana-lund', '/user')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 503]);
    const issues = `/repos/${repository}/issues`;
    await api('ana-lund', issues, { title: 'Unheard' });
    expect((await steer({ op: 'hits' })).body).toEqual({ ok: true, hits: [1, 1] });
    await steer({ op: 'clear' });
    expect((await steer({ op: 'hits' })).body).toEqual({ ok: true, hits: [] });
    await api('ana-lund', issues, { title: 'Heard' });
    await expect.poll(() => events).toEqual(['issues']);
    const { body } = await steer({ op: 'deliveries' });
    const deliveries = body['deliveries'] as { id: number; event: string; statusCode: number }[];
    expect(deliveries.map(({ event, statusCode }) => [event, statusCode])).toEqual([
      ['issues', 0],
      ['issues', 202],
    ]);
    await steer({ op: 'redeliver', id: deliveries[0]?.id ?? 0 });
    await expect.poll(() => events).toEqual(['issues', 'issues']);
    const other = await hookListener();
    await steer({ op: 'webhook', url: other.url });
    await api('ana-lund', issues, { title: 'Elsewhere' });
    await expect.poll(() => other.events).toEqual(['issues']);
    expect(events).toHaveLength(2);
  });

  test('moves the clock and adds people with a role', async () => {
    const { api, steer, repository } = await up();
    await steer({ op: 'clock', offsetMs: -86_400_000 });
    const opened = await api('ana-lund', `/repos/${repository}/issues`, { title: 'Yesterday' });
    const { created_at: at } = opened.body as { created_at: string };
    expect(Date.now() - Date.parse(at)).toBeGreaterThan(86_000_000);
    const added = await steer({ op: 'user', login: 'zoe', permission: 'triage' });
    const token = String(added.body['token']);
    const label = (who: string) => api(who, `/repos/${repository}/issues/1/labels`, ['bug']);
    expect((await label(token)).status).toBe(200);
    expect((await label('mei-tanaka')).status).toBe(403);
    await steer({ op: 'user', login: 'zoe', permission: 'none' });
    expect((await label(token)).status).toBe(403);
  });

  test.each([
    { op: 'nope' },
    { op: 'fault', rule: { fault: { kind: 'nope' } } },
    { op: 'fault', rule: { pathPattern: '(', fault: { kind: 'reset' } } },
    { op: 'webhook', url: 'file:///etc/passwd' },
    { op: 'redeliver', id: 0 },
    { op: 'user', login: '../x', permission: 'read' },
    { op: 'user', login: 'tablewright', permission: 'read' },
  ])('says what is wrong with %o', async (operation) => {
    const { steer } = await up();
    const { status, body } = await steer(operation);
    expect({ status, says: typeof body['error'] }).toEqual({ status: 400, says: 'string' });
  });

  test('takes its operations from a file before anybody calls', async () => {
    const rule = { path: '/user', fault: { kind: 'status', status: 418 } };
    const dir = temporaryFolder({ 'faults.json': JSON.stringify([{ op: 'fault', rule }]) });
    const { api } = await up('--faults', path.join(dir, 'faults.json'));
    expect((await api('ana-lund', '/user')).status).toBe(418);
    expect((await api('ana-lund', '/user')).status).toBe(200);
  });
});

describe('refusals', () => {
  const files = { 'wrong.json': '[{"op":"nope"}]', 'broken.json': '{' };
  test.each([
    ['a port out of range', ['--port', '70000'], 'A number from 0 to 65535'],
    ['a folder that is no repository', ['--repo', '/nowhere'], 'is no git repository'],
    ['a file that is not there', ['--faults', 'nowhere.json'], 'no such file'],
    ['faults that are none', ['--faults', 'wrong.json'], 'Invalid discriminator'],
    ['models that are no JSON', ['--models', 'broken.json'], 'JSON'],
  ])('%s ends with exit code 2 and the reason', async (_, args, says) => {
    const said = await quorum(['emulator', ...args], { cwd: temporaryFolder(files) });
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain(says);
  });

  test('a port that is taken ends with exit code 2', async () => {
    const { url } = await up();
    const said = await quorum(['emulator', '--port', new URL(url).port]);
    expect(said.code).toBe(2);
    expect(said.err).toContain('EADDRINUSE');
  });
});
