/** `quorum start`, `worker`, `setup` and `replay` in this process. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGitHubEmulator } from '../../../src/emulator/github/github-emulator.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock, systemRandom } from '../../../src/adapters/system/system-clock.ts';
import { EVENT_VERSION } from '../../../src/domain/event/event.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { describeFeatures } from '../../../src/hosts/cli/features.ts';
import { openWorld, type World } from '../../../src/demo/open-world.ts';
import { createLog } from '../../../src/hosts/create-log.ts';
import { quorum } from './fake-io.ts';
import { CHAT_SETTINGS, openChats } from '../../helpers/a-chat-world.ts';
import { cookieOf } from '../../helpers/cookie-of.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Resolves with the first JSON line that fits. */
function lineWatcher() {
  let seen = '';
  const found = Promise.withResolvers<Record<string, unknown>>();
  const out = (text: string): void => {
    seen += text;
    const [line] = seen.split('\n');
    if (seen.includes('\n') && line !== undefined) found.resolve(JSON.parse(line));
  };
  return { out, line: found.promise, all: () => seen };
}

test('the table at the start says what is set and what is off without it', () => {
  const off = describeFeatures({});
  expect(off.map(({ isOn }) => isOn)).toEqual(off.map(() => false));
  expect(off[0]?.effect).toContain('setup page');
  const on = describeFeatures({ DATABASE_URL: 'postgres://x', OPENAI_API_KEY: 'k' });
  expect(on.filter(({ isOn }) => isOn).map(({ names }) => names)).toEqual([
    'DATABASE_URL',
    'OPENAI_API_KEY',
  ]);
  expect(() => describeFeatures({ APP_ID: '1' })).toThrow('PRIVATE_KEY');
});

test('start prints the table and the address of the setup page for people', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let out = '';
  const env = { PORT: '0', QUORUM_DATA: temporaryFolder(), LOG_FORMAT: 'pretty' };
  const said = await quorum(['start'], {
    env,
    cwd: temporaryFolder(),
    out: (text) => {
      out += text;
      if (text.includes('/probot')) resolve('SIGTERM');
    },
    stopped: () => promise,
  });
  expect(said.code).toBe(0);
  expect(out).toMatch(/not set +APP_ID, PRIVATE_KEY, WEBHOOK_SECRET +no work on GitHub yet/);
  expect(out).toMatch(
    /Set the App up here, .*:\nhttp:\/\/127\.0\.0\.1:\d+\/probot\?token=[0-9a-f]{64}\n/,
  );
});

test('where the output is a log, the address with its token is not in it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const lines: string[] = [];
  const said = await quorum(['start'], {
    env: { PORT: '0', QUORUM_DATA: temporaryFolder(), LOG_FORMAT: 'json' },
    cwd: temporaryFolder(),
    out: (text) => {
      lines.push(text);
      if (/no credentials yet|\/probot/i.test(text)) resolve('SIGTERM');
    },
    stopped: () => promise,
  });
  expect(said.code).toBe(0);
  expect(lines.join('')).toContain('run quorum setup in a terminal');
  expect(`${lines.join('')}${said.err}`).not.toContain('token=');
});

test('a worker without credentials, or with a wrong number, is exit code 2', async () => {
  const cwd = temporaryFolder();
  expect((await quorum(['worker'], { cwd })).err).toContain('[credentials-missing]');
  const many = await quorum(['worker', '--concurrency', 'many'], { cwd });
  expect(many).toMatchObject({ code: 2 });
  expect(many.err).toContain('[concurrency-invalid]');
});

async function idleWorld(): Promise<World> {
  const world = await openWorld({
    env: {},
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent' }),
    owner: 'acme',
    dir: temporaryFolder(),
    app: { reconcileEveryMs: 0, budgets: 'off' },
  });
  onTestFinished(() => world.emulator.close());
  return world;
}

/** Puts what the door would have put into the store of an App that is not running. */
async function queueLabelled({ emulator, appEnv, installationId }: World, number: number) {
  const repository = emulator.repository('acme/shop');
  const place = { installationId, repositoryId: repository.id, owner: 'acme', repo: 'shop' };
  const user = await emulator.as('ana').request('GET', '/user');
  const { id } = user as { id: number };
  const store = await openSqliteStore({ dir: appEnv['QUORUM_DATA'] ?? '', clock: systemClock });
  const thread = { ...place, number };
  const trigger = {
    kind: 'labeled' as const,
    thread,
    actor: { id, login: 'ana', isBot: false },
    label: 'deliberate',
  };
  await store.append([
    {
      id: 'delivery-of-the-test',
      key: threadKey(thread),
      version: EVENT_VERSION,
      at: new Date().toISOString(),
      data: { kind: 'trigger', trigger },
    },
  ]);
  await store.close();
}

const TITLE = 'Add a price list';

/** A worker discusses an issue that is labelled, and is stopped: its store holds the run. */
async function discussOne(made: { private?: boolean } = {}) {
  const world = await idleWorld();
  const { emulator } = world;
  emulator.createUser('ana');
  await emulator.createRepository({
    owner: 'acme',
    name: 'shop',
    files: { 'README.md': 'Shop' },
    ...made,
  });
  emulator.addCollaborator('acme/shop', 'ana', 'triage');
  const issue = await emulator.as('ana').openIssue('acme/shop', { title: TITLE });
  // As if the App had died between taking the webhook in and working on it.
  await world.stopApp();
  await emulator.as('ana').label('acme/shop', issue.number, ['deliberate']);
  await queueLabelled(world, issue.number);
  const watcher = lineWatcher();
  const stop = Promise.withResolvers<string>();
  const env = { ...world.appEnv, LOG_LEVEL: 'silent' };
  const running = quorum(['worker', '--json'], {
    env,
    out: watcher.out,
    stopped: () => stop.promise,
  });
  expect(await watcher.line).toMatchObject({ ready: true, concurrency: 16, shared: false });
  const thread = emulator.repository('acme/shop').threads.get(issue.number);
  await expect
    .poll(() => thread?.comments[0]?.body, { timeout: 20_000 })
    .toMatch(/^### (?!Discussing)/);
  await expect.poll(() => thread?.labelIds.length, { timeout: 20_000 }).toBeGreaterThan(0);
  stop.resolve('SIGTERM');
  expect((await running).code).toBe(0);
  const run = /run `(\w{26})`/.exec(thread?.comments[0]?.body ?? '')?.[1] ?? '';
  return { run, env };
}

test('a worker does what is queued and stops when asked; replay then finds the same', async () => {
  const { run, env } = await discussOne();
  const replayed = await quorum(['replay', run], { env });
  expect(replayed.out).toContain(`run ${run} of thread:`);
  expect(replayed.out).toMatch(/look done\n +→ /);
  expect(replayed.out).toContain('everything is as it was recorded');
  expect(replayed.code).toBe(0);
  const json = (await quorum(['replay', run, '--json'], { env })).json();
  expect(json).toMatchObject({ ok: true, run, isSame: true });
  await expectPrompts(run, env);
});

test('replay shows the prompts of a private repository only to somebody who asks for them', async () => {
  const { run, env } = await discussOne({ private: true });
  const refused = await quorum(['replay', run, '--prompts'], { env });
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('[prompts-private]');
  expect(`${refused.out}${refused.err}`).not.toContain(TITLE);
  const shown = await quorum(['replay', run, '--prompts', '--private'], { env });
  expect(shown.code).toBe(0);
  expect(shown.out).toContain(TITLE);
});

test('a worker announces what it does, where its environment has the tokens', async () => {
  const chats = await openChats();
  const world = await idleWorld();
  const { emulator } = world;
  emulator.createUser('ana');
  const files = { 'README.md': 'Shop', '.github/quorum.yml': CHAT_SETTINGS };
  await emulator.createRepository({ owner: 'acme', name: 'shop', files });
  emulator.addCollaborator('acme/shop', 'ana', 'triage');
  const issue = await emulator.as('ana').openIssue('acme/shop', { title: 'Add a price list' });
  await world.stopApp();
  await emulator.as('ana').label('acme/shop', issue.number, ['deliberate']);
  await queueLabelled(world, issue.number);
  const stop = Promise.withResolvers<string>();
  const env = { ...world.appEnv, ...chats.env, LOG_LEVEL: 'silent' };
  const running = quorum(['worker', '--json'], { env, stopped: () => stop.promise });
  await expect
    .poll(() => chats.inSlack().join('\n'), { timeout: 20_000 })
    .toMatch(/acme\/shop#1 Add a price list.*verdict/);
  stop.resolve('SIGTERM');
  expect((await running).code).toBe(0);
});

/** What models were asked is shown and read again; the repository is public. */
async function expectPrompts(run: string, env: Record<string, string | undefined>): Promise<void> {
  const shown = await quorum(['replay', run, '--prompts'], { env });
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/\d+ questions to models/);
  expect(shown.out).toContain('## Safety');
  expect(shown.out).toContain('read as it was then');
  const { asks } = (await quorum(['replay', run, '--prompts', '--json'], { env })).json() as {
    asks: { isSame: boolean; recording: string[] }[];
  };
  expect(asks.length).toBeGreaterThan(0);
  expect(asks.every(({ isSame, recording }) => isSame && recording.length > 0)).toBe(true);
}

test('replay of a run that nobody knows is exit code 2, also while the App has the store', async () => {
  const dir = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: systemClock });
  onTestFinished(() => store.close());
  const { code, err } = await quorum(['replay', 'nothing'], { env: { QUORUM_DATA: dir } });
  expect(code).toBe(2);
  expect(err).toContain('[run-unknown]');
});

test('replay in a place without a store says so and makes none', async () => {
  const dir = path.join(temporaryFolder(), 'mistyped');
  const { code, err } = await quorum(['replay', 'nothing'], { env: { QUORUM_DATA: dir } });
  expect(code).toBe(2);
  expect(err).toContain(`There is no store in ${dir}. Set QUORUM_DATA`);
  expect(err).toContain('[store-missing]');
  expect(existsSync(dir)).toBe(false);
});

test('setup keeps the credentials that its page was given and ends by itself', async () => {
  const emulator = await createGitHubEmulator({ dir: temporaryFolder(), clock: systemClock });
  onTestFinished(() => emulator.close());
  const cwd = temporaryFolder();
  const env = {
    PORT: '0',
    QUORUM_DATA: temporaryFolder(),
    GHE_HOST: emulator.host,
    GHE_PROTOCOL: 'http',
    LOG_LEVEL: 'silent',
  };
  const watcher = lineWatcher();
  const running = quorum(['setup', '--json'], { env, cwd, out: watcher.out });
  const address = String((await watcher.line)['setup']);
  const cookie = cookieOf(await fetch(address));
  const page = address.replace(/\?.*/, '');
  expect((await fetch(page, { headers: { cookie } })).status).toBe(200);
  const app = await emulator.createApp({ name: 'Quorum', webhookSecret: 'of the test' });
  const imported = await fetch(`${page}/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ appId: app.appId, pem: app.privateKey, webhook_secret: 'of the test' }),
  });
  expect(imported.status).toBe(200);
  expect((await running).code).toBe(0);
  expect(watcher.all()).toContain(`"appId":${app.appId}`);
  const written = readFileSync(path.join(cwd, '.env'), 'utf8');
  expect(written).toContain(`APP_ID="${app.appId}"`);
  const again = await quorum(['setup', '--json'], {
    cwd,
    env: { APP_ID: '1', PRIVATE_KEY: app.privateKey, WEBHOOK_SECRET: 'x' },
  });
  expect(again.json()).toMatchObject({ ok: true, wasSetUp: true });
});
