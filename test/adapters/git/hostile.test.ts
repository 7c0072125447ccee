/** Folders that somebody wrote in who wanted out: nothing of theirs is run, and nothing outside is read or written. */
import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Worktree } from '../../../src/ports/git.ts';
import { AUTHOR, AT, commitIn, openIn } from '../../contract/git.ts';
import { verifies } from '../../verifies.ts';
import { openEmulatedGit, type EmulatedGit } from './world.ts';

const run = promisify(execFile);
const MB = 1_000_000;
let world: EmulatedGit;
beforeAll(async () => {
  world = await openEmulatedGit();
});
afterAll(() => world.close());

const at = (worktree: Worktree, path: string): string => join(worktree.folder, path);
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A repository in a folder that would leave a mark if any program of its settings were run. */
async function trap(folder: string, mark: string): Promise<void> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.test', ...args], { cwd: folder });
  await mkdir(folder, { recursive: true });
  await git('init', '-q', '.');
  await writeFile(join(folder, 'inner.txt'), 'inner\n');
  await git('add', 'inner.txt');
  await git('commit', '-q', '-m', 'inner');
  for (const key of [
    'core.fsmonitor',
    'filter.trap.clean',
    'filter.trap.smudge',
    'core.sshCommand',
    'diff.trap.command',
    'diff.trap.textconv',
  ])
    await git('config', key, `touch ${mark}; cat`);
  for (const hook of [
    'pre-commit',
    'post-checkout',
    'post-index-change',
    'pre-push',
    'reference-transaction',
  ]) {
    await mkdir(join(folder, '.git/hooks'), { recursive: true });
    await writeFile(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${mark}\n`);
    await chmod(join(folder, '.git/hooks', hook), 0o755);
  }
}

describe('a hostile folder', () => {
  verifies(
    [
      'EXE-06: git hooks and configuration',
      'EXE-06: core.fsmonitor',
      'EXE-06: filter of .gitattributes',
    ],
    'with its own repository in place of Quorum’s is read through Quorum’s alone',
    async () => {
      const worktree = await openIn(world);
      const mark = join(world.folder, 'mark-own');
      await rm(at(worktree, '.git'));
      await trap(worktree.folder, mark);
      await writeFile(at(worktree, '.gitattributes'), '* filter=trap diff=trap\n');
      const patch = await worktree.patch({ maxBytes: MB });
      expect(patch.files.map(({ path }) => path)).toEqual(['.gitattributes', 'inner.txt']);
      const sha = await commitIn(worktree);
      const facts = await worktree.facts();
      expect(facts).toMatchObject({ headSha: sha, isDirty: false });
      expect(facts.commits).toHaveLength(1);
      expect(
        await world.git.push(world.ref, { sha, branch: facts.branch, expected: undefined }),
      ).toBe('pushed');
      await worktree.close();
      expect(await isThere(mark)).toBe(false);
    },
  );

  verifies(
    'EXE-06: submodule',
    'with repositories inside has their files, and neither their data nor a submodule',
    async () => {
      const worktree = await openIn(world);
      const mark = join(world.folder, 'mark-inner');
      await trap(at(worktree, 'nested/deep'), mark);
      await mkdir(at(worktree, 'pointed'));
      await writeFile(at(worktree, 'pointed/.git'), `gitdir: ${world.folder}/mirrors\n`);
      await writeFile(at(worktree, 'pointed/x.txt'), 'x\n');
      await mkdir(at(worktree, 'other/.GIT'), { recursive: true });
      await writeFile(at(worktree, 'other/.GIT/config'), 'x');
      const { files } = await worktree.patch({ maxBytes: MB });
      expect(files.map(({ path, mode }) => [path, mode])).toEqual([
        ['nested/deep/inner.txt', '100644'],
        ['pointed/x.txt', '100644'],
      ]);
      await commitIn(worktree);
      expect((await worktree.facts()).isDirty).toBe(false);
      expect(await isThere(mark)).toBe(false);
    },
  );

  verifies(
    'EXE-06: link that leads out',
    'with links out of it shows the links, and not what they lead to',
    async () => {
      const worktree = await openIn(world);
      const outside = join(world.folder, 'outside');
      await mkdir(outside);
      await writeFile(join(outside, 'a.ts'), 'what stands outside\n');
      await rm(at(worktree, 'src'), { recursive: true });
      await symlink(outside, at(worktree, 'src'));
      await symlink('/etc/passwd', at(worktree, 'passwd'));
      await symlink('nowhere', at(worktree, 'dangling'));
      const patch = await worktree.patch({ maxBytes: MB });
      expect(patch.files.map(({ path, change, mode }) => [path, change, mode])).toEqual([
        ['dangling', 'added', '120000'],
        ['passwd', 'added', '120000'],
        ['src', 'added', '120000'],
        ['src/a.ts', 'deleted', undefined],
      ]);
      expect(patch.text).not.toContain('what stands outside');
      await commitIn(worktree);
      await worktree.close();
      expect(await readdir(outside)).toEqual(['a.ts']);
    },
  );

  test('with pipes in the place of files is read to its end', async () => {
    const worktree = await openIn(world);
    await rm(at(worktree, 'src/a.ts'));
    for (const path of ['src/a.ts', 'src/.gitignore', 'src/.gitattributes', 'pipe'])
      await run('mkfifo', [at(worktree, path)]);
    await writeFile(at(worktree, 'src/b.ts'), 'b\n');
    const { files } = await worktree.patch({ maxBytes: MB });
    expect(files.map(({ path, change }) => [path, change])).toEqual([
      ['src/a.ts', 'deleted'],
      ['src/b.ts', 'added'],
    ]);
  });

  test('with names of any bytes has them in its patch, which goes on elsewhere', async () => {
    const worktree = await openIn(world);
    const names = [
      'a\nb',
      'quo"te',
      "it's",
      '-rf',
      ':!x',
      ':(top)y',
      '*',
      '[z]',
      'back\\slash',
      ' lead',
      'trail ',
      'tab\t',
      '#x',
      '!y',
      'ünï',
      '\u{1F600}',
    ];
    for (const name of names) await writeFile(at(worktree, name), `${name}\n`);
    const odd = Buffer.concat([
      Buffer.from(`${worktree.folder}/`),
      Buffer.from([0x66, 0xff, 0xfe]),
    ]);
    await writeFile(odd, Buffer.from([0xe4, 0x0a]));
    const { files, text } = await worktree.patch({ maxBytes: MB });
    expect(new Set(files.map(({ path }) => path))).toEqual(new Set([...names, 'f\ufffd\ufffd']));
    const other = await openIn(world);
    expect(await other.apply(text)).toEqual({ outcome: 'applied' });
    const there = await other.patch({ maxBytes: MB });
    expect(there.text).toBe(text);
    expect(await commitIn(other)).toBe(await commitIn(worktree));
  });

  verifies(
    'GIT-12',
    'with a file larger than GitHub takes is reported without reading the file',
    async () => {
      const worktree = await openIn(world);
      await writeFile(at(worktree, 'huge'), '');
      await truncate(at(worktree, 'huge'), 40_000 * MB);
      const patch = await worktree.patch({ maxBytes: MB });
      expect(patch).toMatchObject({
        text: '',
        isTooLarge: true,
        files: [{ path: 'huge', bytes: 40_000 * MB }],
      });
      expect((await worktree.facts()).isDirty).toBe(true);
      await expect(commitIn(worktree)).rejects.toMatchObject({ code: 'git-refused' });
      await worktree.close();
    },
  );

  verifies(
    [
      'EXE-06: git hooks and configuration',
      'EXE-06: core.fsmonitor',
      'EXE-06: filter of .gitattributes',
    ],
    'with settings written into our own repository changes nothing',
    async () => {
      const worktree = await openIn(world);
      const mark = join(world.folder, 'mark-mirror');
      const hooks = join(world.folder, 'hooks');
      await mkdir(hooks);
      for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction'])
        await writeFile(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
      const traps = `[core]\n\tfsmonitor = touch ${mark}\n\thooksPath = ${hooks}\n[filter "trap"]\n\tclean = touch ${mark}; cat\n\trequired = true\n`;
      await writeFile(join(worktree.gitDir, 'config'), traps);
      await mkdir(join(worktree.gitDir, 'info'), { recursive: true });
      await writeFile(join(worktree.gitDir, 'info/attributes'), '* filter=trap\n');
      await writeFile(at(worktree, '.gitattributes'), '* filter=trap\n');
      await writeFile(at(worktree, 'src/a.ts'), 'changed\n');
      const { files } = await worktree.patch({ maxBytes: MB });
      expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'src/a.ts']);
      await commitIn(worktree);
      expect(await isThere(mark)).toBe(false);
    },
  );

  test('that may not be entered is removed', async () => {
    const worktree = await openIn(world);
    await mkdir(at(worktree, 'closed/inner'), { recursive: true });
    await chmod(at(worktree, 'closed/inner'), 0o000);
    await chmod(at(worktree, 'closed'), 0o500);
    await worktree.close();
    expect(await isThere(worktree.folder)).toBe(false);
  });
});

const patchOf = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+out\n`;

describe('a hostile patch', () => {
  verifies(
    [
      'EXE-06: parent path',
      'EXE-06: absolute path',
      'EXE-06: link that leads out',
      'EXE-06: git hooks and configuration',
    ],
    'reaches nothing outside of the folder and no git data',
    async () => {
      const worktree = await openIn(world);
      const outside = join(world.folder, 'reached');
      await mkdir(outside);
      const before = await worktree.patch({ maxBytes: MB });
      for (const path of [
        '../reached/x',
        'src/../../reached/x',
        `${outside}/x`,
        '.git/hooks/pre-commit',
        '.GIT/x',
        'sub/.git/x',
        'git~1/x',
      ])
        expect(await worktree.apply(patchOf(path))).toMatchObject({ outcome: 'refused' });
      const link = `diff --git a/out b/out\nnew file mode 120000\n--- /dev/null\n+++ b/out\n@@ -0,0 +1 @@\n+${outside}\n\\ No newline at end of file\n`;
      expect(await worktree.apply(link + patchOf('out/x'))).toMatchObject({ outcome: 'refused' });
      expect(await worktree.patch({ maxBytes: MB })).toEqual(before);
      await worktree.apply(link);
      expect(await worktree.apply(patchOf('out/x'))).toMatchObject({ outcome: 'refused' });
      expect(await readdir(outside)).toEqual([]);
    },
  );
});

describe('what a crash left', () => {
  test('as half a worktree, or one with a lock, is thrown away at the next opening', async () => {
    const wanted = {
      name: 'crashed',
      branch: 'quorum/task-9-1-crashed',
      sha: world.baseSha,
      limitMb: 200,
    };
    const first = await world.git.open(world.ref, wanted);
    await writeFile(join(first.gitDir, 'worktrees/crashed/index.lock'), '');
    await writeFile(join(first.gitDir, 'worktrees/crashed/HEAD.lock'), '');
    const second = await world.another().open(world.ref, wanted);
    expect((await second.facts()).isDirty).toBe(false);
    await rm(join(first.gitDir, 'worktrees/crashed'), { recursive: true });
    expect((await world.git.worktrees()).find(({ name }) => name === 'crashed')).toMatchObject({
      branch: '',
    });
    const third = await world.git.open(world.ref, wanted);
    await rm(third.folder, { recursive: true });
    const fourth = await world.git.open(world.ref, wanted);
    expect((await fourth.facts()).branch).toBe(wanted.branch);
  });

  test('as an old lock on a reference is removed, a fresh one is not', async () => {
    const worktree = await openIn(world);
    const { branch } = await worktree.facts();
    const lock = join(worktree.gitDir, 'refs/heads', `${branch}.lock`);
    const fresh = join(worktree.gitDir, 'packed-refs.lock');
    await writeFile(lock, '');
    await writeFile(fresh, '');
    await utimes(lock, 1, 1);
    await world.git.remoteHead(world.ref, 'main');
    expect(await isThere(lock)).toBe(false);
    expect(await isThere(fresh)).toBe(true);
    await rm(fresh);
  });
});

verifies(
  ['EXE-01: git credentials and configuration', 'SEC-04: in no file'],
  'the token is in no file, whatever was done',
  async () => {
    const { stdout } = await run('grep', ['-rlaF', '-e', world.authorization, world.folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
    const config = await readFile(
      join(world.folder, 'mirrors', `${world.ref.repositoryId}.git`, 'config'),
      'utf8',
    );
    expect(config).not.toContain('http');
  },
);

test('an author with line ends writes no second line into a commit', async () => {
  const worktree = await openIn(world);
  await writeFile(at(worktree, 'src/a.ts'), 'x\n');
  await worktree.commit({ message: 'x', at: AT, author: { ...AUTHOR, name: 'Maya\nparent 0' } });
  const { commits } = await worktree.facts();
  expect(commits).toHaveLength(1);
  expect(commits[0]?.parents).toEqual([world.baseSha]);
});
