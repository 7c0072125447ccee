/** A git repository's HEAD, read with plumbing only: nothing of its configuration is run. */
import { basename } from 'node:path';
import { simpleGit, type SimpleGit } from 'simple-git';
import { toSourceFile } from '../../domain/repository/source-file.ts';
import type { CommitFacts } from '../../ports/github/github-history.ts';
import { minePastIssues, type CommitText } from './mine-past-issues.ts';
import type { WorkingTree } from './working-tree.ts';

/** Larger files are not source that a person wrote. */
const MAX_FILE_BYTES = 1_000_000;
const MAX_COMMITS = 2000;
const ENTRY = /^100(?:644|755) blob [0-9a-f]+ +(\d+)\t(.+)$/s;
/** Fields of a commit are separated by these, which no message holds. */
const FIELD = '%x00';
const RECORD = '%x1e';

/** At a commit, HEAD by default. Undefined when the directory is in no repository with one, or in one that does not track it. */
export async function openGitTree(dir: string, at = 'HEAD'): Promise<WorkingTree | undefined> {
  const root = await findGitRoot(dir);
  if (root === undefined) return undefined;
  const git = simpleGit(root);
  const headSha = await quietly(git, ['rev-parse', '--verify', '--quiet', `${at}^{commit}`]);
  if (headSha === '') return undefined;
  const sizes = toSizes(await git.raw(['ls-tree', '-r', '-z', '-l', headSha]));
  return {
    fullName: toFullName(await quietly(git, ['config', '--get', 'remote.origin.url']), root),
    branch: (await quietly(git, ['symbolic-ref', '--quiet', '--short', 'HEAD'])) || 'HEAD',
    headSha,
    user: (await quietly(git, ['config', '--get', 'user.name'])) || 'you',
    paths: [...sizes.keys()],
    file: async (path, maxBytes) => {
      if ((sizes.get(path) ?? Infinity) > MAX_FILE_BYTES) return undefined;
      const bytes: unknown = await git.binaryCatFile(['blob', `${headSha}:${path}`]);
      return Buffer.isBuffer(bytes) ? toSourceFile(path, bytes, maxBytes) : undefined;
    },
    commits: (path, limit) => readCommitsOf(git, { headSha, path, limit }),
    pastIssues: async (limit) => minePastIssues(await readCommits(git, headSha), limit),
  };
}

/** The folder of the repository that tracks `dir`; undefined where none does. */
export async function findGitRoot(dir: string): Promise<string | undefined> {
  const git = simpleGit(dir);
  const root = await quietly(git, ['rev-parse', '--show-toplevel']);
  if (root === '') return undefined;
  const prefix = await quietly(git, ['rev-parse', '--show-prefix']);
  if (prefix === '') return root;
  // A folder inside somebody's repository that it does not track is a directory of its own.
  const tracked = await quietly(git, ['ls-tree', '--name-only', 'HEAD', '.']);
  return tracked === '' ? undefined : root;
}

/** Output without the last line end; empty where git says no. */
async function quietly(git: SimpleGit, args: string[]): Promise<string> {
  try {
    return (await git.raw(args)).trim();
  } catch {
    return '';
  }
}

function toSizes(listing: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const line of listing.split('\0')) {
    const [, size, path] = ENTRY.exec(line) ?? [];
    if (path !== undefined) sizes.set(path, Number(size));
  }
  return sizes;
}

export function toFullName(remote: string, root: string): string {
  const [, owner, repo] = /[/:]([^/:\s]+)\/([^/\s]+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  return owner === undefined || repo === undefined ? `local/${basename(root)}` : `${owner}/${repo}`;
}

async function readCommitsOf(
  git: SimpleGit,
  { headSha, path, limit }: { headSha: string; path: string; limit: number },
): Promise<CommitFacts[]> {
  const format = `--format=%H${FIELD}%an${FIELD}%ae`;
  const found = await quietly(git, [
    'log',
    `-${limit}`,
    format,
    headSha,
    '--',
    `:(literal)${path}`,
  ]);
  return found.split('\n').flatMap((line) => {
    const [sha = '', name = '', email = ''] = line.split('\0');
    if (sha === '') return [];
    return [{ sha, isByAgent: name.endsWith('[bot]') || /\[bot\]@/.test(email) }];
  });
}

async function readCommits(git: SimpleGit, headSha: string): Promise<CommitText[]> {
  const format = `--format=%cI${FIELD}%s${FIELD}%b${RECORD}`;
  const text = await quietly(git, ['log', `-${MAX_COMMITS}`, format, headSha]);
  return text.split('\x1e').flatMap((record) => {
    const [at = '', subject = '', body = ''] = record.trimStart().split('\0');
    return at === '' ? [] : [{ at, subject, body }];
  });
}

export interface RangeWords {
  title: string;
  body: string;
  branch: string;
}

const MAX_RANGE_COMMITS = 20;

/** What the commits from one to another (by default HEAD) say that they do; as much as a pull request would. */
export async function readRange(
  root: string,
  { from, to = 'HEAD' }: { from: string; to?: string | undefined },
): Promise<RangeWords> {
  const git = simpleGit(root);
  const branch = (await quietly(git, ['symbolic-ref', '--quiet', '--short', 'HEAD'])) || 'HEAD';
  const format = `--format=%s${FIELD}%b${RECORD}`;
  const args = ['log', `-${MAX_RANGE_COMMITS}`, format, `${from}..${to}`];
  const commits = (await quietly(git, args)).split('\x1e').flatMap((record) => {
    const [subject = '', body = ''] = record.trimStart().split('\0');
    return subject === '' ? [] : [{ subject, body: body.trim() }];
  });
  const [only] = commits;
  if (only === undefined) return { title: 'Changes that are not committed', body: '', branch };
  if (commits.length === 1) return { title: only.subject, body: only.body, branch };
  const list = commits.map(({ subject, body }) => `- ${subject}\n${body}`.trim()).join('\n');
  return { title: branch, body: list, branch };
}
