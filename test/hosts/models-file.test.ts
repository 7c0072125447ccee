/** `QUORUM_MODELS`: models that only a host defines. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/domain/config/config-file.ts';
import { configReference } from '../../src/domain/config/config-reference.ts';
import { publishedSchemas } from '../../src/domain/config/json-schema.ts';
import { readModelsFile } from '../../src/hosts/environment/models-file.ts';
import { aModel } from '../helpers/a-model.ts';
import { aWorld, READY_ISSUE } from '../helpers/a-world.ts';
import { quorum } from './cli/fake-io.ts';
import { temporaryFolder } from './cli/temporary-folder.ts';

const file = (text: string): string =>
  path.join(temporaryFolder({ 'models.yml': text }), 'models.yml');

test('its models answer, and a name that is not there does not silence the team', async () => {
  const { server, env } = await aModel();
  const models =
    'ours:\n  provider: anthropic\n  model: claude-ours-1\ncheap: ours\nstandard: ours\nstrong: ours\n';
  const world = await aWorld({
    env: { ...env, QUORUM_MODELS: file(models) },
    files: { '.github/quorum.yml': 'models:\n  standard: nowhere\n  cheap: nowhere\n' },
  });
  const number = await world.ask(READY_ISSUE);
  await world.idle();
  expect((await world.tell(number)).labels).toEqual(['ready']);
  expect(server.calls.length).toBeGreaterThan(1);
  expect(new Set(server.calls.map((call) => call.model))).toEqual(new Set(['claude-ours-1']));
});

test('reports problems with file and line', () => {
  const at = file('ours:\n  provider: nobody\n');
  expect(() => readModelsFile({ QUORUM_MODELS: at })).toThrow(/models\.yml:2:/);
  expect(() => readModelsFile({ QUORUM_MODELS: `${at}.none` })).toThrow(/cannot be read/);
  expect(readModelsFile({})).toEqual({ pool: {}, aliases: {} });
});

test('a provider that nothing implements stays valid, is warned about, and is not offered', async () => {
  const models = 'ours:\n  provider: claude-cli\n  model: claude-ours-1\ncheap: ours\n';
  const env = { QUORUM_MODELS: file(models) };
  expect(readModelsFile(env).pool['ours']?.provider).toBe('claude-cli');
  const { err, out } = await quorum(['doctor'], { env, cwd: temporaryFolder() });
  expect(`${out}${err}`).toMatch(/model ours .*provider claude-cli has no effect yet/);
  const [schema = '', reference] = [publishedSchemas()['schema/config.json'], configReference()];
  expect([schema.includes('claude-cli'), reference.includes('claude-cli')]).toEqual([false, false]);
  const offered = 'anthropic, openai, openai-compatible, offline';
  expect(reference).toContain(offered);
  const mistyped = { QUORUM_MODELS: file('ours:\n  provider: nobody\n') };
  expect(() => readModelsFile(mistyped)).toThrow(new RegExp(`one of ${offered}(?!,)`));
});

test('a repository that names it is not stopped either', () => {
  const text = 'models:\n  ours:\n    provider: claude-cli\n    model: claude-ours-1\n';
  const { isValid, problems } = resolveConfig([
    { origin: 'acme/shop', file: '.github/quorum.yml', text },
  ]);
  expect(isValid).toBe(true);
  expect(problems.map(({ key, severity }) => [key, severity])).toEqual([
    ['models.ours', 'warning'],
  ]);
});
