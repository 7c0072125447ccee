/** Files of a branch's head, all of one commit: in one GraphQL query, or through REST where that does not tell them. */
import pLimit from 'p-limit';
import { ConflictError, RefusedError } from '../../../domain/event/errors.ts';
import type { MemoryPlace, UnreadFile } from '../../../ports/github/memory-branch.ts';
import type { SessionContext } from '../bound.ts';
import { unexpectedAnswer } from '../client/expected-answer.ts';
import { GET_COMMIT } from '../git-data-operations.ts';
import { MAX_FETCH_BYTES } from '../read/trees.ts';
import { GET_BLOB, GET_REF, GET_TREE } from '../rest-operations.ts';
import { askBranch } from './ask-branch.ts';
import type { BranchEntry, BranchListing, BranchWanted } from './branch-listing.ts';

export interface BranchFiles extends Omit<BranchListing, 'entries'> {
  files: Map<string, string>;
  unread: UnreadFile[];
}

const AT_ONCE = 6;
/** Where each text is a call, more are not read. */
const MAX_SINGLE = 150;

/** Undefined where there is no branch. */
export async function readBranch(
  bound: SessionContext,
  at: MemoryPlace,
  want: BranchWanted,
): Promise<BranchFiles | undefined> {
  const found = (await askBranch(bound, at, want)) ?? (await listBranch(bound, at, want.paths));
  if (found === 'no-branch') return undefined;
  return readEntries(bound, at, found);
}

/** Undefined where there is no branch, also in an empty repository, for which GitHub answers 409. */
export async function readHead(
  bound: SessionContext,
  { repository, branch }: MemoryPlace,
): Promise<string | undefined> {
  const params = { ...bound.places.last(repository), ref: `heads/${branch}` };
  try {
    return (await bound.calls.find(GET_REF, params))?.data.object.sha;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    throw error;
  }
}

async function listBranch(
  bound: SessionContext,
  at: MemoryPlace,
  paths: readonly string[],
): Promise<BranchListing | 'no-branch'> {
  const head = await readHead(bound, at);
  return head === undefined ? 'no-branch' : listCommit(bound, { at, sha: head }, paths);
}

/** A commit of a branch. */
interface BranchCommit {
  at: MemoryPlace;
  sha: string;
}

/** Files of a commit that may be the head no longer. */
export async function readBranchAt(
  bound: SessionContext,
  commit: BranchCommit,
  paths: readonly string[],
): Promise<BranchFiles> {
  return readEntries(bound, commit.at, await listCommit(bound, commit, paths));
}

async function listCommit(
  bound: SessionContext,
  { at, sha: head }: BranchCommit,
  paths: readonly string[],
): Promise<BranchListing> {
  const place = bound.places.last(at.repository);
  const forGood = { isImmutable: true };
  const commit = await bound.calls.get(GET_COMMIT, { ...place, commit_sha: head }, forGood);
  const treeSha = commit.data.tree.sha;
  const params = { ...place, tree_sha: treeSha, recursive: '1' };
  const { data } = await bound.calls.get(GET_TREE, params, forGood);
  if (data.truncated) throw tooLarge(`The branch ${at.branch} has more files than GitHub lists.`);
  const entries = data.tree.flatMap(({ path, mode, type, sha, size }): BranchEntry[] => {
    const isAsked = paths.includes(path);
    const isBelow = paths.some((each) => each.endsWith('/') && path.startsWith(each));
    // A file in the place of a folder that was asked for.
    const isInPlace = type !== 'tree' && paths.includes(`${path}/`);
    if (!isAsked && !isInPlace && (!isBelow || type === 'tree')) return [];
    const isFile = type === 'blob' && PLAIN.has(mode) && !isInPlace;
    return [{ path, isFile, sha, size, text: undefined, isBinary: false }];
  });
  return { head, treeSha, entries };
}

/** Git's modes of plain files. */
const PLAIN: ReadonlySet<string> = new Set(['100644', '100755']);

async function readEntries(
  bound: SessionContext,
  at: MemoryPlace,
  { head, treeSha, entries, checks }: BranchListing,
): Promise<BranchFiles> {
  const files = new Map<string, string>();
  const unread = new Map<string, UnreadFile['reason']>();
  const unknown = entries.filter((entry) => isWorthACall(entry));
  if (unknown.length > MAX_SINGLE)
    throw tooLarge(`${unknown.length} files of ${at.branch} would have to be read one by one.`);
  const limit = pLimit(AT_ONCE);
  await Promise.all(
    entries.map(async (entry) => {
      const text = isWorthACall(entry)
        ? await limit(() => readText(bound, at, entry))
        : told(entry);
      if ('reason' in text) unread.set(entry.path, text.reason);
      else files.set(entry.path, text.text);
    }),
  );
  return {
    head,
    treeSha,
    files,
    unread: [...unread].map(([path, reason]) => ({ path, reason })),
    checks,
  };
}

type Text = { text: string } | { reason: UnreadFile['reason'] };

function isWorthACall({ isFile, size, text, isBinary }: BranchEntry): boolean {
  return isFile && size <= MAX_FETCH_BYTES && text === undefined && !isBinary;
}

function told({ isFile, size, text }: BranchEntry): Text {
  if (!isFile) return { reason: 'not-a-file' };
  if (size > MAX_FETCH_BYTES) return { reason: 'too-large' };
  return text === undefined ? { reason: 'binary' } : { text };
}

async function readText(
  bound: SessionContext,
  { repository }: MemoryPlace,
  { path, sha, size }: BranchEntry,
): Promise<Text> {
  const params = { ...bound.places.last(repository), file_sha: sha };
  const { content, encoding } = (await bound.calls.get(GET_BLOB, params, { isImmutable: true }))
    .data;
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  // A part of a file would be written back as the whole.
  if (bytes.length !== size)
    throw unexpectedAnswer(path, `it has ${bytes.length} bytes instead of ${size}`);
  if (bytes.includes(0)) return { reason: 'binary' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { reason: 'not-utf-8' };
  }
}

function tooLarge(message: string): RefusedError {
  return new RefusedError({
    code: 'github-too-large',
    message,
    details: 'Remove files from the branch that are not part of the memory.',
  });
}
