/** What the tests of a base count: remembered, but never that there was no room to count them. */
import { expect, test } from 'vitest';
import { createBaseTests } from '../../src/act/task/base-tests.ts';
import { createTurns } from '../../src/act/task/turns.ts';
import type { ActPorts } from '../../src/act/ports.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { defaultConfig } from '../../src/domain/config.ts';
import { RefusedError, TransientError } from '../../src/domain/errors.ts';

const REPOSITORY = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const PRINTED = '# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n';
const FULL = { code: 'disk-full', message: 'There is no room.' };

/** Worktrees that cannot be opened for as long as there are errors left. */
function counting(errors: Error[]) {
  let opened = 0;
  const open = (): Promise<unknown> => {
    opened += 1;
    const error = errors.shift();
    const close = () => Promise.resolve();
    return error === undefined ? Promise.resolve({ folder: '', close }) : Promise.reject(error);
  };
  const ended = { exitCode: 0, isTimedOut: false, durationMs: 1, output: PRINTED };
  const workshop = { git: { open }, commands: () => ({ run: () => Promise.resolve(ended) }) };
  const ports = { clock: systemClock, workshop } as unknown as ActPorts;
  const count = createBaseTests(ports, {
    fillProject: () => Promise.resolve({ readable: [], env: {} }),
    turns: createTurns(),
  });
  const wanted = {
    baseSha: 'a'.repeat(40),
    name: 'x',
    branch: 'x',
    found: { type: 'node', test: 'node --test', install: undefined } as const,
    config: defaultConfig(),
  };
  return { count: () => count(REPOSITORY, wanted), opened: () => opened };
}

test('what they count is asked for once', async () => {
  const it = counting([]);
  expect(await it.count()).toMatchObject({ passed: 3, failed: 0 });
  expect(await it.count()).toMatchObject({ passed: 3, failed: 0 });
  expect(it.opened()).toBe(1);
});

test('that there was no room for them is not remembered; that there never is is', async () => {
  const soon = counting([new TransientError(FULL)]);
  expect(await soon.count()).toBeUndefined();
  expect(await soon.count()).toMatchObject({ passed: 3 });
  const never = counting([new RefusedError(FULL)]);
  expect([await never.count(), await never.count(), never.opened()]).toEqual([
    undefined,
    undefined,
    1,
  ]);
});
