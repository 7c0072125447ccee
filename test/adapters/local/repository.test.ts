/** A directory in the place of GitHub. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { simpleGit } from 'simple-git';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  openLocalRepository,
  type LocalChange,
} from '../../../src/adapters/local/local-repository.ts';
import { parseMarker } from '../../../src/domain/github/marker.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';

const SECRET = ['local', 'tests'].join('-');
const ISSUE = { number: 3, title: 'Crash', body: 'It crashes.', labels: ['bug'] };

async function makeDir(files: Record<string, string | Buffer>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-local-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await putFiles(dir, files);
  return dir;
}

async function putFiles(dir: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
}

async function makeRepository(
  files: Record<string, string | Buffer>,
  messages: string[],
): Promise<string> {
  const dir = await makeDir(files);
  const git = simpleGit(dir);
  await git.raw(['init', '--quiet', '--initial-branch', 'trunk']);
  await git.raw(['config', 'user.name', 'Ada']);
  await git.raw(['config', 'user.email', 'ada@example.org']);
  for (const message of messages) {
    await git.raw(['add', '--all']);
    await git.raw(['commit', '--quiet', '--allow-empty', '-m', message]);
  }
  return dir;
}

async function open(dir: string) {
  const changes: LocalChange[] = [];
  const { github, thread } = await openLocalRepository({
    dir,
    clock: { now: () => Date.parse('2026-11-05T10:00:00Z'), sleep: () => Promise.resolve() },
    issue: ISSUE,
    markerSecret: SECRET,
    onWrite: (change) => changes.push(change),
  });
  return { changes, thread, github, session: github.at(thread) };
}

describe('a git repository', () => {
  const files = {
    'src/a.ts': 'one\n',
    'bin.dat': Buffer.from([0, 1]),
    '.gitignore': 'out/\n',
    'out/x': 'x',
  };

  test('shows what HEAD has, not what lies around', async () => {
    const dir = await makeRepository(files, ['first']);
    await putFiles(dir, { 'src/a.ts': 'changed\n', 'new.ts': 'new\n' });
    const { session, thread } = await open(dir);
    const facts = await session.read.repository(thread);
    expect(facts).toMatchObject({
      defaultBranch: 'trunk',
      fullName: expect.stringMatching(/^local\//),
    });
    expect(facts.headSha).toMatch(/^[0-9a-f]{40}$/);
    const { paths } = await session.read.paths(thread, facts.headSha, 100);
    expect(paths).toEqual(['.gitignore', 'bin.dat', 'src/a.ts']);
    const want = { paths: ['src/a.ts', 'bin.dat', 'new.ts', '../secret'], maxBytes: 100 };
    expect(await session.read.files(thread, facts.headSha, want)).toEqual([
      { path: 'src/a.ts', text: 'one\n', isCut: false },
    ]);
  });

  test('is named by its remote and read whole from one of its folders', async () => {
    const dir = await makeRepository(files, ['first']);
    await simpleGit(dir).raw(['remote', 'add', 'origin', 'git@github.com:acme/widgets.git']);
    const { session, thread } = await open(join(dir, 'src'));
    expect(thread).toMatchObject({ owner: 'acme', repo: 'widgets', number: 3 });
    expect((await session.read.paths(thread, 'any', 100)).paths).toContain('bin.dat');
  });

  test('a folder that it does not track is a directory of its own', async () => {
    const dir = await makeRepository(files, ['first']);
    const { session, thread } = await open(join(dir, 'out'));
    expect((await session.read.paths(thread, 'any', 100)).paths).toEqual(['x']);
  });

  test('tells past issues by the numbers in its messages', async () => {
    const messages = [
      'Speed up parsing (#4)',
      'Fix crash\n\nThe cursor was off.\n\nFixes #9',
      'Merge pull request #12 from ada/cache\n\nCache answers\n\nCloses #11',
      'Bump to 1.2.3, issue #77 is open',
      'Speed up parsing again (#4)',
    ];
    const { session, thread } = await open(await makeRepository(files, messages));
    const past = await session.read.pastIssues(thread, 10);
    expect(past.map((one) => [one.number, one.title])).toEqual([
      [4, 'Speed up parsing again'],
      [11, 'Cache answers'],
      [9, 'Fix crash'],
    ]);
    expect(await session.read.pastIssues(thread, 1)).toHaveLength(1);
  });

  test('tells the commits of a path and whether an agent made them', async () => {
    const dir = await makeRepository(files, ['first']);
    const { session, thread } = await open(dir);
    const byPerson = await session.history.commits(thread, { path: 'src/a.ts', sha: 'HEAD' });
    expect(byPerson.commits.map((commit) => commit.isByAgent)).toEqual([false]);
    const none = await session.history.commits(thread, { path: 'none', sha: 'HEAD' });
    expect(none).toEqual({ commits: [], isCut: false });
    await putFiles(dir, { 'src/a.ts': 'two\n' });
    await simpleGit(dir).raw([
      'commit',
      '-qam',
      'second',
      '--author',
      'x[bot] <1+x[bot]@users.noreply.github.com>',
    ]);
    const again = await open(dir);
    const byAgent = await again.session.history.commits(thread, {
      path: 'src/a.ts',
      sha: 'HEAD',
    });
    expect(byAgent.commits.map((commit) => commit.isByAgent)).toEqual([true, false]);
  });
});

describe('a directory without git', () => {
  test('shows its files but what is ignored, installed or a link', async () => {
    const dir = await makeDir({
      'a.ts': 'a\n',
      'sub/b.ts': 'b\n',
      'node_modules/x/index.js': 'x',
      '.gitignore': '*.log\n!keep.log\n',
      'noise.log': 'n',
      'keep.log': 'k',
    });
    await symlink('/etc/hostname', join(dir, 'link'));
    const { session, thread } = await open(dir);
    const { headSha } = await session.read.repository(thread);
    expect((await session.read.paths(thread, headSha, 100)).paths).toEqual([
      '.gitignore',
      'a.ts',
      'keep.log',
      'sub/b.ts',
    ]);
    expect(await session.read.paths(thread, headSha, 1)).toEqual({
      paths: ['.gitignore'],
      isCut: true,
    });
    const files = await session.read.files(thread, headSha, {
      paths: ['sub/b.ts', 'link'],
      maxBytes: 10,
    });
    expect(files.map((file) => file.text)).toEqual(['b\n']);
    expect(await session.read.pastIssues(thread, 5)).toEqual([]);
  });

  test('without any file is fine', async () => {
    const { session, thread } = await open(await makeDir({}));
    expect((await session.read.paths(thread, 'any', 5)).paths).toEqual([]);
  });
});

describe('the issue', () => {
  test('is the one that was given, by the one who works here', async () => {
    const { session, thread } = await open(await makeRepository({ a: 'a' }, ['first']));
    const issue = await session.read.issue(thread);
    expect(issue).toMatchObject({
      title: 'Crash',
      body: 'It crashes.',
      labels: ['bug'],
      authorPermission: 'admin',
      author: { login: 'Ada' },
    });
    expect(await session.read.permission(thread, issue.author)).toBe('admin');
    expect(await session.read.permission(thread, { id: 99, login: 'Ada' })).toBe('none');
    await expect(session.read.issue({ ...thread, number: 4 })).rejects.toMatchObject({
      code: 'github-not-found',
    });
  });

  test('tells each change once', async () => {
    const { session, thread, changes, github } = await open(await makeDir({ a: 'a' }));
    const { write, read } = session;
    const marker = { kind: 'run', run: 'r', key: 'k' } as const;
    for (const body of ['one', 'one', 'two']) await write.ensureComment(thread, { marker, body });
    for (let n = 0; n < 2; n += 1) {
      await write.ensureLabels(thread, {
        add: [{ name: 'ready', color: '', description: '' }],
        remove: ['bug', 'other'],
      });
      await write.ensureReaction(thread, { add: 'rocket', remove: 'eyes' });
      await write.ensureChecks({
        repository: thread,
        headSha: 's',
        checks: [{ name: 'c', conclusion: 'success', title: 't', summary: '' }],
      });
    }
    expect(await github.app.labelled(thread, ['ready'])).toHaveLength(1);
    expect([
      await write.ensureClosed(thread, 'completed'),
      await write.ensureClosed(thread, 'completed'),
    ]).toEqual(['closed', 'was-closed']);
    expect(
      changes.map((change) =>
        'outcome' in change ? `${change.kind} ${change.outcome}` : change.kind,
      ),
    ).toEqual(['comment created', 'comment edited', 'labels', 'reaction', 'check', 'closed']);
    const [comment] = await read.comments(thread, 10);
    expect(parseMarker(comment?.body ?? '', SECRET, threadKey(thread))).toEqual(marker);
    expect(comment).toMatchObject({ isOurs: true, body: expect.stringMatching(/^two\n/) });
    expect(await read.issue(thread)).toMatchObject({ state: 'closed', labels: ['ready'] });
    expect(await github.app.labelled(thread, ['ready'])).toEqual([]);
  });
});
