/** `quorum doctor` about who writes code, and what a sandbox here shows and reaches. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { appOnEmulator, doctor, manifest } from './run-doctor.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('it says whether code is written here, and by whom', async () => {
  const QUORUM_DATA = temporaryFolder();
  const off = await doctor({ QUORUM_DATA });
  expect(off.find('coder')).toMatchObject({
    level: 'warn',
    says: 'no code is written here: QUORUM_CODER is not set, so approved plans are not carried out',
    fix: expect.stringContaining('QUORUM_CODER=local'),
  });
  const meant = await doctor({ QUORUM_DATA, QUORUM_CODER: 'off' });
  expect(meant.find('coder')).toMatchObject({ level: 'ok' });
  const later = await doctor({ QUORUM_DATA, QUORUM_CODER: 'actions' });
  expect(later.find('coder')).toMatchObject({
    level: 'warn',
    says: expect.stringContaining('the id that they need is not known'),
  });
  expect(later.find('sandbox')).toBeDefined();
  const wrong = await doctor({ QUORUM_DATA, QUORUM_CODER: 'perhaps' });
  expect([wrong.code, wrong.find('coder')?.level]).toEqual([1, 'fail']);
  const bin = path.join(QUORUM_DATA, 'nothing');
  const on = await doctor({ QUORUM_DATA, QUORUM_CODER: 'local', CLAUDE_BIN: bin });
  expect(on.find('coder')).toMatchObject({ level: 'warn', fix: expect.stringContaining('diff') });
  expect(on.find('sandbox')).toBeDefined();
  expect(on.find('coder workflows')).toBeUndefined();
});

test('it shows the id by which a workflow knows the App that asks it for code', async () => {
  const { default_permissions: all, default_events: events } = manifest;

  const { emulator, app, env } = await appOnEmulator(all, events);
  emulator.createOrg('acme');
  const before = await doctor({ ...env, QUORUM_CODER: 'actions' });
  expect(before.find('coder')).toMatchObject({ level: 'warn' });
  emulator.installApp(app.appId, 'acme');
  const { find } = await doctor({ ...env, QUORUM_CODER: 'actions' });
  expect(find('coder')).toMatchObject({
    level: 'ok',
    says: expect.stringContaining(`app: ${emulator.app(app.appId).botId}`),
  });
  // A repository may choose its workflow also where the host writes code itself.
  const local = await doctor({ ...env, QUORUM_CODER: 'local' });
  expect(local.find('coder workflows')).toMatchObject({
    level: 'ok',
    says: expect.stringContaining(`app: ${emulator.app(app.appId).botId}`),
  });
});

test('Claude Code without a model that it can use writes no code, and it says so', async () => {
  const QUORUM_DATA = temporaryFolder({ claude: '' });
  const env = { QUORUM_DATA, QUORUM_CODER: 'local', CLAUDE_BIN: path.join(QUORUM_DATA, 'claude') };
  const without = await doctor(env);
  expect(without.find('coder')).toMatchObject({
    level: 'warn',
    fix: expect.stringContaining('ANTHROPIC_API_KEY'),
  });
  const withKey = await doctor({ ...env, ANTHROPIC_API_KEY: 'of-a-test' });
  expect(withKey.find('coder')).toMatchObject({ level: 'ok' });
});

test('hosts that a sandbox may connect to are listed with who allows them', async () => {
  const QUORUM_DATA = temporaryFolder();
  const env = {
    QUORUM_CODER: 'local',
    QUORUM_DATA,
    npm_config_registry: 'http://npm.example:4873/',
  };
  const { find } = await doctor({ ...env, QUORUM_SANDBOX_HOSTS: 'one.example,*.two.example:8443' });
  const { level, says } = find('sandbox hosts') ?? {};
  expect(level).toBe('ok');
  for (const host of ['one.example:443', '*.two.example:8443'])
    expect(says).toContain(`${host} (QUORUM_SANDBOX_HOSTS)`);
  expect(says).toContain('npm.example:4873 (npm)');
  const wrong = await doctor({ ...env, QUORUM_SANDBOX_HOSTS: 'https://one.example' });
  expect([wrong.code, wrong.find('sandbox hosts')?.level]).toEqual([1, 'fail']);
});

test('what a sandbox would show and must not is a failure, with the setting', async () => {
  const home = process.env['HOME'] ?? '/root';
  const env = { QUORUM_CODER: 'local', QUORUM_DATA: temporaryFolder() };
  const fine = await doctor(env);
  expect(fine.find('sandbox paths')).toMatchObject({ level: 'ok' });
  for (const [more, says] of [
    [{ CLAUDE_BIN: home }, `the sandbox would show ${home}, which is a home folder`],
    [
      { QUORUM_DATA: '/usr/src/app/.quorum-data' },
      '/usr, which each sandboxed program reads, contains the data directory (`QUORUM_DATA`)',
    ],
  ] as const) {
    const { code, find } = await doctor({ ...env, ...more });
    expect(code).toBe(1);
    expect(find('sandbox paths')).toMatchObject({
      level: 'fail',
      says: expect.stringContaining(says),
      fix: expect.stringContaining('`sandbox-path-refused`'),
    });
  }
});
