/** Which registries the machine's own package clients use, read without running anything of a project. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  clientEnv,
  homeFiles,
} from '../../../../src/adapters/bubblewrap/egress/client-settings.ts';
import {
  askPackageClients,
  hostsOfClients,
  readMirrors,
} from '../../../../src/adapters/bubblewrap/egress/package-clients.ts';
import { renderAllowed } from '../../../../src/domain/sandbox/sandbox-hosts.ts';
import { temporaryFolder } from '../../../hosts/cli/temporary-folder.ts';

const SETTINGS = `<settings>
  <!-- <mirror><id>old</id><url>http://commented.example/</url></mirror> -->
  <mirrors>
    <mirror><id>company</id><mirrorOf>*</mirrorOf><url>https://user:word@maven.example:8443/all</url></mirror>
    <mirror><id>blocker</id><mirrorOf>external:http:*</mirrorOf><url>http://0.0.0.0/</url><blocked>true</blocked></mirror>
  </mirrors>
</settings>`;

/** Programs that answer as npm, pip and Go do, and record their folder, its files and their environment. */
function fakeClients(): { env: Record<string, string>; told: string } {
  const folder = temporaryFolder({ 'home/.m2/settings.xml': SETTINGS });
  const told = path.join(folder, 'told');
  mkdirSync(path.join(folder, 'bin'));
  const answers = {
    npm: JSON.stringify({
      registry: 'https://npm.example/',
      '@team:registry': 'http://team.example:4873/',
      '//npm.example/:_authToken': 'canary',
      cache: '/root/.npm',
    }),
    pip: `  -i, --index-url <url>  Base URL of the Python Package Index (default https://user:word@pip.example/simple). This
global.extra-index-url='file:///opt/simple https://more.example/simple'`,
    go: JSON.stringify({ GOPROXY: 'https://user:word@go.example|direct', GOSUMDB: 'sum.example' }),
  };
  for (const [name, text] of Object.entries(answers))
    writeFileSync(
      path.join(folder, 'bin', name),
      `#!/bin/sh\n{ pwd; ls -A; env; } >> ${told}\ncat << 'END'\n${text}\nEND\n`,
      { mode: 0o755 },
    );
  return {
    told,
    env: {
      PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin`,
      HOME: path.join(folder, 'home'),
      PRIVATE_KEY: 'canary',
      NPM_TOKEN: 'canary',
      npm_config__authToken: 'canary',
      npm_config_userconfig: '/etc/own.npmrc',
    },
  };
}

test('hosts are those of npm with its scopes, pip, Go and Maven, each with its client', async () => {
  const clients = await askPackageClients(fakeClients().env);
  const hosts = hostsOfClients(clients);
  expect(hosts.map((each) => `${each.source} ${renderAllowed(each)}`)).toEqual([
    'npm npm.example:443',
    'npm team.example:4873',
    'pip pip.example:443',
    'pip more.example:443',
    'go go.example:443',
    'go sum.example:443',
    'maven maven.example:8443',
  ]);
});

test('no credential of a client gets into a sandbox', async () => {
  const clients = await askPackageClients(fakeClients().env);
  const told = JSON.stringify([clientEnv(clients), homeFiles(clients)]);
  expect(told).not.toMatch(/canary|user:word/);
  for (const url of [
    'https://npm.example/',
    'http://team.example:4873/',
    'https://pip.example/simple',
    'https://go.example/|direct',
  ])
    expect(told).toContain(url);
});

test('clients are asked in an empty folder, and get nothing of the App but their own settings', async () => {
  const { env, told } = fakeClients();
  await askPackageClients(env);
  const text = readFileSync(told, 'utf8');
  expect(text).toMatch(/quorum-clients-\w+\npackage\.json\n/);
  expect(text).toContain('npm_config_userconfig=/etc/own.npmrc');
  expect(text).not.toContain('canary');
});

test('clients that are missing have no registries', async () => {
  const clients = await askPackageClients({ PATH: '/nowhere', HOME: '/nowhere' });
  expect(hostsOfClients(clients)).toEqual([]);
});

test('ignores mirrors in comments, and those that block', () => {
  expect(readMirrors(SETTINGS)).toEqual([
    { id: 'company', mirrorOf: '*', url: 'https://maven.example:8443/all' },
  ]);
});

test('settings of Maven are readable XML with the mirror and the proxy', async () => {
  const clients = await askPackageClients(fakeClients().env);
  const files = homeFiles(clients);
  const xml = Object.entries(files).find(([name]) => name.endsWith('settings.xml'))?.[1] ?? '';
  expect(readMirrors(xml)).toEqual(clients.maven);
  expect(xml).toContain('<host>127.0.0.1</host>');
});
