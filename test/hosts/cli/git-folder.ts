/** A git repository of a test, on branch `main` with one commit, gone after it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

export interface GitFolder {
  dir: string;
  git: (...args: string[]) => string;
  write: (file: string, text: string | Buffer) => void;
  commit: (message: string) => void;
}

export function gitFolder(files: Readonly<Record<string, string>> = {}): GitFolder {
  const folder = emptyGitFolder(files);
  folder.commit('first');
  return folder;
}

/** Without a commit. */
export function emptyGitFolder(files: Readonly<Record<string, string>> = {}): GitFolder {
  const dir = temporaryFolder(files);
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ana',
    GIT_AUTHOR_EMAIL: 'ana@example.com',
    GIT_COMMITTER_NAME: 'Ana',
    GIT_COMMITTER_EMAIL: 'ana@example.com',
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: dir, env, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  return {
    dir,
    git,
    write: (file, text) => {
      const full = path.join(dir, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, text);
    },
    commit: (message) => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
    },
  };
}
