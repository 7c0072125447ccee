/** Commits, trees and blobs in GraphQL's form. Blobs that one query asks for are read in one go. */
import { gitBytes, tryGit } from '../git/run.ts';
import { objectType, readTree, type TreeEntry } from '../git/objects.ts';
import type { Repository } from '../model.ts';
import type { Paging } from './parts.ts';

/** GitHub cuts the text of a blob here and says so by `isTruncated`. */
const MAX_TEXT_BYTES = 512_000;
/** In how many bytes git itself looks for a NUL to tell binary from text. */
const BINARY_LOOK_BYTES = 8000;

interface Shelf {
  gitDir: string;
  blobs: (sha: string) => Promise<Buffer | undefined>;
  trees: Map<string, Promise<TreeEntry[]>>;
  /** Absent where nobody asks for them. */
  pullsOf: PullsOf | undefined;
}

/** The pull requests that brought a commit in, as a connection. */
export type PullsOf = (sha: string, paging: Paging) => Promise<object>;

export function createShelf({ gitDir }: Repository, pullsOf?: PullsOf): Shelf {
  return { gitDir, blobs: createBlobReader(gitDir), trees: new Map(), pullsOf };
}

/** The object that a revision names (`HEAD:src`, a hash); null when it names none. */
export async function toGitObject(shelf: Shelf, name: string): Promise<object | null> {
  const found = await tryGit(shelf.gitDir, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    name,
  ]);
  if (found.code !== 0) return null;
  const oid = found.stdout.toString().trim();
  const type = await objectType(shelf.gitDir, oid);
  if (type === 'commit') return toCommit(shelf, oid);
  if (type === 'tree') return { __typename: 'Tree', oid, entries: () => toEntries(shelf, oid, '') };
  return type === 'blob' ? toBlob(shelf, oid) : null;
}

function toCommit(shelf: Shelf, oid: string): object {
  return {
    __typename: 'Commit',
    oid,
    abbreviatedOid: oid.slice(0, 7),
    associatedPullRequests: (paging: Paging) => shelf.pullsOf?.(oid, paging) ?? null,
    file: async ({ path }: { path: string }) => {
      const entry = (await allEntries(shelf, oid)).find((one) => one.path === path);
      // Null with an error beside it, while the rest of the answer is whole.
      if (entry === undefined) throw new Error(`Could not resolve file for path '${path}'.`);
      return toEntry(shelf, entry);
    },
  };
}

/** The whole tree of a commit, read once. */
function allEntries({ gitDir, trees }: Shelf, commit: string): Promise<TreeEntry[]> {
  const found = trees.get(commit) ?? readTree(gitDir, commit, 'recursive').then((all) => all ?? []);
  trees.set(commit, found);
  return found;
}

async function toEntries(shelf: Shelf, tree: string, folder: string): Promise<object[]> {
  const entries = (await readTree(shelf.gitDir, tree)) ?? [];
  return entries.map((entry) => toEntry(shelf, { ...entry, path: `${folder}${entry.path}` }));
}

function toEntry(shelf: Shelf, entry: TreeEntry): object {
  const { path, mode, type, sha } = entry;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    mode: Number.parseInt(mode, 8),
    type,
    oid: sha,
    size: entry.size ?? 0,
    object: () => {
      if (type === 'blob') return toBlob(shelf, sha);
      if (type !== 'tree') return null;
      return { __typename: 'Tree', oid: sha, entries: () => toEntries(shelf, sha, `${path}/`) };
    },
  };
}

async function toBlob(shelf: Shelf, oid: string): Promise<object> {
  const bytes = (await shelf.blobs(oid)) ?? Buffer.alloc(0);
  const isBinary = bytes.subarray(0, BINARY_LOOK_BYTES).includes(0);
  return {
    __typename: 'Blob',
    oid,
    byteSize: bytes.length,
    isBinary,
    isTruncated: bytes.length > MAX_TEXT_BYTES,
    text: isBinary ? null : bytes.toString('utf8', 0, MAX_TEXT_BYTES),
  };
}

/** What is asked for in the same moment goes to one `git cat-file`. */
function createBlobReader(gitDir: string): Shelf['blobs'] {
  let batch: Promise<Map<string, Buffer>> | undefined;
  let wanted = new Set<string>();
  return async (sha) => {
    wanted.add(sha);
    batch ??= Promise.resolve().then(() => {
      const shas = [...wanted];
      batch = undefined;
      wanted = new Set();
      return readBatch(gitDir, shas);
    });
    return (await batch).get(sha);
  };
}

async function readBatch(gitDir: string, shas: readonly string[]): Promise<Map<string, Buffer>> {
  const input = shas.map((sha) => `${sha}\n`).join('');
  const output = await gitBytes(gitDir, ['cat-file', '--batch'], { input });
  const found = new Map<string, Buffer>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    const [sha = '', , size] = output.toString('latin1', at, end).split(' ');
    const length = Number(size ?? 0);
    found.set(sha, output.subarray(end + 1, end + 1 + length));
    at = end + 1 + length + 1;
  }
  return found;
}
