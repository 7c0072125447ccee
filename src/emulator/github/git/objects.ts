/** Commits, trees, blobs and refs of a bare repository, read and written through plumbing. */
import { readContents, readInfo } from './cat-file.ts';
import { gitOutput, tryGit } from './git-process.ts';

export interface Person {
  name: string;
  email: string;
  /** ISO 8601 in UTC without a fraction. */
  date: string;
}

export interface Commit {
  sha: string;
  treeSha: string;
  parents: string[];
  author: Person;
  committer: Person;
  message: string;
}

export interface TreeEntry {
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  size: number | undefined;
  path: string;
}

export const ZERO_SHA = '0'.repeat(40);
/** Every ref to its object, hidden `refs/pull` included. */
export async function readRefs(gitDir: string): Promise<Map<string, string>> {
  const out = await gitOutput(gitDir, ['for-each-ref', '--format=%(objectname) %(refname)']);
  const lines = out === '' ? [] : out.split('\n');
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** The object of exactly this ref. */
export async function readRef(gitDir: string, ref: string): Promise<string | undefined> {
  return (await readInfo(gitDir, ref))?.sha;
}

/** A commit by branch, tag, full ref or (abbreviated) hash, in GitHub's order. */
export async function resolveCommit(gitDir: string, name: string): Promise<string | undefined> {
  const candidates = [`refs/heads/${name}`, `refs/tags/${name}`];
  if (name.startsWith('refs/')) candidates.unshift(name);
  if (/^(heads|tags|pull)\//.test(name)) candidates.unshift(`refs/${name}`);
  // No branch may be called like a whole id.
  if (/^[0-9a-f]{40}$/.test(name)) candidates.unshift(name);
  else if (/^[0-9a-f]{4,39}$/.test(name)) candidates.push(name);
  for (const candidate of candidates) {
    const sha = await readRef(gitDir, `${candidate}^{commit}`);
    if (sha !== undefined) return sha;
  }
  return undefined;
}

/** Compare-and-swap on one ref; `expected` of 40 zeros means it must not exist. `false` when lost. */
export async function updateRef(
  gitDir: string,
  ref: string,
  move: { to: string; expected?: string },
): Promise<boolean> {
  const expected = move.expected === undefined ? [] : [move.expected];
  const result = await tryGit(gitDir, ['update-ref', ref, move.to, ...expected]);
  return result.code === 0;
}

export async function deleteRef(gitDir: string, ref: string): Promise<void> {
  await gitOutput(gitDir, ['update-ref', '-d', ref]);
}

export async function objectType(gitDir: string, sha: string): Promise<string | undefined> {
  return (await readInfo(gitDir, sha))?.type;
}

const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%at', '%cn', '%ce', '%ct', '%B'].join('%x00');

/** Commits as `git log` walks them. `args` are revisions and limits made by the caller. */
export async function readCommits(gitDir: string, args: readonly string[]): Promise<Commit[]> {
  const out = await gitOutput(gitDir, ['log', `--format=${FORMAT}%x1e`, ...args]);
  return out
    .split('\x1e')
    .map((record) => record.replace(/^\n/, ''))
    .filter((record) => record !== '')
    .map(parseCommit);
}

export async function readCommit(gitDir: string, sha: string): Promise<Commit | undefined> {
  if ((await objectType(gitDir, sha)) !== 'commit') return undefined;
  const [commit] = await readCommits(gitDir, ['--no-walk', sha]);
  return commit;
}

function parseCommit(record: string): Commit {
  const part = record.split('\0');
  const at = (index: number): string => part[index] ?? '';
  const person = (from: number): Person => ({
    name: at(from),
    email: at(from + 1),
    date: `${new Date(Number(at(from + 2)) * 1000).toISOString().slice(0, 19)}Z`,
  });
  return {
    sha: at(0),
    treeSha: at(1),
    parents: at(2) === '' ? [] : at(2).split(' '),
    author: person(3),
    committer: person(6),
    message: at(9).replace(/(?<!\n)\n+$/, ''),
  };
}

/** Entries of a tree; `recursive` walks down and also lists the trees on the way. */
export async function readTree(
  gitDir: string,
  sha: string,
  depth: 'flat' | 'recursive' = 'flat',
): Promise<TreeEntry[] | undefined> {
  const walk = depth === 'recursive' ? ['-r', '-t'] : [];
  const result = await tryGit(gitDir, ['ls-tree', '-z', '-l', ...walk, '--end-of-options', sha]);
  if (result.code !== 0) return undefined;
  return result.stdout
    .toString()
    .split('\0')
    .filter((line) => line !== '')
    .map(parseEntry);
}

function parseEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', type = 'blob', sha = '', size = '-'] = line.slice(0, tab).split(/ +/);
  return {
    mode,
    type: type === 'tree' || type === 'commit' ? type : 'blob',
    sha,
    size: size === '-' ? undefined : Number(size),
    path: line.slice(tab + 1),
  };
}

export async function readBlob(gitDir: string, sha: string): Promise<Buffer | undefined> {
  return readBytes(gitDir, sha);
}

export async function writeBlob(gitDir: string, content: Buffer): Promise<string> {
  return gitOutput(gitDir, ['hash-object', '-w', '--stdin'], { input: content });
}

export interface TreeChange {
  path: string;
  /** `undefined` removes the path. */
  sha: string | undefined;
  mode: string;
}

/** Writes a tree: `base` with the changes on top, in an index of its own so that writers do not meet. */
export async function writeTree(
  gitDir: string,
  base: string | undefined,
  at: { changes: readonly TreeChange[]; indexName: string },
): Promise<string> {
  const env = { GIT_INDEX_FILE: `${gitDir}/index.${at.indexName}` };
  try {
    await gitOutput(gitDir, base === undefined ? ['read-tree', '--empty'] : ['read-tree', base], {
      env,
    });
    const subtrees = at.changes.filter((one) => one.mode === '040000' && one.sha !== undefined);
    const lines = at.changes
      .filter((one) => one.mode !== '040000' || one.sha === undefined)
      .map((one) =>
        one.sha === undefined
          ? `0 ${ZERO_SHA}\t${one.path}`
          : `${one.mode} ${one.sha}\t${one.path}`,
      );
    await gitOutput(gitDir, ['update-index', '-z', '--index-info'], {
      env,
      input: lines.map((line) => `${line}\0`).join(''),
    });
    for (const one of subtrees)
      await gitOutput(gitDir, ['read-tree', `--prefix=${one.path}/`, one.sha ?? ''], { env });
    return await gitOutput(gitDir, ['write-tree'], { env });
  } finally {
    await removeIndex(env.GIT_INDEX_FILE);
  }
}

async function removeIndex(file: string): Promise<void> {
  const { rm } = await import('node:fs/promises');
  await rm(file, { force: true });
}

export interface NewCommit {
  treeSha: string;
  parents: readonly string[];
  message: string;
  author: Person;
  committer: Person;
}

export async function writeCommit(gitDir: string, commit: NewCommit): Promise<string> {
  const parents = commit.parents.flatMap((sha) => ['-p', sha]);
  return gitOutput(gitDir, ['commit-tree', commit.treeSha, ...parents], {
    input: commit.message,
    env: personEnv(commit.author, commit.committer),
  });
}

function personEnv(author: Person, committer: Person): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: author.date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: committer.date,
  };
}

/** Whether `ancestor` is reachable from `descendant`. */
export async function isAncestor(
  gitDir: string,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  return (await tryGit(gitDir, ['merge-base', '--is-ancestor', ancestor, descendant])).code === 0;
}

export async function mergeBase(
  gitDir: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  const result = await tryGit(gitDir, ['merge-base', one, other]);
  return result.code === 0 ? result.stdout.toString().trim() : undefined;
}

/** The bytes of a file at a commit. */
export async function readFileAt(
  gitDir: string,
  sha: string,
  path: string,
): Promise<Buffer | undefined> {
  return readBytes(gitDir, `${sha}:${path}`);
}

async function readBytes(gitDir: string, name: string): Promise<Buffer | undefined> {
  const found = await readContents(gitDir, name);
  return found?.type === 'blob' ? found.contents : undefined;
}

export async function treeOf(gitDir: string, commit: string): Promise<string> {
  const tree = await readInfo(gitDir, `${commit}^{tree}`);
  if (tree === undefined) throw new Error(`${commit} in ${gitDir} has no tree`);
  return tree.sha;
}
