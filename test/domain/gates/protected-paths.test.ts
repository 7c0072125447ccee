/** Which files a yes to a task's text is good for. */
import { expect, test } from 'vitest';
import {
  approvedPaths,
  isForPeople,
  isHook,
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

test('a yes is good for files that are named one by one, and for no folders', () => {
  const named = ['.github/ISSUE_TEMPLATE/bug.yml', '.husky/pre-commit', 'infra/', 'src/a.ts'];
  expect(approvedPaths(named)).toEqual(named.filter((path) => path !== 'infra/'));
});

test('hooks are those at the root, whatever their case', () => {
  expect(['.husky/pre-push', '.Husky/x', 'lefthook.yml', '.gitmodules'].every(isHook)).toBe(true);
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
