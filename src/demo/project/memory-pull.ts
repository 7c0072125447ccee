/** The pull request that makes a mistake which the team has seen before. */
import type { NewPull } from './new-pulls.ts';

const ARCHIVE = `import { execFileSync, execSync } from 'node:child_process';

/** Names of the files in an archive. */
export function listArchive(file: string): string[] {
  return execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' }).trim().split('\\n');
}

/** Text of the first file in an archive. */
export function readArchive(file: string): string {
  return execSync(\`unzip -p \${file}\`).toString();
}
`;

const ARCHIVE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readArchive } from '../src/archive.ts';

test('says that an archive is not there', () => {
  assert.throws(() => readArchive('missing.zip'), /missing.zip/);
});
`;

export const MEMORY_PULL: NewPull = {
  kind: 'remembered',
  author: 'ben-okafor',
  branch: 'read-archives',
  title: 'Read the first file of a .zip archive',
  body: 'Partners send their tables as `.zip`. This reads the first file in one; the command line follows.\n',
  commits: [
    {
      message: 'feat: read archives',
      write: { 'src/archive.ts': ARCHIVE, 'test/archive.test.ts': ARCHIVE_TEST },
    },
  ],
  expected: {
    verdict: 'CHANGES',
    check: 'action_required',
    open: ['js-shell-command'],
    fixed: [],
    dismissed: [],
    comments: 1,
  },
};
