/** The memory branch as a clone holds it: read and written with git's plumbing alone, without a network or a checkout. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_MEMORY_FILE_BYTES } from '../../../domain/memory/file/branch-files.ts';
import type { SourceFile } from '../../../domain/run/view.ts';
import { readBlobs } from '../blobs.ts';
import { streamGit } from '../git-stream.ts';

/** The branch as it is in a clone. */
export interface MemoryClone {
  /** Commit that was read. */
  head: string;
  /** `quorum/memory`, or `origin/quorum/memory` where that has more. */
  readFrom: string;
  /** Whether the clone's own branch and the fetched one both have commits that the other lacks. */
  hasDiverged: boolean;
  /** Text by path. */
  files: ReadonlyMap<string, string>;
  /** Paths of files that are no text in UTF-8, or too large. */
  unread: readonly string[];
  /** Tip of the default branch; undefined while it has no commit. */
  codeSha: string | undefined;
}

const NO_COMMIT = '0'.repeat(40);
const TOTAL_BYTES = 200_000_000;
/** As much of a file as a look at GitHub reads to verify an entry. */
const MAX_BYTES = 200_000;
const TREE_ENTRY = /^100(?:644|755) blob ([0-9a-f]+)\t(.+)$/s;
/** No hook of the repository's runs, not even where a branch moves. */
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

async function run(dir: string, args: readonly string[], indexFile?: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  const onOutput = (piece: Uint8Array): void => void pieces.push(piece);
  await streamGit({ dir, args: [...NO_HOOKS, ...args], indexFile, onOutput });
  return Buffer.concat(pieces).toString().replace(/\n$/, '');
}

/** Empty where git says no. */
async function ask(dir: string, args: readonly string[]): Promise<string> {
  return run(dir, args).catch(() => '');
}

async function commitOf(dir: string, ref: string): Promise<string | undefined> {
  const sha = await ask(dir, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  return sha === '' ? undefined : sha;
}

/** Top folder of the clone that a folder is in, or the folder itself in a bare one; undefined outside of a repository. */
export async function findClone(dir: string): Promise<string | undefined> {
  if ((await ask(dir, ['rev-parse', '--absolute-git-dir'])) === '') return undefined;
  const top = await ask(dir, ['rev-parse', '--show-toplevel']);
  return top === '' ? dir : top;
}

/** Undefined where the clone has no such branch, neither its own nor a fetched one. `folders` end in `/`. */
export async function readMemoryClone(
  root: string,
  branch: string,
  paths: readonly string[],
): Promise<MemoryClone | undefined> {
  const found = await findHead(root, branch);
  if (found === undefined) return undefined;
  const listed = [...(await listBlobs(root, found.head, paths)).keys()];
  const texts = await readBlobs({
    root,
    sha: found.head,
    paths: listed,
    maxBytes: MAX_MEMORY_FILE_BYTES,
    totalBytes: TOTAL_BYTES,
  });
  // What is not UTF-8 could not be written again as it was.
  const whole = texts.filter(({ text, isCut }) => !isCut && !text.includes('\uFFFD'));
  const files = new Map(whole.map(({ path, text }) => [path, text]));
  const unread = listed.filter((path) => !files.has(path));
  return { ...found, files, unread, codeSha: await findDefault(root) };
}

type Head = Pick<MemoryClone, 'head' | 'readFrom' | 'hasDiverged'>;

/** A branch that was fetched counts where it has all that the clone's own one has. */
async function findHead(root: string, branch: string): Promise<Head | undefined> {
  const own = await commitOf(root, `refs/heads/${branch}`);
  const fetched = await commitOf(root, `refs/remotes/origin/${branch}`);
  if (own === undefined && fetched === undefined) return undefined;
  const ofOrigin = { readFrom: `origin/${branch}`, hasDiverged: false };
  if (own === undefined) return fetched === undefined ? undefined : { head: fetched, ...ofOrigin };
  if (fetched === undefined || fetched === own)
    return { head: own, readFrom: branch, hasDiverged: false };
  const base = await ask(root, ['merge-base', own, fetched]);
  if (base === own) return { head: fetched, ...ofOrigin };
  return { head: own, readFrom: branch, hasDiverged: base !== fetched };
}

/** What the remote calls its default branch, else one by a common name, else the commit that is checked out. */
async function findDefault(root: string): Promise<string | undefined> {
  const names = ['main', 'master'];
  const refs = [
    'refs/remotes/origin/HEAD',
    ...names.map((name) => `refs/remotes/origin/${name}`),
    ...names.map((name) => `refs/heads/${name}`),
    'HEAD',
  ];
  for (const ref of refs) {
    const sha = await commitOf(root, ref);
    if (sha !== undefined) return sha;
  }
  return undefined;
}

/** SHA of each file's blob, by path; links and submodules are left out. */
export async function listBlobs(
  root: string,
  sha: string,
  paths: readonly string[] = [],
): Promise<Map<string, string>> {
  const listing = await run(root, ['ls-tree', '-r', '-z', '--full-tree', sha, '--', ...paths]);
  return new Map(
    listing.split('\0').flatMap((line): [string, string][] => {
      const [, blob, path] = TREE_ENTRY.exec(line) ?? [];
      return blob === undefined || path === undefined ? [] : [[path, blob]];
    }),
  );
}

/** Files of a commit, cut as a look at GitHub cuts them. */
export function readFilesAt(
  root: string,
  sha: string,
  paths: readonly string[],
): Promise<SourceFile[]> {
  return readBlobs({ root, sha, paths, maxBytes: MAX_BYTES, totalBytes: TOTAL_BYTES });
}

/** Folder in which a branch is checked out: its files would not follow a commit that is made here. */
export async function checkedOutIn(root: string, branch: string): Promise<string | undefined> {
  const listing = await ask(root, ['worktree', 'list', '--porcelain']);
  const trees = listing.split('\n\n').map((tree) => tree.split('\n'));
  const found = trees.find((lines) => lines.includes(`branch refs/heads/${branch}`));
  return found?.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
}

export interface MemoryCommit {
  branch: string;
  /** The commit that was read; it becomes the parent. */
  head: string;
  message: string;
  /** Text by path, of what changes. */
  files: ReadonlyMap<string, string>;
}

/**
 * Commits onto the clone's own branch, in the name that git's settings give. Returns the commit.
 *
 * @throws RefusedError `git-failed` with git's words, also where the branch moved meanwhile
 */
export async function commitMemory(root: string, commit: MemoryCommit): Promise<string> {
  const { branch, head, message, files } = commit;
  const own = (await commitOf(root, `refs/heads/${branch}`)) ?? NO_COMMIT;
  const folder = await mkdtemp(join(tmpdir(), 'quorum-memory-'));
  try {
    const indexFile = join(folder, 'index');
    await run(root, ['read-tree', head], indexFile);
    for (const [path, text] of files) {
      const file = join(folder, 'file');
      await writeFile(file, text);
      const blob = await run(root, ['hash-object', '-w', '--no-filters', '--', file]);
      const entry = `100644,${blob},${path}`;
      await run(root, ['update-index', '--add', '--cacheinfo', entry], indexFile);
    }
    const tree = await run(root, ['write-tree'], indexFile);
    const made = await run(root, ['commit-tree', tree, '-p', head, '-m', message]);
    await run(root, ['update-ref', '-m', message, `refs/heads/${branch}`, made, own]);
    return made;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
