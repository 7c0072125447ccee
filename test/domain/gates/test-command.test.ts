/** Commands by the files of a repository. */
import { describe, expect, test } from 'vitest';
import { findTestCommand } from '../../../src/domain/gates/test-command.ts';

/** A base of files with these texts. */
const base = (texts: Record<string, string>) => ({ paths: Object.keys(texts), texts });
const NODE = JSON.stringify({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '1' } });

describe('the commands of', () => {
  test.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    [
      'npm',
      { 'package.json': NODE, 'package-lock.json': '' },
      'npm ci --ignore-scripts --no-audit --no-fund',
      'npm test',
    ],
    [
      'pnpm',
      { 'package.json': NODE, 'pnpm-lock.yaml': '' },
      'pnpm install --frozen-lockfile --ignore-scripts',
      'pnpm test',
    ],
    [
      'yarn',
      { 'package.json': NODE, 'yarn.lock': '' },
      'yarn install --frozen-lockfile --ignore-scripts',
      'yarn test',
    ],
    [
      'yarn 2',
      { 'package.json': NODE, 'yarn.lock': '', '.yarnrc.yml': '' },
      'yarn install --immutable --mode=skip-build',
      'yarn test',
    ],
    [
      'bun',
      { 'package.json': NODE, 'bun.lock': '' },
      'bun install --frozen-lockfile --ignore-scripts',
      'bun run test',
    ],
    [
      'a package without a lockfile',
      { 'package.json': NODE },
      'npm install --ignore-scripts --no-package-lock --no-audit --no-fund',
      'npm test',
    ],
    [
      'a package that needs nothing',
      { 'package.json': '{"scripts":{"test":"node --test"}}' },
      undefined,
      'npm test',
    ],
    [
      'uv',
      { 'pyproject.toml': '[tool.pytest.ini_options]', 'uv.lock': '' },
      'uv sync --frozen',
      'uv run python -m pytest',
    ],
    [
      'pytest by its fixtures',
      { 'tests/conftest.py': '', 'poetry.lock': '', 'pyproject.toml': '' },
      'poetry install --no-interaction',
      'poetry run python -m pytest',
    ],
    ['unittest', { 'test_a.py': '' }, undefined, 'python3 -m unittest discover'],
    ['go', { 'go.mod': '' }, 'go mod download', 'go test -v ./...'],
    ['cargo', { 'Cargo.toml': '', 'Cargo.lock': '' }, 'cargo fetch --locked', 'cargo test'],
    ['maven', { 'pom.xml': '' }, 'mvn -B dependency:go-offline', 'mvn -B test'],
    ['rspec', { Gemfile: "gem 'rspec'" }, 'bundle install', 'bundle exec rspec'],
  ])('%s', (_, texts, ...commands) => {
    const { install, test: command } = findTestCommand(base(texts));
    expect([install, command]).toEqual(commands);
  });
});

describe('no test command is found in', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['documents', { 'README.md': '' }],
    [
      'what npm init writes',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    ],
    ['a package without the script', { 'package.json': '{}', 'package-lock.json': '' }],
    ['a manifest that cannot be read', { 'package.json': '{' }],
    ['a Python project without tests', { 'pyproject.toml': '' }],
    ['a Gemfile without rspec', { Gemfile: '' }],
    ['manifests below the top', { 'examples/package.json': NODE, 'tools/go.mod': '' }],
  ])('%s', (_, texts) => {
    expect(findTestCommand(base(texts)).test).toBeUndefined();
  });
});

test('a Python project gets an environment that git leaves out', () => {
  const found = findTestCommand(base({ 'requirements.txt': 'pytest\n', 'tests/test_a.py': '' }));
  expect(found.install).toContain('.venv/.gitignore && .venv/bin/pip install -r requirements.txt');
  expect(found.install).not.toContain('--system-site-packages');
  expect(found.test).toBe('.venv/bin/python -m pytest');
});

test('a Python project that asks for nothing itself takes the pytest that is there, or installs it', () => {
  const { install } = findTestCommand(base({ 'pytest.ini': '' }));
  expect(install).toMatch(/^python3 -m venv \.venv --system-site-packages && /);
  expect(install).toContain("-c 'import pytest' 2>/dev/null || .venv/bin/pip install pytest");
});

test('a package needs an install for what it runs with as well', () => {
  const manifest = JSON.stringify({ scripts: { test: 'node --test' }, dependencies: { a: '1' } });
  expect(findTestCommand(base({ 'package.json': manifest })).install).toMatch(/^npm install /);
});

test('what was installed may be moved, unless the install is configured', () => {
  const python = base({ 'pytest.ini': '' });
  expect(findTestCommand(python).move).toContain('.venv');
  expect(findTestCommand(python, { testCommand: 'make check' }).move).toContain('.venv');
  expect(findTestCommand(python, { initCommand: 'make deps' })).not.toHaveProperty('move');
});

test('what is configured wins', () => {
  const configured = { testCommand: 'make check', initCommand: 'make deps' };
  expect(findTestCommand(base({ 'package.json': NODE }), configured)).toEqual({
    type: 'node',
    install: 'make deps',
    test: 'make check',
  });
  expect(findTestCommand(base({}), { testCommand: 'make check' })).toEqual({
    type: 'other',
    install: undefined,
    test: 'make check',
  });
});

describe('what makes a project', () => {
  test.each([
    'pyproject.toml',
    'setup.py',
    'setup.cfg',
    'requirements.txt',
    'Pipfile',
    'tox.ini',
    'pytest.ini',
  ])('%s makes it Python', (file) => {
    const found = findTestCommand(base({ [file]: '', 'test_a.py': '' }), {});
    expect(found).toMatchObject({ type: 'python' });
    expect(findTestCommand(base({ [file]: '' }), {})).toMatchObject({ type: 'python' });
  });

  test.each([
    ['pyproject.toml', '-e .'],
    ['setup.py', '-e .'],
    ['requirements.txt', '-r requirements.txt'],
    ['requirements-dev.txt', '-r requirements-dev.txt'],
  ])('%s is installed with %s', (file, what) => {
    const { install } = findTestCommand(base({ [file]: '', 'test_a.py': '' }), {});
    expect(install).toContain(`.venv/bin/pip install ${what}`);
    expect(install).toMatch(/^python3 -m venv \.venv && printf /);
  });

  test.each([
    ['pnpm-lock.yaml', 'pnpm test'],
    ['bun.lock', 'bun run test'],
    ['bun.lockb', 'bun run test'],
    ['package-lock.json', 'npm test'],
    ['npm-shrinkwrap.json', 'npm test'],
  ])('%s makes the command %s', (file, command) => {
    const found = findTestCommand(base({ 'package.json': NODE, [file]: '' }), {});
    expect(found.test).toBe(command);
    expect(found.install).toMatch(/(?:--frozen-lockfile|^npm ci) --ignore-scripts/);
  });

  test('what npm writes for a project without tests is no test', () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    const found = findTestCommand(base({ 'package.json': JSON.stringify({ scripts }) }), {});
    expect(found.test).toBeUndefined();
  });
});

test('a package whose dependencies are empty needs nothing, and nothing of it moves', () => {
  const empty = JSON.stringify({
    scripts: { test: 'node --test' },
    dependencies: {},
    devDependencies: {},
  });
  expect(findTestCommand(base({ 'package.json': empty }))).toStrictEqual({
    type: 'node',
    install: undefined,
    test: 'npm test',
  });
});
