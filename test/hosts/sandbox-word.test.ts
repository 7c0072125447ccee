/** Who may take the sandbox down on a machine: its owner and the repository's, together. */
import { expect, test } from 'vitest';
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../src/domain/config/config.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import {
  openCodingRuntime,
  refuseOtherSystems,
  sandboxOf,
} from '../../src/hosts/open-coding-runtime.ts';
import { verifies } from '../verifies.ts';
import { temporaryFolder } from './cli/temporary-folder.ts';

const log = createLog({ level: 'silent' });
const BASICS = { clock: systemClock, random: systemRandom, log };
/** Asked nothing: no work begins. */
const NO_GITHUB = createGitHub({
  auth: { kind: 'token', token: 'none' },
  baseUrl: 'http://127.0.0.1:9',
  markerSecret: 'a secret of the test',
  clock: systemClock,
  random: systemRandom,
});

verifies('EXE-06', 'one word alone takes no fence down', () => {
  const words = ['on', 'off'] as const;
  const seen = [undefined, ...words].flatMap((host) =>
    words.map((sandbox) => [host, sandbox, sandboxOf({ QUORUM_SANDBOX: host }, { sandbox })]),
  );
  expect(seen.filter(([, , effective]) => effective === 'off')).toEqual([['off', 'off', 'off']]);
  expect(seen).toHaveLength(6);
});

test('on macOS an App that is to write code does not start, and says why', () => {
  const start = (env: Record<string, string>) => () => refuseOtherSystems(env, 'darwin');
  expect(start({ QUORUM_CODER: 'local' })).toThrow(
    'Code is written on Linux only: the sandbox is made of namespaces, which macOS does not have. Run the App on Linux, or set QUORUM_CODER=off.',
  );
  // Nothing is written there, or its owner wants no sandbox.
  expect(start({})).not.toThrow();
  expect(start({ QUORUM_CODER: 'off' })).not.toThrow();
  expect(start({ QUORUM_CODER: 'local', QUORUM_SANDBOX: 'off' })).not.toThrow();
  expect(() => refuseOtherSystems({ QUORUM_CODER: 'local' }, 'linux')).not.toThrow();
});

test('a value of QUORUM_SANDBOX besides on and off is refused, with both named', () => {
  expect(() => sandboxOf({ QUORUM_SANDBOX: 'no' }, { sandbox: 'off' })).toThrow(
    'QUORUM_SANDBOX is no; on and off are possible.',
  );
});

test('the App does not start where a sandbox would show a home folder, unless its owner wants no sandbox', () => {
  const start = (env: Record<string, string>) => () => {
    const home = process.env['HOME'] ?? '/root';
    const all = { QUORUM_CODER: 'local', QUORUM_DATA: temporaryFolder(), CLAUDE_BIN: home, ...env };
    return openCodingRuntime({ ...BASICS, env: all }, NO_GITHUB, 1);
  };
  expect(start({})).toThrow(
    expect.objectContaining({ code: 'sandbox-path-refused', name: 'ConfigError' }),
  );
  expect(start({ CLAUDE_BIN: process.execPath })).not.toThrow();
  expect(start({ QUORUM_SANDBOX: 'off' })).not.toThrow();
});

test('no command of a repository is shown the data directory', async () => {
  const data = temporaryFolder();
  const env = { QUORUM_CODER: 'local', QUORUM_DATA: data };
  const { coder } = defaultConfig();
  const commands = openCodingRuntime({ ...BASICS, env }, NO_GITHUB, 1)?.commands(coder);
  const wanted = { folder: temporaryFolder(), readable: [data], script: 'true', env: {} };
  await expect(
    commands?.run({ ...wanted, timeoutMs: 60_000, network: false }, new AbortController().signal),
  ).rejects.toMatchObject({ code: 'sandbox-path-refused' });
});
