/** Which files a yes to a task's text is good for. */
import { expect, test } from 'vitest';
import { approvedPaths, isForPeople, isHook } from '../../../src/domain/gates/protected-paths.ts';
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
