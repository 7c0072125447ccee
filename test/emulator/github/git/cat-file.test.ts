/** Objects of a bare repository, read through one process. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBare, importHistory } from '../../../../src/emulator/github/git/bare.ts';
import {
  closeReaders,
  readContents,
  readInfo,
} from '../../../../src/emulator/github/git/cat-file.ts';

const AUTHOR = { name: 'Ana', email: 'ana@example.com', date: '2026-01-05T09:00:00Z' };
const LINES = 'one\n\ntwo missing\n';
const LARGE = Buffer.alloc(300_000, 'a line of text\n');

async function aRepository(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-objects-'));
  onTestFinished(async () => {
    await closeReaders(dir);
    await rm(dir, { recursive: true });
  });
  const gitDir = join(dir, '1.git');
  await createBare(gitDir, 'main');
  const files = { 'lines.txt': LINES, 'large.txt': LARGE, 'empty.txt': '' };
  await importHistory(gitDir, 'refs/heads/main', [{ message: 'feat: one', author: AUTHOR, files }]);
  return gitDir;
}

function git(gitDir: string, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' }).trim();
}

/** Bytes of a file on the branch. */
async function bytesOf(gitDir: string, file: string): Promise<string | undefined> {
  return (await readContents(gitDir, `main:${file}`))?.contents.toString();
}

test('questions of one moment are answered in their order, whatever the objects contain', async () => {
  const gitDir = await aRepository();
  const names = ['large.txt', 'absent.txt', 'empty.txt', 'lines.txt', 'large.txt'];
  const answers = await Promise.all(names.map((name) => bytesOf(gitDir, name)));
  expect(answers).toEqual([LARGE.toString(), undefined, '', LINES, LARGE.toString()]);
});

test('a ref is read as it is at that moment', async () => {
  const gitDir = await aRepository();
  const before = await readInfo(gitDir, 'refs/heads/main');
  expect(before).toMatchObject({ sha: git(gitDir, 'rev-parse', 'main'), type: 'commit' });
  const files = { 'lines.txt': 'three\n' };
  const change = { message: 'feat: two', author: AUTHOR, files };
  await importHistory(gitDir, 'refs/heads/next', [change]);
  git(gitDir, 'update-ref', 'refs/heads/main', 'refs/heads/next');
  const after = await readInfo(gitDir, 'refs/heads/main');
  expect(after?.sha).toBe(git(gitDir, 'rev-parse', 'next'));
  expect(after?.sha).not.toBe(before?.sha);
  expect(await bytesOf(gitDir, 'lines.txt')).toBe('three\n');
});

test.each(['', 'refs/heads/absent', 'main\ninfo main', 'main:lines.txt^{commit}'])(
  'the name %j stands for nothing, and the next question is answered',
  async (name) => {
    const gitDir = await aRepository();
    expect(await readInfo(gitDir, name)).toBeUndefined();
    expect(await bytesOf(gitDir, 'lines.txt')).toBe(LINES);
  },
);

test('a closed reader is opened again by the next question', async () => {
  const gitDir = await aRepository();
  expect(await bytesOf(gitDir, 'lines.txt')).toBe(LINES);
  await closeReaders(join(gitDir, '..'));
  expect(await bytesOf(gitDir, 'lines.txt')).toBe(LINES);
});

test('a folder that is no repository is an error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'quorum-objects-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await expect(readInfo(join(dir, 'none.git'), 'main')).rejects.toThrow(/git cat-file on .* ended/);
});
