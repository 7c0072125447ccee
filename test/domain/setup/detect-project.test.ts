import { describe, expect, test } from 'vitest';
import { detectProject } from '../../../src/domain/setup/detect-project.ts';

function detected(files: Readonly<Record<string, string>>) {
  return detectProject({ paths: Object.keys(files), texts: files });
}

const NODE = { 'package.json': '{"scripts":{"test":"vitest run"}}', 'package-lock.json': '{}' };

describe('what a repository is', () => {
  test('empty: documents and settings are no code', () => {
    const files = { 'README.md': '#', LICENSE: 'MIT', '.gitignore': '', '.github/x.yml': '' };
    expect(detected({})).toMatchObject({ isEmpty: true, types: [], test: undefined });
    expect(detected(files)).toMatchObject({ isEmpty: true, isMonorepo: false });
    expect(detected({ ...files, 'main.sh': '' }).isEmpty).toBe(false);
  });

  test('Node, with the tests that its lockfile tells how to run', () => {
    expect(detected(NODE)).toMatchObject({ types: ['node'], isMonorepo: false, test: 'npm test' });
  });

  test('Python', () => {
    const python = detected({
      'pyproject.toml': '[tool.pytest.ini_options]',
      'tests/test_a.py': '',
    });
    expect(python).toMatchObject({ types: ['python'], isMonorepo: false });
    expect(python.test).toContain('-m pytest');
  });

  test('Go', () => {
    expect(detected({ 'go.mod': 'module x', 'main.go': '' })).toMatchObject({
      types: ['go'],
      test: 'go test -v ./...',
    });
  });

  test('two languages in one repository: the one whose tests run comes first', () => {
    expect(detected({ ...NODE, 'go.mod': 'module x' }).types).toEqual(['node', 'go']);
  });
});

describe('a monorepo', () => {
  test.each([
    ['workspaces of npm', { 'package.json': '{"workspaces":["packages/*"]}' }],
    ['workspaces of pnpm', { 'package.json': '{}', 'pnpm-workspace.yaml': '' }],
    ['a workspace of Go', { 'go.work': 'go 1.24' }],
    ['a workspace of Cargo', { 'Cargo.toml': '[workspace]\nmembers = ["a"]' }],
    ['two folders with manifests', { 'web/package.json': '{}', 'api/go.mod': '' }],
  ])('by %s', (_, files) => expect(detected(files).isMonorepo).toBe(true));

  test('lists its packages, without fixtures, examples and what was copied in', () => {
    const { packages, types } = detected({
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/b/package.json': '{}',
      'packages/a/package.json': '{}',
      'services/api/go.mod': '',
      'packages/a/test/fixtures/x/package.json': '{}',
      'node_modules/left/package.json': '{}',
      'examples/small/package.json': '{}',
    });
    expect(packages).toEqual(['packages/a', 'packages/b', 'services/api']);
    expect(types).toEqual(['node', 'go']);
  });

  test('is not one folder with a manifest below the top', () => {
    expect(detected({ ...NODE, 'docs/site/package.json': '{}' }).isMonorepo).toBe(false);
  });

  test('a package.json that is no JSON is no reason to fail', () => {
    expect(detected({ 'package.json': '{' })).toMatchObject({ types: ['node'], isMonorepo: false });
  });
});
