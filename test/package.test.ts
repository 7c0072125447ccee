/**
 * What leaves this repository: the tarball has what its README and its help mention, and no example
 * names a host that others own.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readAllHelp } from './helpers/all-help.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Scripts are left out: they would build, and what is built is not linked to. */
function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const env = { ...process.env, npm_config_cache: path.join(ROOT, 'node_modules/.cache/npm') };
  const said: unknown = JSON.parse(
    execFileSync('npm', args, {
      cwd: ROOT,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return [...JSON.stringify(said).matchAll(/"path":"([^"]+)"/g)].map(([, file = '']) => file);
}

const PACKED = packedFiles();

function linksIn(file: string): string[] {
  const text = read(file).replaceAll(/```[\s\S]*?```/g, '');
  const links = [
    ...text.matchAll(/\]\(([^()\s]+)\)/g),
    ...text.matchAll(/(?:src|srcset|href)="([^"\s]+)"/g),
  ];
  return links
    .map(([, link = '']) => link.split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .map((link) => path.join(path.dirname(file), link));
}

/** A link to a folder is kept when something in it is. */
function isPacked(link: string): boolean {
  return (
    PACKED.includes(link) || PACKED.some((file) => file.startsWith(`${link.replace(/\/$/, '')}/`))
  );
}

test('the tarball has every file that the README links to, and those that its documents link to', () => {
  expect(linksIn('README.md').length).toBeGreaterThan(15);
  const documents = PACKED.filter((file) => /^docs\/[^/]+\.md$/.test(file));
  expect(documents.length).toBeGreaterThan(15);
  const missing = ['README.md', ...documents].flatMap((file) =>
    linksIn(file)
      .filter((link) => !isPacked(link))
      .map((link) => `${file}: ${link}`),
  );
  expect(missing).toEqual([]);
});

test('the tarball has every document that --help and messages of the product name', async () => {
  const texts = [await readAllHelp(), ...sources('src/hosts'), ...sources('src/adapters')].join(
    '\n',
  );
  const named = new Set(texts.match(/\bdocs\/[\w/-]+\.md\b/g));
  expect([...named]).toEqual(
    expect.arrayContaining(['docs/configuration.md', 'docs/install-app.md']),
  );
  expect([...named].filter((file) => !isPacked(file))).toEqual([]);
});

test('no secret, no data and no test is in the tarball', () => {
  expect(
    PACKED.filter((file) => /^(?:test|src|node_modules|\.quorum(?:-data)?|\.ci)\//.test(file)),
  ).toEqual([]);
  expect(PACKED.filter((file) => /(?:^|\/)\.env$|\.pem$|\.db$/.test(file))).toEqual([]);
});

test('the tarball has the memory of the PM and the Artist that repositories begin with', () => {
  expect(PACKED).toEqual(expect.arrayContaining(['memory/pm.md', 'memory/artist.md']));
});

function sources(under: string): string[] {
  return filesBelow(under).map(read);
}

function filesBelow(under: string): string[] {
  return readdirSync(path.join(ROOT, under), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(under, name))
    .filter((file) => /\.(?:ts|md|ya?ml|json|conf|service)$/.test(file));
}

/** Of packages and images; put together, so that this file names none itself. */
const REGISTRIES = [
  ['registry', 'npmjs.org'],
  ['registry', 'yarnpkg.com'],
  ['pypi', 'org'],
  ['files', 'pythonhosted.org'],
  ['crates', 'io'],
  ['rubygems', 'org'],
  ['repo', 'maven.apache.org'],
  ['proxy', 'golang.org'],
  ['ghcr', 'io'],
  ['docker', 'io'],
  ['gcr', 'io'],
  ['quay', 'io'],
].map((parts) => parts.join('.'));

/** A rule's list of what is well known works on these names. */
const KNOWS_THEM = new Set(['src/rules/change/rules/lockfile-rules.ts']);

test('rules, tests and documents name example hosts, never a package registry', () => {
  const files = ['src', 'test', 'docs', 'personas', 'packaging', '.changeset', '.github'].flatMap(
    filesBelow,
  );
  const naming = ['README.md', '.env.example', 'Dockerfile', 'compose.yaml', ...files]
    .filter((file) => !KNOWS_THEM.has(file) && !file.startsWith('test/fixtures/github-openapi/'))
    .flatMap((file) => {
      const text = read(file);
      return REGISTRIES.filter((host) => isNamed(text, host)).map((host) => `${file}: ${host}`);
    });
  expect(naming).toEqual([]);
  for (const file of KNOWS_THEM)
    expect(REGISTRIES.some((host) => isNamed(read(file), host))).toBe(true);
});

/** As a host of its own: in an address, an image's name or a list. */
function isNamed(text: string, host: string): boolean {
  return new RegExp(`(?<![\\w.-])${host.replaceAll('.', '\\.')}(?![\\w.-]*\\w)`).test(text);
}
