/** Which files the approval of a task's text covers. */
import { expect, test } from 'vitest';
import {
  approvedPaths,
  isForPeople,
  isHook,
  reachesForPeople,
  protectionBy,
} from '../../../src/domain/gates/protected-paths.ts';
import { verifies } from '../../verifies.ts';

verifies(
  'EXE-05',
  'no yes lets an agent change what GitHub runs, its own bounds or its team',
  () => {
    const never = [
      '.github/workflows/ci.yml',
      '.GitHub/Workflows/CI.yml',
      '.github/actions/x/action.yml',
      '.github/quorum.yml',
      '.github/quorum.yaml',
      '.github/quorum/personas/eve.md',
      'personas/maya.md',
      '.gitmodules',
      '.lfsconfig',
    ];
    expect(never.filter((path) => !isForPeople(path))).toEqual([]);
    expect(approvedPaths([...never, 'CODEOWNERS'])).toEqual(['CODEOWNERS']);
  },
);

test('approval covers files that are named one by one, and no folders', () => {
  const named = ['.github/ISSUE_TEMPLATE/bug.yml', '.husky/pre-commit', 'infra/', 'src/a.ts'];
  expect(approvedPaths(named)).toEqual(named.filter((path) => path !== 'infra/'));
});

test('a pattern is known to reach what only people change, by the file or by its folder', () => {
  for (const pattern of ['.github/quorum.yml', '.github/workflows', '/personas', '.gitmodules'])
    expect([pattern, reachesForPeople(pattern)]).toEqual([pattern, true]);
  for (const pattern of ['.github/workflows/**', '**/*.yml', 'personas/*'])
    expect([pattern, reachesForPeople(pattern)]).toEqual([pattern, true]);
  for (const pattern of ['docs/**', '.github/ISSUE_TEMPLATE/*', '.npmrc'])
    expect([pattern, reachesForPeople(pattern)]).toEqual([pattern, false]);
});

test('hooks are those at the root, whatever their case', () => {
  const hooks = [
    '.husky/pre-push',
    '.Husky/x',
    '.githooks/pre-commit',
    'lefthook.yml',
    'lefthook.yaml',
    '.lefthook.yml',
    '.lefthook.yaml',
    '.pre-commit-config.yaml',
    '.gitmodules',
    '.lfsconfig',
  ];
  expect(hooks.filter((path) => !isHook(path))).toEqual([]);
  expect(['docs/lefthook.yml', 'src/.husky.ts', 'husky/x'].some(isHook)).toBe(false);
});

verifies('EXE-05', 'a spelling that a file system takes for a protected name is protected', () => {
  const isProtected = protectionBy({ protected: ['Geheim/**'] });
  for (const path of [
    'agents.MD',
    'AGENTS.md.',
    'AGENTS.md ',
    'AGENTS.md::$DATA',
    'AGENTS~1.MD',
    '\uFF21GENTS.md',
    'AGENT\u017F.md',
    'AG\u200DENTS.md',
    '.github\\workflows\\ci.yml',
    '.gith\u200Cub/workflows/ci.yml',
    '.GITHUB./workflows/ci.yml',
    'geheim/x',
    `${'deep/'.repeat(101)}x`,
    'x'.repeat(5_000),
    '../x',
  ])
    expect([path, isProtected(path)]).toEqual([path, true]);
  for (const path of ['src/agents.ts', 'agents.md.ts', 'docs/AGENTS', 'a~b.ts', 'src/geheim/x'])
    expect([path, isProtected(path)]).toEqual([path, false]);
});
