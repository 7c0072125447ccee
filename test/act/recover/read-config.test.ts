/** A repository's configuration as of its default branch, and what becomes of a repository that shows none. */
import { expect, test } from 'vitest';
import { configOf, readConfig } from '../../../src/act/recover/read-config.ts';
import type { ActPorts } from '../../../src/act/ports.ts';
import type { ReadSettings } from '../../../src/act/settings/read-settings.ts';
import { defaultConfig } from '../../../src/domain/config/config.ts';
import { ConfigError, RefusedError, TransientError } from '../../../src/domain/event/errors.ts';

const REF = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };

/** A repository at this tip; what was asked of it, in its order. */
function aRepository(headSha: string, failure?: Error) {
  const calls: unknown[] = [];
  const read = {
    repository: async () => ({ headSha }),
    paths: async (...asked: unknown[]) => {
      calls.push(asked);
      return { paths: ['a.ts'], isCut: false };
    },
  };
  const settings = async (ref: unknown, { facts, paths }: { facts: unknown; paths: unknown }) => {
    calls.push([ref, facts, paths]);
    if (failure !== undefined) throw failure;
    return { config: defaultConfig() };
  };
  const ports = { github: { at: () => ({ read }) } } as unknown as ActPorts;
  return { calls, from: { ports, readSettings: settings as unknown as ReadSettings } };
}

test('it is read from the files of the tip', async () => {
  const { calls, from } = aRepository('abc');
  expect(await readConfig(REF, from)).toEqual(defaultConfig());
  expect(calls).toEqual([
    [REF, 'abc', 20_000],
    [REF, { headSha: 'abc' }, ['a.ts']],
  ]);
});

test('a repository without a commit has no files', async () => {
  const { calls, from } = aRepository('');
  expect(await configOf(REF, from)).toEqual(defaultConfig());
  expect(calls).toEqual([[REF, { headSha: '' }, []]]);
});

test.each([
  ['that is refused', true, new RefusedError({ code: 'github-forbidden', message: 'no' })],
  ['that is broken', true, new ConfigError({ code: 'github-unauthorised', message: 'no' })],
  ['that is away', false, new TransientError({ code: 'github-unavailable', message: 'away' })],
  ['behind a fault of ours', false, new Error('a bug')],
])('one %s counts as missing: %s', async (_, isNone, failure) => {
  const { from } = aRepository('abc', failure);
  await expect(readConfig(REF, from)).rejects.toBe(failure);
  if (isNone) expect(await configOf(REF, from)).toBeUndefined();
  else await expect(configOf(REF, from)).rejects.toBe(failure);
});
