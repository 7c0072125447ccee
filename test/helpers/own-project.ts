/** This project's own repository, as a project that a plan is about. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RealProject } from './a-real-project.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const NEAREST = 'src/domain/text/nearest.ts';
const CODE = readFileSync(path.join(ROOT, NEAREST), 'utf8');

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Why a plan cannot be carried out on it here: no history to take, or nowhere to install from. */
function whyNot(): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0 || stdout.trim() !== 'false') return 'no checkout with its history';
  const asked = spawnSync('npm', ['view', 'vitest', 'name', '--fetch-retries=1'], { cwd: ROOT });
  return asked.status === 0 ? undefined : 'no package registry';
}

/** Takes the commit that is checked out into another repository; its history comes with it. */
export function takeOwnHead(gitDir: string): string {
  const head = git('rev-parse', 'HEAD');
  git('--git-dir', gitDir, 'fetch', '--quiet', ROOT, 'HEAD');
  return head;
}

const MORE_TESTS = `import { expect, test } from 'vitest';
import { nearest } from '../../../src/domain/text/nearest.ts';

test('a swap of two letters is one slip', () => {
  expect(nearest('mrege', ['merge', 'model'])).toBe('merge');
});
`;

export const OWN_PROJECT: Omit<RealProject, 'files'> = {
  title: 'a clone of this repository',
  missing: whyNot(),
  good: { 'test/domain/text/nearest-swaps.test.ts': MORE_TESTS },
  bad: {
    path: NEAREST,
    from: CODE,
    to: CODE.replace('best = candidate;', 'best = word;'),
  },
  says: {
    good: '`npx vitest run test/domain/text/nearest` ended with 0: 12 passed, 0 failed',
    bad: '`npx vitest run test/domain/text/nearest` ended with 1: ',
  },
};
