/** The contract on the embedded GitHub's smart HTTP, and what a server says that does not know better yet. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGit } from '../../../src/adapters/git/create-git.ts';
import { createGitHub } from '../../../src/adapters/github/create-github.ts';
import { systemClock, systemRandom } from '../../../src/adapters/system/system-clock.ts';
import { describeGit } from '../../contract/git.ts';
import { verifies } from '../../verifies.ts';
import { openEmulatedGit, type EmulatedGit } from './world.ts';

const open: EmulatedGit[] = [];
afterAll(async () => {
  for (const world of open) await world.close();
});

async function make(): Promise<EmulatedGit> {
  const world = await openEmulatedGit();
  open.push(world);
  return world;
}

describeGit('the emulator', make);

describe('a remote that refuses', () => {
  test('is asked once more before it is believed, and a token that it does not know is forgotten', async () => {
    const { emulator, ref, folder, authorization } = await make();
    const url = `${emulator.url}/acme/widgets.git`;
    let forgotten = 0;
    const forget = (): void => void (forgotten += 1);
    const remoteOf = () => Promise.resolve({ url, authorization, forget });
    const git = createGit({ folder, remoteOf, clock: systemClock });
    for (const status of [401, 403, 404]) {
      emulator.faults.add({ path: /info\/refs$/, fault: { kind: 'status', status } });
      await expect(git.remoteHead(ref, 'main')).rejects.toMatchObject({
        code: 'git-refused',
        isEventuallyConsistent: true,
      });
    }
    expect(forgotten).toBe(1);
    expect(await git.remoteHead(ref, 'main')).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe('a repository that is renamed', () => {
  test('is redirected under its old name, which git does not follow, and is asked for once more', async () => {
    const { emulator, git, ref } = await make();
    expect(await git.remoteHead(ref, 'main')).toMatch(/^[0-9a-f]{40}$/);
    emulator.renameRepository('acme/widgets', 'gadgets');
    await expect(git.remoteHead(ref, 'main')).rejects.toMatchObject({
      code: 'git-refused',
      isEventuallyConsistent: true,
      message: expect.stringContaining('301') as string,
    });
    expect(emulator.requests.at(-1)).toMatchObject({ route: 'git', status: 301 });
  });
});

/** The name goes to another repository after it was looked up: what git is then told leads to that one. */
describe('a name that another repository takes just before git uses it', () => {
  verifies('ING-12', 'gives no commit and takes none', async () => {
    const { emulator, ref, folder, app, baseSha } = await make();
    const github = createGitHub({
      auth: { kind: 'app', ...app },
      baseUrl: emulator.apiUrl,
      markerSecret: 'for a test',
      clock: systemClock,
      random: systemRandom,
    });
    const former = await github.remote(ref);
    const git = createGit({ folder, remoteOf: () => github.remote(ref), clock: systemClock });
    await git.read(ref, baseSha);
    emulator.renameRepository('acme/widgets', 'gadgets');
    const files = { 'README.md': '# Another one\n' };
    const other = await emulator.createRepository({ owner: 'acme', name: 'widgets', files });
    const late = createGit({ folder, remoteOf: () => Promise.resolve(former), clock: systemClock });
    await expect(late.read(ref, 'c'.repeat(40))).rejects.toMatchObject({ code: 'git-no-commit' });
    const push = late.push(ref, { sha: baseSha, branch: 'quorum/one', expected: undefined });
    await expect(push).rejects.toMatchObject({ code: 'git-refused' });
    const args = ['--git-dir', other.gitDir, 'for-each-ref', '--format=%(refname)'];
    expect(execFileSync('git', args).toString().trim()).toBe('refs/heads/main');
    expect(await git.push(ref, { sha: baseSha, branch: 'quorum/one', expected: undefined })).toBe(
      'pushed',
    );
  });
});

describe('a branch that is behind workflow files of the default branch', () => {
  test('is refused, in words that name the file and what to do', async () => {
    const world = await make();
    const file = '.github/workflows/ci.yml';
    const { git, ref } = world;
    const before = await world.commitThere('main', { [file]: 'on: push\n' });
    await world.commitThere('main', { [file]: 'on: pull_request\n' });
    const wanted = { name: 'behind', branch: 'quorum/behind', sha: before, limitMb: 500 };
    const worktree = await git.open(ref, wanted);
    await writeFile(join(worktree.folder, 'b.txt'), 'b\n');
    const author = { name: 'q', email: 'q@example.test' };
    const sha = await worktree.commit({ message: 'more\n', author, at: 0 });
    const pushed = git.push(ref, { sha, branch: 'quorum/behind', expected: undefined });
    await expect(pushed).rejects.toMatchObject({
      code: 'workflows-refused',
      isEventuallyConsistent: false,
      message: expect.stringContaining(`\`${file}\` differs from the base branch`) as string,
    });
    await worktree.close();
  });
});

describe('a branch that takes only commits with verified signatures', () => {
  test('refuses those that git makes here, in words that say what to do', async () => {
    const { git, ref, emulator, baseSha } = await make();
    const rules = { checks: [], isStrict: false, hasQueue: false, mustSign: true };
    emulator.repository('acme/widgets').rules = new Map([['~ALL', { ...rules, from: 'ruleset' }]]);
    const wanted = { name: 'unsigned', branch: 'quorum/unsigned', sha: baseSha, limitMb: 500 };
    const worktree = await git.open(ref, wanted);
    await writeFile(join(worktree.folder, 'b.txt'), 'b\n');
    const author = { name: 'q', email: 'q@example.test' };
    const sha = await worktree.commit({ message: 'more\n', author, at: 0 });
    const pushed = git.push(ref, { sha, branch: 'quorum/unsigned', expected: undefined });
    await expect(pushed).rejects.toMatchObject({
      code: 'signatures-required',
      isEventuallyConsistent: false,
      message: expect.stringContaining('only commits with verified signatures') as string,
    });
    await worktree.close();
  });
});
