/** What would be reviewed on this machine: a working tree or a range of a repository, or a diff that was handed in. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { simpleGit, type SimpleGit } from 'simple-git';
import { RefusedError } from '../../domain/event/errors.ts';
import { createDiffSplitter, type SplitDiff, type SplitLimits } from './diff-splitter.ts';
import { streamGit } from './git-stream.ts';

export interface LocalChangesWanted {
  dir: string;
  /** Default: where the branch left the default branch, or HEAD on the default branch itself. */
  base?: string;
  /** A ref, or the files as they are now with those that git does not know yet. Default: `working-tree`. */
  head?: 'working-tree' | (string & {});
  /** A unified or git diff in place of all that, whole or in pieces. */
  diffText?: string | AsyncIterable<Uint8Array | string>;
  limits?: SplitLimits;
}

export interface LocalChanges extends SplitDiff {
  /** Whether anything of the range is missing in `diff`; `leftOut` names it. */
  isCut: boolean;
  /** Top folder of the repository; undefined outside of one. */
  root: string | undefined;
  /** What the diff is against; undefined for a diff that was handed in or a repository without commits. */
  baseSha: string | undefined;
  /** Undefined for a working tree and for a diff that was handed in. */
  headSha: string | undefined;
}

/** A file's part beyond 1 MB is no text that a person reads; all of 20 MB is some 400,000 lines. */
const LOCAL_LIMITS: SplitLimits = { fileBytes: 1_000_000, totalBytes: 20_000_000 };

/**
 * @throws RefusedError `no-repository` without a diff and a repository, `no-ref` for a name that names no commit,
 *   `git-failed`
 */
export async function openLocalChanges(wanted: LocalChangesWanted): Promise<LocalChanges> {
  const dir = resolve(wanted.dir);
  const root = await findRoot(dir);
  const splitter = createDiffSplitter(wanted.limits ?? LOCAL_LIMITS);
  if (wanted.diffText !== undefined) {
    for await (const piece of toPieces(wanted.diffText)) splitter.push(Buffer.from(piece));
    return toChanges(splitter.end(), { root, baseSha: undefined, headSha: undefined });
  }
  if (root === undefined) throw noRepository(dir);
  const range = await resolveRange(simpleGit(root), wanted);
  const onOutput = (piece: Uint8Array): void => splitter.push(piece);
  if (range.headSha === undefined) await diffWorkingTree(root, { ...range, onOutput });
  else
    await streamGit({ dir: root, args: [...DIFF, range.against, range.headSha, '--'], onOutput });
  return toChanges(splitter.end(), { root, ...range });
}

function toChanges(
  split: SplitDiff,
  at: Pick<LocalChanges, 'root' | 'baseSha' | 'headSha'>,
): LocalChanges {
  const { root, baseSha, headSha } = at;
  return { ...split, isCut: split.leftOut.length > 0, root, baseSha, headSha };
}

async function* toPieces(
  text: string | AsyncIterable<Uint8Array | string>,
): AsyncIterable<Uint8Array | string> {
  if (typeof text === 'string') yield text;
  else yield* text;
}

async function findRoot(dir: string): Promise<string | undefined> {
  try {
    return (await quietly(simpleGit(dir), ['rev-parse', '--show-toplevel'])) || undefined;
  } catch {
    // simple-git refuses a folder that is not there.
    return undefined;
  }
}

/** Output without the last line end; empty where git says no. */
async function quietly(git: SimpleGit, args: string[]): Promise<string> {
  try {
    return (await git.raw(args)).trim();
  } catch {
    return '';
  }
}

interface Range {
  /** The commit, or the tree with nothing in it before the first one. */
  against: string;
  baseSha: string | undefined;
  headSha: string | undefined;
}

async function resolveRange(git: SimpleGit, wanted: LocalChangesWanted): Promise<Range> {
  const { head = 'working-tree' } = wanted;
  const isTree = head === 'working-tree';
  const tip = isTree ? await find(git, 'HEAD') : await commitOf(git, head);
  const base =
    wanted.base === undefined ? await defaultBase(git) : await commitOf(git, wanted.base);
  const baseSha = base === undefined ? tip : await forkPoint(git, base, tip);
  const against = baseSha ?? (await git.raw(['hash-object', '-t', 'tree', '/dev/null'])).trim();
  return { against, baseSha, headSha: isTree ? undefined : tip };
}

/** Where `tip` left `base`; `base` itself where they share no history that is here. */
async function forkPoint(git: SimpleGit, base: string, tip: string | undefined): Promise<string> {
  if (tip === undefined) return base;
  return (await quietly(git, ['merge-base', base, tip])) || base;
}

async function commitOf(git: SimpleGit, ref: string): Promise<string> {
  const sha = await find(git, ref);
  if (sha !== undefined) return sha;
  throw new RefusedError({
    code: 'no-ref',
    message: `${JSON.stringify(ref)} names no commit here.`,
    details: 'Name a branch, a tag or a commit; fetch it first when it is on a remote.',
  });
}

/** A name that begins with a dash would be an option. */
async function find(git: SimpleGit, ref: string): Promise<string | undefined> {
  if (ref.startsWith('-') || ref === '') return undefined;
  return (await quietly(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])) || undefined;
}

/** The remote's default branch, else what a default branch is usually called. */
async function defaultBase(git: SimpleGit): Promise<string | undefined> {
  for (const ref of ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master']) {
    const sha = await find(git, ref);
    if (sha !== undefined) return sha;
  }
  return undefined;
}

const DIFF = [
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--find-renames',
  '--unified=3',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Untracked files are announced in a copy of the index, so that git shows them as added; ignored ones are not. */
async function diffWorkingTree(
  root: string,
  want: { against: string; onOutput: (piece: Uint8Array) => void },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quorum-index-'));
  try {
    const indexFile = join(folder, 'index');
    const own = await quietly(simpleGit(root), ['rev-parse', '--git-path', 'index']);
    await copyFile(resolve(root, own), indexFile).catch(ignoreMissing);
    const announce = ['add', '--intent-to-add', '--ignore-errors', '--', '.'];
    // A file that cannot be read or a repository inside this one is no reason to show nothing.
    await streamGit({ dir: root, args: announce, indexFile, onOutput: ignore }).catch(ignore);
    const args = [...DIFF, want.against, '--'];
    await streamGit({ dir: root, args, indexFile, onOutput: want.onOutput });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ignore(): void {
  // Nothing to do with it.
}

/** A repository without a commit may have no index. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function noRepository(dir: string): RefusedError {
  return new RefusedError({
    code: 'no-repository',
    message: `${dir} is in no git repository.`,
    details: 'Go into one, or hand in a diff: `git diff | quorum review --diff -`.',
  });
}
