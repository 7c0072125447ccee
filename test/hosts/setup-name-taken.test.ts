/** The setup against the emulator, where somebody takes the App's name between its confirmation and its conversion. */
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { CLOCK, openDoor } from '../adapters/http/door.ts';
import { aFolder } from '../helpers/a-folder.ts';
import { cookieOf } from '../helpers/cookie-of.ts';

test('an App whose name was taken meanwhile is not registered; the page says why and what to do', async () => {
  const dir = aFolder('setup');
  const behaviour = { refusesLocalHooks: false };
  const github = await createGitHubEmulator({ dir: `${dir}/github`, clock: CLOCK, behaviour });
  onTestFinished(() => github.close());
  github.createUser('mona');
  const taken: AppCredentials[] = [];
  let address = '';
  const door = await openDoor({
    secrets: [],
    appId: undefined,
    setup: {
      env: { GHE_HOST: github.host, GHE_PROTOCOL: 'http' },
      envFile: path.join(dir, '.env'),
      manifestFile: 'app.yml',
      random: systemRandom,
      onAddress: (given) => (address = given),
      onCredentials: async (credentials) => void taken.push(credentials),
    },
  });
  onTestFinished(() => door.stop());
  const cookie = cookieOf(await fetch(address));
  const ask = (page: string): Promise<Response> =>
    fetch(new URL(page, door.url), { headers: { cookie }, redirect: 'manual' });
  const confirm = async (fields: Record<string, string> = {}): Promise<string> => {
    const html = await (await ask('/probot')).text();
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const manifest = /value='([^']*)'/.exec(html)?.[1] ?? '';
    const body = new URLSearchParams({ manifest, confirmed: 'yes', ...fields });
    const confirmed = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    return confirmed.headers.get('location') ?? '';
  };

  const location = await confirm();
  await github.createApp({ name: 'Quorum' });
  const refused = await ask(location);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    code: 'conversion-failed',
    title: expect.stringMatching(/Name has already been taken.*choose another name/) as string,
  });
  expect(taken).toEqual([]);

  const done = await ask(await confirm({ name: 'Quorum of mona' }));
  expect(done.headers.get('location')).toBe(`${github.url}/apps/quorum-of-mona/installations/new`);
  expect(taken).toHaveLength(1);
});
