import path from 'node:path';
import { expect, test } from 'vitest';
import { createGitHubEmulator } from '../../src/emulator/github/github-emulator.ts';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import type { AppCredentials } from '../../src/hosts/environment/app-credentials.ts';
import { aFolder } from '../helpers/a-folder.ts';
import { cookieOf } from '../helpers/cookie-of.ts';
import { CLOCK, openDoor } from '../adapters/http/door.ts';

test('from the setup page, by the confirmation page of the embedded GitHub, to the first delivery', async () => {
  const dir = aFolder('setup');
  const github = await createGitHubEmulator({
    dir: path.join(dir, 'github'),
    clock: CLOCK,
    // An Enterprise Server on the same network.
    behaviour: { refusesLocalHooks: false },
  });
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
      onCredentials: (credentials) => Promise.resolve(void taken.push(credentials)),
    },
  });
  try {
    github.createUser('mona');
    await github.createRepository({ owner: 'mona', name: 'hello' });

    const cookie = cookieOf(await fetch(address));
    const html = await (await fetch(`${door.url}/probot`, { headers: { cookie } })).text();
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const manifest = /value='([^']*)'/.exec(html)?.[1] ?? '';
    const ask = (form: Record<string, string>): Promise<Response> =>
      fetch(action, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    const confirmation = await (await ask({ manifest })).text();
    expect(confirmation).toContain('Create GitHub App');
    const back = (await ask({ manifest, confirmed: 'yes' })).headers.get('location') ?? '';
    const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
    expect(done.status).toBe(302);
    expect(done.headers.get('location')).toMatch(/\/installations\/new$/);

    const appId = taken[0]?.appId ?? 0;
    github.installApp(appId, 'mona');
    await github.as('mona').openIssue('mona/hello', { title: 'First', body: 'It works' });
    await github.settled();
    const rows = await door.rows();
    expect(rows.map((row) => row.data)).toContainEqual(
      expect.objectContaining({ trigger: expect.objectContaining({ kind: 'opened' }) }),
    );
    expect(github.deliveries.every((each) => each.statusCode === 202)).toBe(true);
  } finally {
    await door.stop();
    await github.close();
  }
});
