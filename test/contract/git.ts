/**
 * Git on this machine against a remote: worktrees that only Quorum uses, and pushes that move only the expected head.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, symlink, writeFile, chmod, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RepositoryRef } from '../../src/domain/run/thread-ref.ts';
import type { Git, Worktree } from '../../src/ports/git.ts';
import { verifies } from '../verifies.ts';

export interface GitWorld {
  git: Git;
  ref: RepositoryRef;
  /** Tip of the default branch, `main`: README.md, src/a.ts (three lines), run.sh, .gitignore with `ignored/`. */
  baseSha: string;
  /** Where mirrors, worktrees and locks are. */
  folder: string;
  /** Another process on the same folder. */
  another(): Git;
  /** Commits to a branch of the remote, from its tip or the base, and says what is there then. */
  commitThere(branch: string, files: Record<string, string>): Promise<string>;
  /** The next push has its effect and its answer is lost. */
  losePushAnswer(): void;
  /** Everything that is sent fails until it is undone. */
  cutLine(): () => void;
}

const run = promisify(execFile);
export const AUTHOR = { name: 'Maya', email: 'maya@agents.example' };
export const AT = Date.parse('2026-11-05T10:00:00Z');
const KEY = 'a'.repeat(32);
let count = 0;

/** A worktree with a name and branch of its own. */
export function openIn(world: GitWorld, over: Partial<{ sha: string; limitMb: number }> = {}) {
  count += 1;
  return world.git.open(world.ref, {
    name: `wt-${count}`,
    branch: `quorum/task-7-${count}-x`,
    sha: world.baseSha,
    limitMb: 200,
    ...over,
  });
}

export function commitIn(worktree: Worktree, message = 'task(1): change') {
  return worktree.commit({ message, author: AUTHOR, at: AT });
}

/** The tree that a commit of the worktree's mirror has. */
export async function treeOf(worktree: Worktree, sha: string): Promise<string> {
  const { stdout } = await run('git', ['--git-dir', worktree.gitDir, 'rev-parse', `${sha}^{tree}`]);
  return stdout.trim();
}

export function describeGit(server: string, make: () => Promise<GitWorld>): void {
  describe(`git: ${server}`, () => {
    let world: GitWorld;
    beforeAll(async () => {
      world = await make();
    });

    test('a worktree holds the files of the commit, on its own branch', async () => {
      const worktree = await openIn(world);
      expect(await readFile(join(worktree.folder, 'src/a.ts'), 'utf8')).toBe('one\ntwo\nthree\n');
      const facts = await worktree.facts();
      expect(facts).toMatchObject({
        headSha: world.baseSha,
        baseSha: world.baseSha,
        isDescended: true,
        commits: [],
        files: [],
        isDirty: false,
      });
      expect(facts.branch).toMatch(/^quorum\/task-7-/);
      expect(await worktree.patch({ maxBytes: 1e6 })).toEqual({
        text: '',
        isTooLarge: false,
        files: [],
      });
    });

    test('a patch names each kind of change, and leaves out what is ignored', async () => {
      const worktree = await openIn(world);
      const at = (path: string) => join(worktree.folder, path);
      await writeFile(at('src/a.ts'), 'one\nTWO\nthree\nfour\n');
      await writeFile(at('new.bin'), Buffer.from([0, 1, 2, 255]));
      await rm(at('README.md'));
      await chmod(at('run.sh'), 0o755);
      await mkdir(at('ignored'));
      await writeFile(at('ignored/x'), 'x');
      const { files, text, isTooLarge } = await worktree.patch({ maxBytes: 1e6 });
      expect(isTooLarge).toBe(false);
      expect(text).toContain('GIT binary patch');
      expect(files).toEqual([
        {
          path: 'README.md',
          change: 'deleted',
          mode: undefined,
          added: 0,
          removed: 1,
          isBinary: false,
          bytes: 0,
        },
        {
          path: 'new.bin',
          change: 'added',
          mode: '100644',
          added: 0,
          removed: 0,
          isBinary: true,
          bytes: 4,
        },
        {
          path: 'run.sh',
          change: 'modified',
          mode: '100755',
          added: 0,
          removed: 0,
          isBinary: false,
          bytes: 10,
        },
        {
          path: 'src/a.ts',
          change: 'modified',
          mode: '100644',
          added: 2,
          removed: 1,
          isBinary: false,
          bytes: 19,
        },
      ]);
      expect((await worktree.facts()).isDirty).toBe(true);
    });

    test('lists a renamed file with its old path', async () => {
      const worktree = await openIn(world);
      await writeFile(join(worktree.folder, 'src/b.ts'), 'one\ntwo\nthree\n');
      await rm(join(worktree.folder, 'src/a.ts'));
      const { files } = await worktree.patch({ maxBytes: 1e6 });
      expect(files).toMatchObject([{ path: 'src/b.ts', from: 'src/a.ts', change: 'renamed' }]);
    });

    test('a patch larger than allowed has files and no text', async () => {
      const worktree = await openIn(world);
      await writeFile(join(worktree.folder, 'long.txt'), 'line\n'.repeat(1000));
      const patch = await worktree.patch({ maxBytes: 1000 });
      expect(patch).toMatchObject({ text: '', isTooLarge: true, files: [{ path: 'long.txt' }] });
    });

    test('a patch goes on where it was made for, and nowhere else', async () => {
      const one = await openIn(world);
      await writeFile(join(one.folder, 'src/a.ts'), 'one\nTWO\nthree\n');
      await symlink('a.ts', join(one.folder, 'src/link'));
      const { text } = await one.patch({ maxBytes: 1e6 });
      const two = await openIn(world);
      expect(await two.apply(text)).toEqual({ outcome: 'applied' });
      expect(await readFile(join(two.folder, 'src/a.ts'), 'utf8')).toBe('one\nTWO\nthree\n');
      expect((await lstat(join(two.folder, 'src/link'))).isSymbolicLink()).toBe(true);
      expect(await two.apply(text)).toMatchObject({ outcome: 'refused' });
      expect((await two.patch({ maxBytes: 1e6 })).text).toBe(text);
      expect(await two.apply('no patch at all')).toMatchObject({ outcome: 'refused' });
      expect(await two.apply('')).toEqual({ outcome: 'applied' });
    });

    test('the same change gives the same commit, and a second commit of nothing gives none', async () => {
      const shas: string[] = [];
      for (const worktree of [await openIn(world), await openIn(world)]) {
        await writeFile(join(worktree.folder, 'src/a.ts'), 'other\n');
        shas.push(await commitIn(worktree));
        expect(await commitIn(worktree, 'again')).toBe(shas.at(-1));
        expect(await worktree.facts()).toMatchObject({
          headSha: shas[0],
          isDescended: true,
          isDirty: false,
          files: [{ path: 'src/a.ts', change: 'modified' }],
          commits: [
            {
              sha: shas[0],
              parents: [world.baseSha],
              authorName: AUTHOR.name,
              authorEmail: AUTHOR.email,
              message: 'task(1): change\n',
            },
          ],
        });
      }
      expect(shas[0]).toBe(shas[1]);
    });

    test('a push makes the branch, is found again, and moves it only from where it was expected', async () => {
      const worktree = await openIn(world);
      const { branch } = await worktree.facts();
      await writeFile(join(worktree.folder, 'src/a.ts'), 'first\n');
      const first = await commitIn(worktree);
      expect(await world.git.remoteHead(world.ref, branch)).toBeUndefined();
      const wanted = { sha: first, branch, expected: undefined };
      expect(await world.git.push(world.ref, wanted)).toBe('pushed');
      expect(await world.git.remoteHead(world.ref, branch)).toBe(first);
      expect(await world.git.push(world.ref, wanted)).toBe('was-there');
      await writeFile(join(worktree.folder, 'src/a.ts'), 'second\n');
      const second = await commitIn(worktree);
      expect(await world.git.push(world.ref, { ...wanted, sha: second })).toBe('moved');
      expect(
        await world.git.push(world.ref, { sha: second, branch, expected: world.baseSha }),
      ).toBe('moved');
      expect(await world.git.remoteHead(world.ref, branch)).toBe(first);
      expect(await world.git.push(world.ref, { sha: second, branch, expected: first })).toBe(
        'pushed',
      );
      const theirs = await world.commitThere(branch, { 'x.txt': 'x' });
      expect(await world.git.push(world.ref, { sha: first, branch, expected: second })).toBe(
        'moved',
      );
      expect(await world.git.remoteHead(world.ref, branch)).toBe(theirs);
    });

    test('a push of which the answer was lost is found again', async () => {
      const worktree = await openIn(world);
      const { branch } = await worktree.facts();
      await writeFile(join(worktree.folder, 'src/a.ts'), 'lost\n');
      const sha = await commitIn(worktree);
      world.losePushAnswer();
      expect(await world.git.push(world.ref, { sha, branch, expected: undefined })).toBe(
        'was-there',
      );
      await worktree.close();
      const again = await openIn(world);
      await writeFile(join(again.folder, 'src/a.ts'), 'lost\n');
      expect(await commitIn(again)).toBe(sha);
      expect(await world.git.push(world.ref, { sha, branch, expected: undefined })).toBe(
        'was-there',
      );
    });

    test('without a line to the remote the error may pass, and nothing was changed', async () => {
      const worktree = await openIn(world);
      await writeFile(join(worktree.folder, 'src/a.ts'), 'cut\n');
      const sha = await commitIn(worktree);
      const restore = world.cutLine();
      const { branch } = await worktree.facts();
      const error = { code: 'git-unreachable', retryable: true };
      await expect(
        world.git.push(world.ref, { sha, branch, expected: undefined }),
      ).rejects.toMatchObject(error);
      await expect(world.git.remoteHead(world.ref, 'main')).rejects.toMatchObject(error);
      await expect(openIn(world, { sha: 'f'.repeat(40) })).rejects.toMatchObject(error);
      restore();
      expect(await world.git.remoteHead(world.ref, 'main')).toBe(world.baseSha);
    });

    test('a commit that the remote does not have is refused', async () => {
      await expect(openIn(world, { sha: 'e'.repeat(40) })).rejects.toMatchObject({
        code: 'git-no-commit',
      });
      await expect(openIn(world, { sha: '--upload-pack=x' })).rejects.toMatchObject({
        code: 'git-refused',
      });
    });

    test('names that could be options, paths or patterns are refused', async () => {
      const wanted = { name: 'ok', branch: 'ok', sha: world.baseSha, limitMb: 200 };
      for (const name of ['', '..', '../x', 'a/b', '-x', '.git', 'a..b', 'x.lock', 'a\nb'])
        await expect(world.git.open(world.ref, { ...wanted, name })).rejects.toMatchObject({
          code: 'git-refused',
        });
      for (const branch of ['', '-x', 'a..b', 'a b', 'x.lock', 'a*', 'a\nb', '/a', 'a@{1}'])
        await expect(world.git.open(world.ref, { ...wanted, branch })).rejects.toMatchObject({
          code: 'git-refused',
        });
      await expect(world.git.remoteHead(world.ref, 'ma*')).rejects.toMatchObject({
        code: 'git-refused',
      });
      await expect(world.git.remove('../mirrors')).rejects.toMatchObject({ code: 'git-refused' });
    });

    test('reports a merge as its tree, or as the paths that are in conflict', async () => {
      const worktree = await openIn(world);
      await writeFile(join(worktree.folder, 'src/a.ts'), 'one\ntwo\nTHREE\n');
      const head = await commitIn(worktree);
      const other = await world.commitThere('beside', { 'README.md': '# Other\n' });
      const clean = await world.git.merge(world.ref, { base: other, head });
      expect(clean).toMatchObject({
        outcome: 'clean',
        tree: expect.stringMatching(/^[0-9a-f]{40}$/),
      });
      const against = await world.commitThere('against', { 'src/a.ts': 'one\ntwo\n3\n' });
      expect(await world.git.merge(world.ref, { base: against, head })).toEqual({
        outcome: 'conflict',
        paths: ['src/a.ts'],
      });
    });

    test('worktrees are listed, and their folders are gone after the close, the commits not', async () => {
      const worktree = await openIn(world);
      const { branch } = await worktree.facts();
      const name = worktree.folder.split('/').at(-1);
      const listed = await world.git.worktrees();
      expect(listed.find((each) => each.name === name)).toMatchObject({
        branch,
        folder: worktree.folder,
      });
      await writeFile(join(worktree.folder, 'src/a.ts'), 'kept\n');
      const sha = await commitIn(worktree);
      await worktree.close();
      await worktree.close();
      await expect(stat(worktree.folder)).rejects.toThrow('ENOENT');
      expect((await world.git.worktrees()).map((each) => each.name)).not.toContain(name);
      expect(await world.git.push(world.ref, { sha, branch, expected: undefined })).toBe('pushed');
    });

    verifies(
      'CB-5',
      'what was installed is copied to others of the same key, is no change, and cannot be changed for others',
      async () => {
        const made = await openIn(world);
        await mkdir(join(made.folder, 'src/needs/deep'), { recursive: true });
        await writeFile(join(made.folder, 'src/needs/deep/a b'), 'needed');
        await symlink('deep/a b', join(made.folder, 'src/needs/link'));
        await writeFile(join(made.folder, 'lock#1'), 'x');
        await made.leaveOut(KEY);
        const other = await openIn(world);
        expect(await other.fill(KEY)).toEqual({ madeIn: made.folder });
        const needed = join(other.folder, 'src/needs/link');
        expect([await readFile(needed, 'utf8'), (await lstat(needed)).isSymbolicLink()]).toEqual([
          'needed',
          true,
        ]);
        for (const worktree of [made, other])
          expect((await worktree.patch({ maxBytes: 1e6 })).files).toEqual([]);
        await writeFile(needed, 'changed');
        await writeFile(join(other.folder, 'own'), '');
        expect((await other.patch({ maxBytes: 1e6 })).files).toMatchObject([{ path: 'own' }]);
        const third = await openIn(world);
        await third.fill(KEY);
        expect(await readFile(join(third.folder, 'src/needs/link'), 'utf8')).toBe('needed');
        expect(await third.fill('0'.repeat(32))).toBeUndefined();
      },
    );

    verifies(
      ['CB-5', 'EXE-06'],
      'what was installed is never written over a file or through a link',
      async () => {
        const outside = join((await openIn(world)).folder, 'src');
        for (const thing of ['file', 'link', 'parent'] as const) {
          const worktree = await openIn(world);
          const needs = join(worktree.folder, 'src/needs');
          if (thing === 'file') await writeFile(needs, 'mine');
          if (thing === 'link') await symlink(outside, needs);
          if (thing === 'parent') {
            await rm(join(worktree.folder, 'src'), { recursive: true });
            await symlink(outside, join(worktree.folder, 'src'));
          }
          expect(await worktree.fill(KEY)).toBeUndefined();
        }
        expect(await readFile(join(outside, 'a.ts'), 'utf8')).toBe('one\ntwo\nthree\n');
        await expect(stat(join(outside, 'needs'))).rejects.toThrow('ENOENT');
      },
    );

    test('keeps nothing beyond the disk limit, and copies nothing where nothing is kept', async () => {
      const made = await openIn(world, { limitMb: 1 });
      await writeFile(join(made.folder, 'large'), Buffer.alloc(3e6));
      await made.leaveOut('1'.repeat(32));
      expect(await made.fill('1'.repeat(32))).toBeUndefined();
    });

    test('no worktree is made beyond the limit of the disk', async () => {
      await expect(openIn(world, { limitMb: 0 })).rejects.toMatchObject({
        code: 'disk-full',
        message: expect.stringContaining('over the limit of 0 MB'),
      });
    });

    test('shows a branch’s changes since it left the base, wherever the base is now', async () => {
      const worktree = await openIn(world);
      await writeFile(join(worktree.folder, 'one.md'), 'one\n');
      await commitIn(worktree);
      await writeFile(join(worktree.folder, 'two.md'), 'two\n');
      const head = await commitIn(worktree, 'task(1): more');
      const moved = await world.commitThere('main', { 'three.md': 'three\n' });
      await world.git.read(world.ref, moved);
      const { history } = await world.git.read(world.ref, head);
      const text = (await history?.ahead(moved)) ?? '';
      expect(text.match(/^\+\w+$/gm)).toEqual(['+one', '+two']);
    });

    test('many worktrees of one repository are made and used at once, by two processes', async () => {
      const made = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const git = index % 2 === 0 ? world.git : world.another();
          const worktree = await git.open(world.ref, {
            name: `many-${index}`,
            branch: `quorum/task-8-${index}-many`,
            sha: world.baseSha,
            limitMb: 200,
          });
          await writeFile(join(worktree.folder, 'mine'), String(index));
          return { git, worktree, sha: await commitIn(worktree) };
        }),
      );
      const pushed = await Promise.all(
        made.map(async ({ git, worktree, sha }) =>
          git.push(world.ref, {
            sha,
            branch: (await worktree.facts()).branch,
            expected: undefined,
          }),
        ),
      );
      expect(pushed).toEqual(Array(6).fill('pushed'));
    });

    test('what a process left that was killed while it made a worktree is removed', async () => {
      const { gitDir } = await openIn(world);
      const torn = join(gitDir, 'worktrees', 'killed');
      await mkdir(torn);
      await writeFile(join(torn, 'HEAD'), `${world.baseSha}\n`);
      await writeFile(join(torn, 'commondir'), '');
      await (await openIn(world)).close();
      await expect(stat(torn)).rejects.toThrow('ENOENT');
    });
  });
}
