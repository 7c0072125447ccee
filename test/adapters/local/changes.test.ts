/** What would be reviewed here: working trees, ranges and diffs that were handed in, on real git repositories. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLocalChanges } from '../../../src/adapters/local/local-changes.ts';

const run = promisify(execFile);
const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

interface Sandbox {
  dir: string;
  git(...args: string[]): Promise<string>;
  write(path: string, content: string | Buffer): Promise<void>;
}

async function openDir(): Promise<Sandbox> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-local-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return {
    dir,
    git: async (...args) => (await run('git', args, { cwd: dir, env: ENV })).stdout.trim(),
    write: (path, content) => writeFile(join(dir, path), content),
  };
}

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');

async function openRepository(): Promise<Sandbox> {
  const at = await openDir();
  await at.git('init', '-q', '-b', 'main');
  await at.write('a.txt', LINES);
  await at.write('b.txt', LINES.replaceAll('line', 'other'));
  await at.write('.gitignore', 'ignored.txt\n');
  await at.git('add', '-A');
  await at.git('commit', '-q', '-m', 'first');
  return at;
}

describe('a working tree', () => {
  test('shows what changed, staged or not, and files that git does not know yet', async () => {
    const at = await openRepository();
    const headSha = await at.git('rev-parse', 'HEAD');
    await at.write('a.txt', `${LINES}more\n`);
    await at.write('staged.txt', 's\n');
    await at.git('add', 'staged.txt');
    await at.write('new file.txt', 'n\n');
    await at.write('ignored.txt', 'i\n');
    const before = await readFile(join(at.dir, '.git/index'));
    const changes = await openLocalChanges({ dir: at.dir });
    expect(changes).toMatchObject({
      files: ['a.txt', 'new file.txt', 'staged.txt'],
      leftOut: [],
      isCut: false,
      baseSha: headSha,
      headSha: undefined,
    });
    expect(changes.diff).toContain('+more\n');
    expect(changes.diff).toContain('new file mode 100644\n');
    expect(await readFile(join(at.dir, '.git/index'))).toEqual(before);
    expect(await at.git('status', '--porcelain')).toBe(
      ['M a.txt', 'A  staged.txt', '?? "new file.txt"'].join('\n'),
    );
  });

  test('of a branch is compared with where it left the default branch', async () => {
    const at = await openRepository();
    const forkSha = await at.git('rev-parse', 'HEAD');
    await at.git('switch', '-q', '-c', 'feature');
    await at.write('a.txt', `${LINES}committed\n`);
    await at.git('commit', '-q', '-am', 'second');
    await at.git('switch', '-q', 'main');
    await at.write('b.txt', 'elsewhere\n');
    await at.git('commit', '-q', '-am', 'third');
    await at.git('switch', '-q', 'feature');
    await at.write('c.txt', 'not committed\n');
    const changes = await openLocalChanges({ dir: at.dir });
    expect([changes.baseSha, changes.files]).toEqual([forkSha, ['a.txt', 'c.txt']]);
    const own = await openLocalChanges({ dir: at.dir, base: 'HEAD' });
    expect(own.files).toEqual(['c.txt']);
  });

  test('has renames, modes, binaries and deletions as git shows them', async () => {
    const at = await openRepository();
    await rename(join(at.dir, 'b.txt'), join(at.dir, 'ö "x".txt'));
    await chmod(join(at.dir, 'a.txt'), 0o755);
    await at.write('logo.bin', Buffer.from([0, 1, 2]));
    const { diff, files } = await openLocalChanges({ dir: at.dir });
    expect(files).toEqual(['a.txt', 'logo.bin', 'ö "x".txt']);
    expect(diff).toContain('rename from b.txt\nrename to "ö \\"x\\".txt"\n');
    expect(diff).toContain('old mode 100644\nnew mode 100755\n');
    expect(diff).toContain('Binary files /dev/null and b/logo.bin differ\n');
  });

  test('without a commit, without a change, and without a repository', async () => {
    const fresh = await openDir();
    await fresh.git('init', '-q');
    await fresh.write('a.txt', 'a\n');
    const first = await openLocalChanges({ dir: fresh.dir });
    expect([first.baseSha, first.files]).toEqual([undefined, ['a.txt']]);
    const clean = await openLocalChanges({ dir: (await openRepository()).dir });
    expect([clean.diff, clean.files, clean.isCut]).toEqual(['', [], false]);
    const { dir } = await openDir();
    await expect(openLocalChanges({ dir })).rejects.toMatchObject({ code: 'no-repository' });
    const missing = openLocalChanges({ dir: join(dir, 'missing') });
    await expect(missing).rejects.toMatchObject({ code: 'no-repository' });
  });

  test('runs no program that the repository’s configuration names', async () => {
    const at = await openRepository();
    const trap = join(at.dir, 'ran');
    await at.git('config', 'diff.external', `touch ${trap} #`);
    await at.git('config', 'core.fsmonitor', `touch ${trap} #`);
    await at.git('config', 'diff.t.textconv', `touch ${trap} #`);
    await at.git('config', 'diff.noprefix', 'true');
    await at.write('.gitattributes', '*.txt diff=t\n');
    await at.write('a.txt', `${LINES}more\n`);
    const { diff, files } = await openLocalChanges({ dir: at.dir });
    expect(files).toEqual(['.gitattributes', 'a.txt']);
    expect(diff).toContain('diff --git a/a.txt b/a.txt\n');
    await expect(readFile(trap)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a range', () => {
  test('leaves out what is not committed', async () => {
    const at = await openRepository();
    await at.git('switch', '-q', '-c', 'feature');
    await at.write('a.txt', `${LINES}committed\n`);
    await at.git('commit', '-q', '-am', 'second');
    await at.write('a.txt', `${LINES}dirty\n`);
    const changes = await openLocalChanges({ dir: at.dir, base: 'main', head: 'feature' });
    expect(changes.headSha).toBe(await at.git('rev-parse', 'feature'));
    expect(changes.diff).toContain('+committed\n');
    expect(changes.diff).not.toContain('dirty');
  });

  test.each(['nowhere', '--output=x', ''])('refuses %j, which names no commit', async (ref) => {
    const at = await openRepository();
    const read = openLocalChanges({ dir: at.dir, base: ref });
    await expect(read).rejects.toMatchObject({ code: 'no-ref' });
  });
});

describe('a diff that was handed in', () => {
  const PLAIN = ['--- a/x.txt', '+++ b/x.txt', '@@ -1,2 +1 @@', ' a', '--- b', ''].join('\n');

  test('needs no repository', async () => {
    const { dir } = await openDir();
    const second = PLAIN.replaceAll('x.txt', 'y.txt');
    const changes = await openLocalChanges({ dir, diffText: PLAIN + second });
    expect(changes).toEqual({
      diff: PLAIN + second,
      files: ['x.txt', 'y.txt'],
      leftOut: [],
      isCut: false,
      root: undefined,
      baseSha: undefined,
      headSha: undefined,
    });
  });

  test('of any size keeps what is small, names what is left out, and comes in pieces', async () => {
    const { dir } = await openDir();
    const part = (name: string, body: string): string =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1,${body.split('\n').length - 1} @@\n${body}`;
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(part('first.txt', '+1\n').slice(0, 20));
      yield Buffer.from(part('first.txt', '+1\n').slice(20));
      yield Buffer.from(
        'diff --git a/big.txt b/big.txt\n--- a/big.txt\n+++ b/big.txt\n@@ -0,0 +1 @@\n+',
      );
      // One line of 100 MB.
      const chunk = Buffer.alloc(1_000_000, 'x');
      for (let count = 0; count < 100; count += 1) yield chunk;
      yield Buffer.from(`\n${part('last.txt', '+2\n')}`);
    }
    const changes = await openLocalChanges({ dir, diffText: pieces() });
    expect(changes).toMatchObject({
      files: ['first.txt', 'big.txt', 'last.txt'],
      leftOut: ['big.txt'],
      isCut: true,
    });
    expect(changes.diff).toBe(part('first.txt', '+1\n') + part('last.txt', '+2\n'));
  });

  test('with more than fits in all names every file that is left out', async () => {
    const { dir } = await openDir();
    const diffText = ['a', 'b', 'c']
      .map((name) => `diff --git a/${name} b/${name}\n${'+x\n'.repeat(30)}`)
      .join('');
    const limits = { fileBytes: 1000, totalBytes: 250 };
    const changes = await openLocalChanges({ dir, diffText, limits });
    expect([changes.files, changes.leftOut]).toEqual([['a', 'b', 'c'], ['c']]);
  });

  test.each(['', 'no diff at all\n'])('that is not a diff (%j) names no file', async (diffText) => {
    const { dir } = await openDir();
    const changes = await openLocalChanges({ dir, diffText });
    expect([changes.diff, changes.files]).toEqual([diffText, []]);
  });
});
