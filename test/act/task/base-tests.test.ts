/** What the tests of a base count: remembered, but never that there was no room to count them. */
import { expect, test } from 'vitest';
import { createBaseTests } from '../../../src/act/task/base-tests.ts';
import { runTests } from '../../../src/act/task/gates.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import { systemClock } from '../../../src/adapters/system/system-clock.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { Worktree } from '../../../src/ports/git.ts';

const REPOSITORY = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const PRINTED = '# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n';
const FULL = { code: 'disk-full', message: 'There is no room.' } as const;

/** Worktrees that cannot be opened, and then not filled, for as long as there are errors left. */
function counting(errors: Error[], unready: Error[] = []) {
  let opened = 0;
  const open = (): Promise<unknown> => {
    opened += 1;
    const error = errors.shift();
    const close = () => Promise.resolve();
    return error === undefined ? Promise.resolve({ folder: '', close }) : Promise.reject(error);
  };
  const ended = { exitCode: 0, isTimedOut: false, durationMs: 1, output: PRINTED };
  const commands = { run: () => Promise.resolve(ended) };
  const codingRuntime = { git: { open }, commands: () => commands };
  const ports = { clock: systemClock, codingRuntime } as unknown as ActPorts;
  const count = createBaseTests(ports, {
    fillProject: () => {
      const error = unready.shift();
      return error === undefined
        ? Promise.resolve({ readable: [], env: {} })
        : Promise.reject(error);
    },
  });
  const wanted = {
    baseSha: 'a'.repeat(40),
    name: 'x',
    branch: 'x',
    found: { type: 'node', test: 'node --test', install: undefined } as const,
    config: defaultConfig(),
    signal: new AbortController().signal,
  };
  const testing = {
    ...wanted,
    worktree: { folder: '' } as Worktree,
    commands,
    accepted: undefined,
  };
  return { count: () => count(REPOSITORY, wanted), opened: () => opened, testing };
}

test('what they count is asked for once', async () => {
  const it = counting([]);
  expect(await it.count()).toMatchObject({ passed: 3, failed: 0 });
  expect(await it.count()).toMatchObject({ passed: 3, failed: 0 });
  expect(it.opened()).toBe(1);
});

test('that there was no room for them is waited for; what was never run is not remembered', async () => {
  const soon = counting([new TransientError(FULL)]);
  await expect(soon.count()).rejects.toMatchObject({ code: 'disk-full', retryable: true });
  expect(await soon.count()).toMatchObject({ passed: 3 });
  const never = counting([new RefusedError(FULL)]);
  expect(await never.count()).toBeUndefined();
  expect(await never.count()).toMatchObject({ passed: 3 });
  const unready = new RefusedError({ code: 'project-not-ready', message: 'No network.' });
  const offline = counting([], [unready]);
  expect(await offline.count()).toBeUndefined();
  expect(await offline.count()).toMatchObject({ passed: 3 });
});

test('the base is counted before the worktree of a change is filled, so that both never are at once', async () => {
  const it = counting([]);
  const steps: string[] = [];
  const judged = await runTests({
    ...it.testing,
    fill: () => {
      steps.push('filled');
      return Promise.resolve({ readable: [], env: {} });
    },
    before: () => {
      steps.push('base');
      return it.count();
    },
  });
  expect([judged.result, steps]).toEqual(['passed', ['base', 'filled']]);
});

const READY = () => Promise.resolve({ readable: [], env: {} });

test.each([
  ['nobody accepts that', 'own', undefined, 'not-run'],
  ['a person accepts that', 'own', 'ana', 'passed'],
  ['the configuration says `none`', 'none', undefined, 'passed'],
] as const)(
  'where there is nothing to run, the gate goes by whether %s',
  async (...[, tests, accepted, result]) => {
    const it = counting([]);
    const config = defaultConfig();
    if (tests === 'none') config.gates.tests = 'none';
    const found = { type: 'node', test: undefined, install: undefined } as const;
    const judged = await runTests({ ...it.testing, config, accepted, found, fill: READY });
    expect(judged).toMatchObject({ gate: '2', result });
    if (result === 'passed')
      expect(judged.sentence).toContain(tests === 'none' ? '`gates.tests: none`' : 'ana');
  },
);

test('what cannot be installed fails the gate with the reason; any other fault is thrown', async () => {
  const it = counting([]);
  const unready = new RefusedError({ code: 'project-not-ready', message: 'No such package.' });
  const fails = (why: Error) => runTests({ ...it.testing, fill: () => Promise.reject(why) });
  expect(await fails(unready)).toEqual({
    gate: '2',
    result: 'failed',
    sentence: 'No such package.',
    flags: [],
  });
  await expect(fails(new RefusedError(FULL))).rejects.toMatchObject({ code: 'disk-full' });
});
