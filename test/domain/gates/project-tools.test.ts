/** What an installation depends on, and where its downloads are found again. */
import { expect, test } from 'vitest';
import { isManifest, onlyFetches, toolEnv } from '../../../src/domain/gates/project-tools.ts';
import { PROJECT_TYPES } from '../../../src/domain/gates/test-command.ts';

test.each(['package.json', 'packages/a/package-lock.json', 'go.sum', '.npmrc', 'setup.py'])(
  '%s may change what is installed',
  (path) => expect(isManifest(path)).toBe(true),
);

test.each([
  '.cargo/config.toml',
  'requirements-dev.txt',
  'sub/Gemfile.lock',
  '.yarn/releases/y.cjs',
])('%s may as well', (path) => expect(isManifest(path)).toBe(true));

test.each(['src/package.ts', 'docs/go.md', 'my-setup.py', 'test/cli.test.ts'])(
  '%s may not',
  (path) => expect(isManifest(path)).toBe(false),
);

test('every download is kept below the folder that was given, or in the project', () => {
  const all = PROJECT_TYPES.flatMap((type) => Object.values(toolEnv(type, '/given')));
  const places = all.filter((value) => value.includes('/'));
  expect(places.length).toBeGreaterThan(8);
  for (const place of places) expect(place).toMatch(/^(?:-Dmaven.repo.local=)?\/given\/|^vendor\//);
});

test.each([
  ['npm ci --ignore-scripts --no-audit --no-fund', true],
  ['npm install --ignore-scripts --no-package-lock --no-audit --no-fund', true],
  ['go mod download', true],
  ['cargo fetch --locked', true],
  ['npm ci', false],
  ['npm ci --ignore-scripts && ./build.sh', false],
  ['pnpm install --frozen-lockfile --ignore-scripts', false],
  ['.venv/bin/pip install -r requirements.txt', false],
  ['bundle install', false],
])('%s only fetches: %s', (install, is) => {
  expect(onlyFetches(install, ['package.json', 'src/.npmrc.md'])).toBe(is);
});

test.each(['.npmrc', 'sub/.npmrc', '.cargo/config.toml', 'bunfig.toml'])(
  'with %s nobody knows what is fetched from where',
  (path) => {
    expect(onlyFetches('npm ci --ignore-scripts', ['a', path])).toBe(false);
  },
);
