/** A change on this machine in the place of a pull request: a working tree, a range, or a diff that was handed in. */
import { createHash } from 'node:crypto';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import { toSourceFile } from '../../domain/repository/source-file.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { SourceFile } from '../../domain/run/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GitHubReader } from '../../ports/github/github-reader.ts';
import type { GitHubPulls, PullFacts } from '../../ports/github/pulls.ts';
import { readBlobs } from './blobs.ts';
import type { LocalChanges } from './local-changes.ts';
import { openGitTree, readRange, type RangeWords } from './git-tree.ts';
import { createUnwrittenReviews } from './no-reviews.ts';
import { openLocalRepository } from './local-repository.ts';
import type { WorkingTree } from './working-tree.ts';

export interface LocalPullsOptions {
  dir: string;
  changes: LocalChanges;
  /** What the change says that it does; by default what its commits say. */
  words?: RangeWords | undefined;
  clock: Clock;
  /** Signs the markers, as on GitHub. */
  markerSecret: string;
}

export interface LocalPulls {
  github: GitHubPulls;
  thread: ThreadRef;
}

const NUMBER = 1;
const OWNER_ID = 2;
/** Of all texts that one call reads. */
const TOTAL_BYTES = 8_000_000;

/**
 * Opens the change as pull request 1. Configuration and personas come from its base, as on GitHub; without a
 * repository there are no such files. `files` at the head's commit reads the files on disk, unless the head is a
 * commit.
 */
export async function openLocalPulls(options: LocalPullsOptions): Promise<LocalPulls> {
  const { clock, markerSecret, words } = options;
  const around = await openBase(options.changes);
  const isOurs = around === undefined || belongsTo(options.changes, around);
  const changes = isOurs ? options.changes : { ...options.changes, root: undefined };
  const tree = isOurs && around !== undefined ? around : NO_TREE;
  const facts = await describe(changes, { tree, clock, words });
  const { github, thread } = await openLocalRepository({
    dir: options.dir,
    tree,
    clock,
    markerSecret,
    issue: { number: NUMBER, title: facts.title, body: facts.body },
    onWrite: () => undefined,
  });
  const reviews = createUnwrittenReviews();
  const pulls = {
    survey: async () => undefined,
    pull: async () => facts,
    changes: async () => ({ ...changes, unnamedFiles: 0 }),
    feedback: async () => ({ reviews: [], threads: [], isCut: false }),
    reviewChecks: async () => [],
  };
  return {
    thread,
    github: {
      ...github,
      at: (ref) => {
        const session = github.at(ref);
        const files = createFiles(changes, { base: tree.headSha, head: facts.headSha });
        const read = { ...session.read, files };
        if (changes.root === undefined) read.paths = async () => ({ paths: [], isCut: true });
        return { ...session, read, pulls, reviews };
      },
    },
  };
}

/** Nothing around a diff. */
const NO_TREE: WorkingTree = {
  fullName: 'local/diff',
  branch: 'main',
  headSha: '',
  user: 'you',
  paths: [],
  file: () => Promise.resolve(undefined),
  commits: () => Promise.resolve([]),
  pastIssues: () => Promise.resolve([]),
};

async function openBase({ root, baseSha }: LocalChanges): Promise<WorkingTree | undefined> {
  return root === undefined ? undefined : openGitTree(root, baseSha);
}

/** A diff that was handed in may be of another repository than the one around: then that one says nothing of it. */
function belongsTo({ diff, baseSha }: LocalChanges, { paths }: WorkingTree): boolean {
  if (baseSha !== undefined) return true;
  const standing = parseDiff(diff).files.filter(({ status }) => status !== 'added');
  const known = new Set(paths);
  const found = standing.filter(
    ({ path, oldPath }) => known.has(path) || known.has(oldPath ?? path),
  );
  return found.length * 2 >= standing.length;
}

async function describe(
  changes: LocalChanges,
  { tree, clock, words }: { tree: WorkingTree } & Pick<LocalPullsOptions, 'clock' | 'words'>,
): Promise<PullFacts> {
  const { baseSha, diff, files } = changes;
  const range = words ?? (await readWords(changes));
  const at = new Date(clock.now()).toISOString();
  return {
    number: NUMBER,
    title: range?.title ?? 'A diff',
    body: range?.body ?? '',
    state: 'open',
    isDraft: false,
    isMerged: false,
    isLocked: false,
    author: { id: OWNER_ID, login: tree.user, isBot: false },
    labels: [],
    headSha: changes.headSha ?? createHash('sha1').update(diff).digest('hex'),
    baseSha: baseSha ?? tree.headSha,
    headRef: range?.branch ?? 'change',
    baseRef: tree.branch,
    isFork: false,
    headRepositoryId: 1,
    url: `local:${NUMBER}`,
    changedFiles: files.length,
    additions: 0,
    deletions: 0,
    createdAt: at,
    updatedAt: at,
  };
}

function readWords({ root, baseSha, headSha }: LocalChanges): Promise<RangeWords> | undefined {
  if (root === undefined || baseSha === undefined) return undefined;
  return readRange(root, { from: baseSha, to: headSha });
}

function createFiles(
  { root, headSha }: LocalChanges,
  at: { base: string; head: string },
): GitHubReader['files'] {
  return async (_ref, sha, { paths, maxBytes }) => {
    if (root === undefined) return [];
    const isOnDisk = sha === at.head && headSha === undefined;
    if (isOnDisk) return readFromDisk(root, paths, maxBytes);
    return sha === '' ? [] : readBlobs({ root, sha, paths, maxBytes, totalBytes: TOTAL_BYTES });
  };
}

async function readFromDisk(
  root: string,
  paths: readonly string[],
  maxBytes: number,
): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const file = await readOne(root, path, maxBytes);
    if (file === undefined) continue;
    bytes += file.text.length;
    if (bytes > TOTAL_BYTES) break;
    found.push(file);
  }
  return found;
}

/** Regular files inside the repository only: a link, or a diff's own words, may lead out of it. */
async function readOne(
  root: string,
  path: string,
  maxBytes: number,
): Promise<SourceFile | undefined> {
  const full = resolve(root, path);
  const folder = await realpath(dirname(full)).catch(() => undefined);
  const top = join(await realpath(root), '/');
  if (folder === undefined || !join(folder, '/').startsWith(top)) return undefined;
  const facts = await lstat(full).catch(() => undefined);
  if (facts?.isFile() !== true || facts.size > TOTAL_BYTES) return undefined;
  return toSourceFile(path, await readFile(full), maxBytes);
}
