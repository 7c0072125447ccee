/** `QUORUM_MODELS`: models that only a host defines. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { readModelsFile } from '../../src/hosts/environment/models-file.ts';
import { aModel } from '../helpers/a-model.ts';
import { aWorld, READY_ISSUE } from '../helpers/a-world.ts';
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

test('what is wrong is told with file and line', () => {
  const at = file('ours:\n  provider: nobody\n');
  expect(() => readModelsFile({ QUORUM_MODELS: at })).toThrow(/models\.yml:2:/);
  expect(() => readModelsFile({ QUORUM_MODELS: `${at}.none` })).toThrow(/cannot be read/);
  expect(readModelsFile({})).toEqual({ pool: {}, aliases: {} });
});
