/** A directory without git: its files on disk, what `.gitignore` names left out. */
import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { simpleGit } from 'simple-git';
import { toSourceFile } from '../../domain/repository/source-file.ts';
import type { WorkingTree } from './working-tree.ts';

const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 100_000;
/** Never a project's own source, ignored or not. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git)\//;

/** @throws what the file system throws when the directory cannot be read */
export async function openPlainTree(dir: string): Promise<WorkingTree> {
  const sizes = await readSizes(dir, await listFiles(dir));
  const listing = [...sizes].map(([path, size]) => `${path}\0${size}`).join('\n');
  return {
    fullName: `local/${basename(dir)}`,
    branch: 'main',
    headSha: createHash('sha1').update(listing).digest('hex'),
    user: 'you',
    paths: [...sizes.keys()],
    file: async (path, maxBytes) => {
      if ((sizes.get(path) ?? Infinity) > MAX_FILE_BYTES) return undefined;
      return toSourceFile(path, await readFile(join(dir, path)), maxBytes);
    },
    commits: () => Promise.resolve([]),
    pastIssues: () => Promise.resolve([]),
  };
}

/** Git itself knows best what its ignore files mean; an empty repository elsewhere lends it to us. */
async function listFiles(dir: string): Promise<string[]> {
  const lent = await mkdtemp(join(tmpdir(), 'quorum-list-'));
  try {
    await simpleGit(lent).raw(['init', '--quiet']);
    const gitDir = join(lent, '.git');
    const args = [
      '--git-dir',
      gitDir,
      '--work-tree',
      dir,
      'ls-files',
      '-z',
      '--others',
      '--exclude-standard',
    ];
    // The git directory that we name is the one made above, so it brings no configuration of others.
    const git = simpleGit(dir, { unsafe: { allowUnsafeConfigPaths: true } });
    const listed = (await git.raw(args)).split('\0');
    return listed.filter((path) => path !== '' && !path.endsWith('/') && !SKIPPED.test(path));
  } finally {
    await rm(lent, { recursive: true, force: true });
  }
}

/** Regular files only: a link may lead out of the directory. */
async function readSizes(dir: string, paths: string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of paths.slice(0, MAX_FILES).toSorted()) {
    const facts = await lstat(join(dir, path)).catch(() => undefined);
    if (facts?.isFile() === true) sizes.set(path, facts.size);
  }
  return sizes;
}
