/** Where the code of a task is written: the host says where it may be, and the repository chooses (`coder.runner`). */
import { describe, expect, test } from 'vitest';
import { createGitHub } from '../../src/adapters/github/create-github.ts';
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { defaultConfig, type Config } from '../../src/domain/config/config.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { openCodingRuntime } from '../../src/hosts/open-coding-runtime.ts';
import { temporaryFolder } from './cli/temporary-folder.ts';

type Runner = Config['coder']['runner'];

function runtimeOf(host: 'actions' | 'local') {
  const env = { QUORUM_CODER: host, QUORUM_DATA: temporaryFolder(), PATH: '/nowhere' };
  const basics = { env, clock: systemClock, random: systemRandom };
  const auth = { kind: 'token', token: 'none' } as const;
  const baseUrl = 'http://127.0.0.1:9';
  const github = createGitHub({ ...basics, auth, baseUrl, markerSecret: 'a secret of the test' });
  const log = createLog({ level: 'silent' });
  const runtime = openCodingRuntime({ ...basics, log }, github, 1);
  if (runtime === undefined) throw new Error('there is no runtime');
  return runtime;
}

function coderOf(host: 'actions' | 'local', runner: Runner): string {
  const { coder } = defaultConfig();
  return runtimeOf(host).coder({ ...coder, ...(runner && { runner }) }, { hasDiff: true }).name;
}

test.each<[host: 'actions' | 'local', runner: Runner, name: string]>([
  ['actions', undefined, 'actions'],
  ['actions', 'actions', 'actions'],
  ['local', undefined, 'patch'],
  ['local', 'local', 'patch'],
  ['local', 'actions', 'actions'],
])('with QUORUM_CODER=%s and coder.runner: %s it is written by: %s', (host, runner, name) => {
  expect(coderOf(host, runner)).toBe(name);
});

describe('no code is written', () => {
  test('on the machine of an App that lets workflows write it, whatever the repository asks for', () => {
    const why = expect.stringContaining('`coder.runner: local`');
    expect(() => coderOf('actions', 'local')).toThrow(
      expect.objectContaining({ code: 'coder-unavailable', message: why }),
    );
    expect(runtimeOf('actions').lacksRunner?.('local')).toEqual(why);
    expect(runtimeOf('actions').lacksRunner?.('actions')).toBeUndefined();
    expect(runtimeOf('local').lacksRunner?.('local')).toBeUndefined();
  });

  test.each(['actions', 'local'] as const)(
    'where it is switched off, by a host with %s',
    (host) => {
      expect(() => coderOf(host, 'off')).toThrow(expect.objectContaining({ code: 'switched-off' }));
    },
  );
});
