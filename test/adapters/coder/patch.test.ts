/** The coder without a model: the task's own diff, whole or not at all, and nothing outside the folder. */
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createPatchCoder } from '../../../src/adapters/coder/patch-coder.ts';
import { systemClock, systemRandom } from '../../../src/adapters/system/system-clock.ts';
import type { CoderOutcome } from '../../../src/domain/task/coder-task.ts';
import { gitFolder } from '../../hosts/cli/git-folder.ts';
import { temporaryFolder } from '../../hosts/cli/temporary-folder.ts';
import { verifies } from '../../verifies.ts';
import { aTask } from './a-task.ts';

const coder = createPatchCoder({ clock: systemClock, random: systemRandom });

function apply(
  folder: string,
  diff: string | undefined,
  signal = new AbortController().signal,
): Promise<CoderOutcome> {
  return coder.run(aTask({ diff }), { folder, gitDir: path.join(folder, '.git') }, signal);
}

const CHANGE = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@
-one
+two
+three
`;

function addition(file: string, mode = '100644', line = 'x'): string {
  return `diff --git a/${file} b/${file}
new file mode ${mode}
--- /dev/null
+++ b/${file}
@@ -0,0 +1 @@
+${line}
`;
}

verifies('CB-6', 'a task that carries its change is done without a model, at no cost', async () => {
  const { dir, git } = gitFolder({ 'a.txt': 'one\n' });
  const outcome = await apply(dir, CHANGE + addition('b/c.txt'));
  expect(outcome).toMatchObject({
    outcome: 'done',
    summary: 'Applied the change that the task carries: 2 files, +3 −1.',
    calls: [],
    turns: 0,
    transcript: '',
  });
  expect(readFileSync(path.join(dir, 'a.txt'), 'utf8')).toBe('two\nthree\n');
  expect(readFileSync(path.join(dir, 'b/c.txt'), 'utf8')).toBe('x\n');
  expect(git('diff', '--cached', '--name-only')).toBe('');
});

test('a diff without its last line end, as a code fence in Markdown leaves it, is applied', async () => {
  const folder = temporaryFolder({ 'a.txt': 'one\n' });
  expect(await apply(folder, CHANGE.trimEnd())).toMatchObject({ outcome: 'done' });
});

test('what does not fit changes nothing, and git says which line', async () => {
  const { dir } = gitFolder({ 'a.txt': 'another\n' });
  const outcome = await apply(dir, addition('b.txt') + CHANGE);
  expect(outcome).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('patch failed: a.txt:1'),
  });
  expect(existsSync(path.join(dir, 'b.txt'))).toBe(false);
});

test.each([
  ['no diff', undefined, /carries no change/],
  ['an empty diff', ' \n', /carries no change/],
  ['prose', 'Please change it.\n', /cannot be read/],
  ['a hunk that is cut short', CHANGE.slice(0, -8), /cannot be read/],
  ['a file twice as large as allowed', addition('a', '100644', 'x'.repeat(2_000_000)), /at most/],
])('%s is refused with the reason', async (_, diff, reason) => {
  const outcome = await apply(temporaryFolder({ 'a.txt': 'one\n' }), diff);
  expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(reason) });
});

const BINARY = `diff --git a/b.bin b/b.bin
new file mode 100644
index 0000000..1111111
GIT binary patch
literal 100000000
zcmV

`;

verifies(
  [
    'EXE-06: parent path',
    'EXE-06: absolute path',
    'EXE-06: link that leads out',
    'EXE-06: git hooks and configuration',
    'EXE-06: submodule',
  ],
  'no diff reaches out of the folder, into git’s data or through a link',
  async () => {
    const outside = temporaryFolder({ 'a.txt': 'one\n' });
    const { dir } = gitFolder({ 'a.txt': 'one\n', 'sub/a.txt': 'one\n' });
    symlinkSync(outside, path.join(dir, 'out'));
    symlinkSync(path.join(outside, 'a.txt'), path.join(dir, 'link.txt'));
    const submodule = addition('module', '160000', `Subproject commit ${'a'.repeat(40)}`);
    const rename =
      'diff --git a/a.txt b/.git/x\nsimilarity index 100%\nrename from a.txt\nrename to .git/x\n';
    const diffs = [
      addition('../x.txt'),
      addition('sub/../../x.txt'),
      addition('/tmp/quorum-x.txt'),
      `--- /dev/null\n+++ ${outside}/x.txt\n@@ -0,0 +1 @@\n+x\n`,
      addition('.git/hooks/pre-commit', '100755'),
      addition('.GIT/config'),
      addition('sub/.git'),
      addition('out/x.txt'),
      CHANGE.replaceAll('a.txt', 'out/a.txt'),
      CHANGE.replaceAll('a.txt', 'link.txt'),
      addition('new-link', '120000', outside),
      addition('new-link', '120000', outside) + addition('new-link/x.txt'),
      submodule,
      rename,
      BINARY,
    ];
    for (const diff of diffs)
      expect([diff, await apply(dir, diff)]).toEqual([
        diff,
        expect.objectContaining({ outcome: 'failed' }),
      ]);
    expect(readFileSync(path.join(outside, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(path.join(outside, 'x.txt'))).toBe(false);
    expect(existsSync(path.join(dir, '..', 'x.txt'))).toBe(false);
    expect(existsSync(path.join(dir, '.git', 'hooks', 'pre-commit'))).toBe(false);
    expect(lstatSync(path.join(dir, 'new-link'), { throwIfNoEntry: false })).toBeUndefined();
    expect(lstatSync(path.join(dir, 'link.txt')).isSymbolicLink()).toBe(true);
  },
);

verifies(
  ['EXE-06: filter of .gitattributes', 'EXE-06: core.fsmonitor'],
  'settings and filters that the repository brings are not used',
  async () => {
    const { dir, git } = gitFolder({ 'a.txt': 'one\n', '.gitattributes': '*.txt filter=evil\n' });
    git('config', 'filter.evil.smudge', 'touch ran; cat');
    git('config', 'core.fsmonitor', 'touch ran');
    expect(await apply(dir, CHANGE)).toMatchObject({ outcome: 'done' });
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
  },
);

test('changes nothing when stopped before it began', async () => {
  const folder = temporaryFolder({ 'a.txt': 'one\n' });
  expect(await apply(folder, CHANGE, AbortSignal.abort())).toMatchObject({ outcome: 'cancelled' });
  expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('one\n');
});
