/** `quorum doctor` and what keeps it busy: missing credentials, missing permissions, dead letters, a store in use. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { startModelServer } from '../../../src/emulator/model-server/start-model-server.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { appPage } from '../../../src/hosts/cli/doctor/check-github.ts';
import { checkGit, checkNode } from '../../../src/hosts/cli/doctor/check-machine.ts';
import { call } from '../../contract/store-words.ts';
import { endEffects, type EndedEffect } from '../../helpers/end-effects.ts';
import { verifies } from '../../verifies.ts';
import { quorum } from './fake-io.ts';
import { appOnEmulator, doctor, liveDoctor, manifest, type Check } from './run-doctor.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('without credentials it warns with a fix and is exit code 0', async () => {
  const { code, find } = await doctor({ QUORUM_DATA: temporaryFolder() });
  expect(code).toBe(0);
  expect(find('credentials')).toMatchObject({
    level: 'warn',
    fix: expect.stringContaining('quorum setup'),
  });
  expect(find('store')).toMatchObject({ level: 'ok', says: expect.stringContaining('none yet') });
});

test('an App with everything in app.yml is fine', async () => {
  const { env } = await appOnEmulator(manifest.default_permissions, manifest.default_events);
  const { code, find } = await doctor(env);
  expect(code).toBe(0);
  expect(find('GitHub')).toMatchObject({ level: 'ok' });
  expect(find('permissions')).toMatchObject({ level: 'ok' });
});

test('a missing permission fails and is named, a missing event warns', async () => {
  const { issues: _, ...rest } = manifest.default_permissions;
  const short = await appOnEmulator(rest, manifest.default_events);
  const { code, find } = await doctor(short.env);
  expect(code).toBe(1);
  expect(find('permissions')).toMatchObject({
    level: 'fail',
    says: 'missing permissions issues: write (has none)',
  });
  const deaf = await appOnEmulator(manifest.default_permissions, ['issues']);
  const warned = await doctor(deaf.env);
  expect(warned.find('permissions')).toMatchObject({
    level: 'warn',
    says: expect.stringContaining('issue_comment'),
  });
});

test('warns of an installation whose owner has not accepted what was added later', async () => {
  const { default_permissions: all, default_events: events } = manifest;
  const { emulator, app, env } = await appOnEmulator(all, events);
  for (const login of ['acme', 'umbrella']) emulator.createOrg(login);
  const [, late] = ['acme', 'umbrella'].map((login) => emulator.installApp(app.appId, login));
  const { merge_queues: _, ...before } = all;
  const known = events.filter((event) => event !== 'merge_group');
  emulator.setPermissions(late ?? 0, before, known);
  const { code, find } = await doctor(env);
  expect(code).toBe(0);
  expect(find('installation umbrella')).toMatchObject({
    level: 'warn',
    says: 'missing permissions merge_queues: read (has none); not subscribed to merge_group',
  });
  expect(find('installation acme')).toBeUndefined();
});

test('a wrong key and a GitHub that is away fail, each with its own fix', async () => {
  const [one, other] = await Promise.all([
    appOnEmulator(manifest.default_permissions, []),
    appOnEmulator(manifest.default_permissions, []),
  ]);
  const wrong = await doctor({ ...one.env, PRIVATE_KEY: other.env.PRIVATE_KEY });
  expect(wrong.find('GitHub')).toMatchObject({
    level: 'fail',
    fix: expect.stringContaining('APP_ID'),
  });
  await one.emulator.close();
  const away = await doctor(one.env);
  expect(away.find('GitHub')).toMatchObject({
    level: 'fail',
    fix: expect.stringContaining('network'),
  });
});

test.each([
  ['https://api.github.com', 'https://github.com/apps/quorum'],
  ['https://api.octo.ghe.com', 'https://octo.ghe.com/apps/quorum'],
  ['https://git.example.org/api/v3', 'https://git.example.org/github-apps/quorum'],
])('on %s the page of the App is %s', (apiUrl, page) => {
  expect(appPage(apiUrl, 'quorum')).toBe(page);
});

test('an App that is installed nowhere gets the address of its own GitHub’s page', async () => {
  const { default_permissions: permissions, default_events: events } = manifest;
  const { emulator, env } = await appOnEmulator(permissions, events);
  const body = { slug: 'quorum', permissions, events, installations_count: 0 };
  emulator.faults.add({ path: '/app', fault: { kind: 'status', status: 200, body } });
  expect((await doctor(env)).find('installations')).toMatchObject({
    level: 'warn',
    fix: `Install it: ${emulator.url}/github-apps/quorum/installations/new`,
  });
});

test('--live reads a repository: lists of more than a page, git, rules and owners', async () => {
  const { default_permissions: all, default_events: events } = manifest;
  const { emulator, app, env } = await appOnEmulator(all, events);
  emulator.createUser('ana');
  emulator.createOrg('acme', { ana: 'admin' });
  const files = { 'README.md': '# Widgets\n', CODEOWNERS: '* @acme/core\n' };
  await emulator.createRepository({ owner: 'acme', name: 'widgets', files });
  emulator.installApp(app.appId, 'acme');
  const ana = emulator.as('ana');
  const { number } = await ana.openIssue('acme/widgets', { title: 'Long', body: '' });
  for (let said = 0; said < 101; said += 1) await ana.comment('acme/widgets', number, `${said}`);
  const { code, find } = await liveDoctor(env, 'acme/widgets');
  expect(code).toBe(0);
  for (const about of ['installation', 'clock', 'GraphQL', 'leases'])
    expect(find(about)).toMatchObject({ level: 'ok' });
  expect(find('conditional requests')?.says).toMatch(/^304, \d+ requests left/);
  expect(find('long lists')?.says).toBe('#1 has 101 comments; read 101 and 101');
  expect(find('rules of the default branch')?.says).toBe('none');
  expect(find('git remote')).toMatchObject({
    level: 'ok',
    says: expect.stringMatching(/^main is at /),
  });
  expect(find('CODEOWNERS')).toMatchObject({
    level: 'warn',
    says: 'names 1 team, which the App may not ask: acme/core',
  });
});

const NO_RULES = { from: 'ruleset' as const, checks: [], isStrict: false, hasQueue: false };
const RULES = 'rules of the default branch';

interface Refusal {
  status: number;
  message: string;
  times?: number;
}

/** A repository of an organisation that has the App, with everything in app.yml. */
async function liveWorld() {
  const { default_permissions: all, default_events: events } = manifest;
  const { emulator, app, env } = await appOnEmulator(all, events);
  emulator.createUser('ana');
  emulator.createOrg('acme', { ana: 'admin' });
  await emulator.createRepository({ owner: 'acme', name: 'widgets', files: { a: 'a' } });
  const installationId = emulator.installApp(app.appId, 'acme');
  const protect = (more: object) => {
    const rules = new Map([['main', { ...NO_RULES, ...more }]]);
    emulator.repository('acme/widgets').rules = rules;
  };
  const refuse = (at: RegExp, { status, message, times = 1 }: Refusal) => {
    const fault = { kind: 'status', status, body: { message } } as const;
    emulator.faults.add({ path: at, times, fault });
  };
  const live = (name = 'acme/widgets') => liveDoctor(env, name);
  return { emulator, env, installationId, permissions: all, protect, refuse, live };
}

test('--live warns of a queue that the App does not hear, also for want of the permission alone', async () => {
  const { emulator, installationId, permissions, protect, live } = await liveWorld();
  protect({ hasQueue: true });
  expect((await live()).find('merge queue')).toBeUndefined();
  const { merge_queues: _, ...before } = permissions;
  for (const events of [['issues'], manifest.default_events]) {
    emulator.setPermissions(installationId, before, events);
    expect((await live()).find('merge queue')).toMatchObject({ level: 'warn' });
  }
});

test('--live takes only GitHub’s whole sentence for a plan without rules, as a merge does', async () => {
  const { refuse, live } = await liveWorld();
  const rules = /rules\/branches/;
  const whole = 'Upgrade to GitHub Pro or make this repository public to enable this feature.';
  refuse(rules, { status: 403, message: whole });
  expect((await live()).find(RULES)?.says).toContain("the account's plan has no rules");
  for (const message of ['Upgrade to GitHub Enterprise to enable this feature.', 'Forbidden']) {
    refuse(rules, { status: 403, message });
    expect((await live()).find(RULES)).toMatchObject({
      level: 'warn',
      says: `GitHub does not tell them: ${message}`,
    });
  }
});

test('--live tells the protection of the branch itself, beside rulesets', async () => {
  const { protect, emulator, live } = await liveWorld();
  protect({ from: 'protection', checks: [{ context: 'ci' }] });
  expect((await live()).find(RULES)).toMatchObject({
    level: 'ok',
    says: 'protection; requires ci',
  });
  const at = '/repos/acme/widgets/branches/main';
  const branch = (await emulator.as('ana').request('GET', at)) as object;
  const body = { ...branch, protected: true, protection: { enabled: true } };
  emulator.faults.add({ path: at, fault: { kind: 'status', status: 200, body } });
  expect((await live()).find(RULES)).toMatchObject({
    level: 'warn',
    says: 'main is protected, and GitHub does not name its required checks',
  });
});

test.each([
  { from: 'protection', branch: 'main', says: 'main takes', fix: 'lift the rule on main' },
  { from: 'ruleset', branch: 'main', says: 'main takes', fix: 'merge.mode: never' },
  { from: 'ruleset', branch: '~ALL', says: 'main and quorum/* take', fix: 'leave quorum/* out' },
] as const)(
  '--live warns where a $from of $branch wants signed commits, which no task could push or merge',
  async ({ from, branch, says, fix }) => {
    const { emulator, live } = await liveWorld();
    const rules = { ...NO_RULES, from, mustSign: true };
    emulator.repository('acme/widgets').rules = new Map([[branch, rules]]);
    expect((await live()).find('signed commits')).toMatchObject({
      level: 'warn',
      says: expect.stringContaining(`${says} only commits with verified signatures`),
      fix: expect.stringContaining(fix),
    });
  },
);

test('--live reads a server without rulesets', async () => {
  const { protect, refuse, live } = await liveWorld();
  protect({ from: 'protection', checks: [{ context: 'ci' }] });
  refuse(/rules\/branches/, { status: 404, message: 'Not Found' });
  expect((await live()).find(RULES)?.says).toBe('protection; requires ci');
});

test.each([
  { status: 404, message: 'Not Found', fix: 'upgrade GitHub Enterprise Server' },
  { status: 403, message: 'Resource not accessible by integration', fix: 'read contents' },
])('--live warns where GitHub answers $status to who pushed the memory', async (refusal) => {
  const { refuse, live } = await liveWorld();
  expect((await live()).find('memory')).toMatchObject({ level: 'ok' });
  refuse(/\/activity/, refusal);
  const found = (await live()).find('memory');
  expect(found).toMatchObject({ level: 'warn', fix: expect.stringContaining(refusal.fix) });
  expect(found?.says).toContain(`${refusal.status}: ${refusal.message}`);
});

test('--live reads a renamed repository under its new name', async () => {
  const { emulator, live } = await liveWorld();
  emulator.renameRepository('acme/widgets', 'gadgets');
  const { code, find } = await live();
  expect(code).toBe(0);
  expect(find('installation')?.says).toMatch(
    /covers acme\/gadgets, which was acme\/widgets before$/,
  );
  expect(find('git remote')).toMatchObject({ level: 'ok' });
});

test('--live says why a repository could not be read', async () => {
  const { refuse, live } = await liveWorld();
  expect((await live('acme/gone')).find('installation')).toMatchObject({
    level: 'fail',
    says: 'the App is not installed on acme/gone',
  });
  refuse(/\/installation$/, { status: 401, message: 'A JSON web token could not be decoded' });
  expect((await live()).find('installation')).toMatchObject({
    level: 'fail',
    says: 'GitHub answered 401: A JSON web token could not be decoded',
  });
  refuse(/access_tokens$/, { status: 403, message: 'This installation has been suspended' });
  expect((await live()).find('installation')).toMatchObject({
    level: 'fail',
    says: 'GitHub answered 403: This installation has been suspended',
  });
  const message = 'Issues are disabled for this repo';
  refuse(/acme\/widgets\/issues$/, { status: 410, message, times: 2 });
  expect((await live()).find('long lists')).toMatchObject({
    level: 'warn',
    says: 'GitHub answered 410: Issues are disabled for this repo',
  });
});

test('dead letters are listed with their reason, and --requeue puts them back', async () => {
  const dir = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: systemClock });
  const at = new Date().toISOString();
  const data = {
    kind: 'trigger' as const,
    trigger: { kind: 'tick' as const, loop: 'reconcile' as const },
  };
  await store.append([{ id: 'poison', key: 'tick:reconcile', version: 1, at, data }]);
  const settled = Promise.withResolvers<void>();
  const worker = await store.work({
    concurrency: 1,
    consume: async (work) => {
      await store.settle(work, { kind: 'finish', status: 'dead', reason: 'it broke' });
      settled.resolve();
    },
  });
  await settled.promise;
  await worker.stop(1000);
  await store.close();
  const sick = await doctor({ QUORUM_DATA: dir });
  expect(sick.code).toBe(1);
  expect(sick.find('dead letters')).toMatchObject({
    level: 'fail',
    says: expect.stringContaining('poison of tick:reconcile (it broke)'),
  });
  const requeued = await quorum(['doctor', '--requeue', '--json'], { env: { QUORUM_DATA: dir } });
  expect(requeued.json()).toEqual({ ok: true, requeued: { dead: 1, parked: 0 } });
  expect((await doctor({ QUORUM_DATA: dir })).find('dead letters')).toMatchObject({ level: 'ok' });
});

/** A store whose effects ended so. */
async function endedWith(ends: readonly EndedEffect[]) {
  const dir = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: systemClock });
  await endEffects(store, ends);
  await store.close();
  return dir;
}

const SHOP = { installationId: 1, repositoryId: 2, owner: 'acme', repo: 'shop', number: 7 };

test('what GitHub refused is listed; what is gone there is not', async () => {
  const data = { kind: 'close' as const, thread: SHOP, reason: 'completed' as const };
  const dir = await endedWith([
    { data, status: 'refused', reason: 'github-forbidden: not accessible' },
    { data, status: 'refused', reason: 'github-not-found: gone' },
  ]);
  const told = (await doctor({ QUORUM_DATA: dir })).find('refused by GitHub');
  expect(told).toMatchObject({
    level: 'warn',
    says: expect.stringMatching(/^1 of late: close of/),
  });
});

verifies(
  'NW-14',
  'reflections that failed are counted with their reasons; other failures are not',
  async () => {
    const look = { kind: 'look-memory' as const, thread: SHOP, handles: [] };
    const judge = { kind: 'judge' as const, outcomes: [] };
    const from = {
      run: 'R',
      subject: 'issue' as const,
      headSha: '',
      trust: 'stranger' as const,
      cited: [],
    };
    const uses = { kind: 'learn' as const, from, learned: [], paths: [] };
    const lesson = { text: 'Dates are in UTC' } as unknown as (typeof uses.learned)[number];
    const learn = { ...uses, learned: [lesson] };
    const ask = (purpose: 'reflection' | 'answer') =>
      ({ kind: 'ask', purpose }) as unknown as EffectData;
    const dir = await endedWith([
      { data: look, status: 'dead', reason: 'github-unreachable: no' },
      { data: { kind: 'remember', thread: SHOP, change: judge }, status: 'dead', reason: 'judged' },
      {
        data: { kind: 'remember', thread: SHOP, change: learn },
        status: 'refused',
        reason: 'learned',
      },
      { data: { kind: 'remember', thread: SHOP, change: uses }, status: 'refused', reason: 'used' },
      { data: ask('answer'), status: 'refused', reason: 'answered' },
      { data: ask('reflection'), status: 'refused', reason: 'model-invalid-output: no' },
    ]);
    const { level, says = '' } = (await doctor({ QUORUM_DATA: dir })).find('reflections') ?? {};
    expect(level).toBe('warn');
    expect(says).toMatch(/^3 recent ones failed/);
    for (const reason of ['github-unreachable', 'learned', 'model-invalid-output'])
      expect(says).toContain(reason);
    const well = await endedWith([{ data: ask('answer'), status: 'refused', reason: 'answered' }]);
    expect((await doctor({ QUORUM_DATA: well })).find('reflections')?.level).toBe('ok');
  },
);

test('what the last reconcile pass could not look at is listed, also while the App runs', async () => {
  const dir = temporaryFolder();
  const store = await openSqliteStore({ dir, clock: systemClock });
  onTestFinished(() => store.close());
  const at = new Date().toISOString();
  const trigger = { kind: 'tick' as const, loop: 'reconcile' as const };
  const owed = [{ repositoryId: 1, name: 'acme/shop', code: 'github-forbidden', since: at }];
  const states: Record<string, object> = {
    'tick:reconcile': { v: 1, installations: [7, 8] },
    'tick:reconcile/7': { v: 1, owed },
    'tick:reconcile/8': { v: 1, failure: 'github-unavailable' },
  };
  const keys = Object.keys(states);
  const settled = Promise.withResolvers<void>();
  let left = keys.length;
  const worker = await store.work({
    concurrency: 1,
    consume: async (work) => {
      const state = { key: work.lane ?? '', expected: 0, value: states[work.lane ?? ''] };
      await store.settle(work, { kind: 'finish', status: 'done', state });
      left -= 1;
      if (left === 0) settled.resolve();
    },
  });
  const data = { kind: 'trigger' as const, trigger };
  await store.append(keys.map((key) => ({ id: key, key, version: 1, at, data })));
  await settled.promise;
  await worker.stop(1000);
  expect((await doctor({ QUORUM_DATA: dir })).find('recovery of lost webhooks')).toMatchObject({
    level: 'warn',
    says: `2 failed in the last pass: acme/shop (github-forbidden, not searched since ${at}); installation 8 (github-unavailable)`,
  });
});

test('--requeue makes no store in a place that has none', async () => {
  const dir = path.join(temporaryFolder(), 'mistyped');
  const { code, err } = await quorum(['doctor', '--requeue'], { env: { QUORUM_DATA: dir } });
  expect(code).not.toBe(0);
  expect(err).toMatch(/There is no store in .*mistyped\. Set QUORUM_DATA/);
  expect(existsSync(dir)).toBe(false);
});

test('a broken persona and a broken configuration of the repository fail with the line', async () => {
  const cwd = temporaryFolder({
    '.github/quorum.yml': 'counsil: {}\n',
    '.github/quorum/personas/x.md': 'no front matter\n',
  });
  const { code, find } = await doctor({ QUORUM_DATA: temporaryFolder() }, cwd);
  expect(code).toBe(1);
  expect(find('configuration')?.says).toMatch(/quorum\.yml:1:1: .*council/);
  expect(find('persona')?.says).toContain('[missing-front-matter]');
});

test('an old Node fails and a missing git warns', async () => {
  expect(await checkNode('20.20.2')).toMatchObject([{ level: 'fail' }]);
  expect(await checkNode('24.1.0')).toMatchObject([{ level: 'ok' }]);
  expect(await checkGit('git-that-is-not-there')).toMatchObject([{ level: 'warn' }]);
});

test('for people it is a table with a fix under each line that needs one', async () => {
  const cwd = temporaryFolder();
  const { out } = await quorum(['doctor'], { env: { QUORUM_DATA: cwd }, cwd });
  expect(out).toMatch(/^warn +credentials +none: the App is not set up\n +→ Run quorum setup/m);
  expect(out).toMatch(/\n0 failures, 2 warnings, \d fine\n$/);
});

test('--try-keys asks once with each key, and only then', async () => {
  const key = ['a', 'key', 'of', 'tests'].join('-');
  const server = await startModelServer({ clock: systemClock, apiKey: key });
  onTestFinished(() => server.close());
  const env = { QUORUM_DATA: temporaryFolder(), ANTHROPIC_BASE_URL: server.url };
  const run = async (args: string[], more: Record<string, string>) => {
    const said = await quorum(['doctor', '--json', ...args], { env: { ...env, ...more } });
    return { ...said, checks: said.json()['checks'] as Check[] };
  };
  await run([], { ANTHROPIC_API_KEY: key });
  expect(server.requests).toEqual([]);
  const good = await run(['--try-keys'], { ANTHROPIC_API_KEY: key });
  expect(good.code).toBe(0);
  expect(good.checks.filter(({ about }) => about.startsWith('key of'))).toMatchObject([
    { level: 'ok', about: 'key of haiku', says: expect.stringContaining(server.url) },
  ]);
  expect(server.requests).toHaveLength(1);
  const bad = await run(['--try-keys'], { ANTHROPIC_API_KEY: `${key}-mistyped` });
  expect(bad.code).toBe(1);
  expect(bad.checks.find(({ about }) => about === 'key of haiku')).toMatchObject({
    level: 'fail',
    says: expect.stringContaining('[model-unauthorised]'),
    fix: expect.stringContaining('Replace the key'),
  });
  expect(bad.out).not.toContain(key);
  expect(server.requests).toHaveLength(2);
  expect((await run(['--try-keys'], {})).checks).toContainEqual(
    expect.objectContaining({ about: 'keys', says: 'none to try' }),
  );
});

verifies(
  'CB-14b',
  'the operator reads the limits and who spent most, also while the App has the store, and is warned near a limit',
  async () => {
    const dir = temporaryFolder();
    const env = { QUORUM_DATA: dir, QUORUM_MAX_DAILY_USD_PER_INSTALLATION: '6' };
    const store = await openSqliteStore({ dir, clock: systemClock });
    onTestFinished(() => store.close());
    const at = new Date(systemClock.now()).toISOString();
    await store.records.settleCall('none', [
      call('a', { installationId: 1, repositoryId: 11, costUsd: 2, at }),
      call('b', { installationId: 1, repositoryId: 12, costUsd: 3.5, at }),
      call('c', { installationId: 2, repositoryId: 21, costUsd: undefined, at }),
      call('own', { installationId: 2, repositoryId: 21, costUsd: 70, payer: 'repository', at }),
    ]);
    const { find } = await doctor(env);
    expect(find('daily limits')).toMatchObject({
      level: 'ok',
      says: '$6.00 for each installation, $100.00 in total in 24 hours',
    });
    expect(find('spending')).toMatchObject({
      level: 'warn',
      says: '$5.50 in the last 24 hours, and calls without a known price: 1; most: installation 1 $5.50, repository 12 $3.50, repository 11 $2.00',
      fix: expect.stringContaining('QUORUM_MAX_DAILY_USD_PER_INSTALLATION') as string,
    });
    const unlimited = await doctor({ QUORUM_DATA: dir, QUORUM_MAX_DAILY_USD: 'off' });
    expect(unlimited.find('daily limits')).toMatchObject({ level: 'warn' });
  },
);
