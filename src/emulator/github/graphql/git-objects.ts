/** Commits, trees and blobs in GraphQL's form. */
import { readInfo } from '../git/cat-file.ts';
import { readBlob, readTree, treeOf, type TreeEntry } from '../git/objects.ts';
import type { Repository } from '../world/world-model.ts';
import type { Paging } from './answer-parts.ts';

/** GitHub cuts the text of a blob here and says so by `isTruncated`. */
const MAX_TEXT_BYTES = 512_000;
/** In how many bytes git itself looks for a NUL to tell binary from text. */
const BINARY_LOOK_BYTES = 8000;

interface Shelf {
  gitDir: string;
  trees: Map<string, Promise<TreeEntry[]>>;
  /** Absent where nobody asks for them. */
  pullsOf?: PullsOf | undefined;
  checksOf?: (sha: string) => object;
}

/** The pull requests that brought a commit in, as a connection. */
export type PullsOf = (sha: string, paging: Paging) => Promise<object>;

export function createShelf(
  { gitDir }: Repository,
  around: Pick<Shelf, 'pullsOf' | 'checksOf'> = {},
): Shelf {
  return { gitDir, trees: new Map(), ...around };
}

/** The object that a revision names (`HEAD:src`, a hash); null when it names none. */
export async function toGitObject(shelf: Shelf, name: string): Promise<object | null> {
  const found = await readInfo(shelf.gitDir, name);
  if (found === undefined) return null;
  const { sha: oid, type } = found;
  if (type === 'commit') return toCommit(shelf, oid);
  if (type === 'tree') return { __typename: 'Tree', oid, entries: () => toEntries(shelf, oid, '') };
  return type === 'blob' ? toBlob(shelf, oid) : null;
}

function toCommit(shelf: Shelf, oid: string): object {
  return {
    __typename: 'Commit',
    oid,
    abbreviatedOid: oid.slice(0, 7),
    tree: async () => ({ oid: await treeOf(shelf.gitDir, oid) }),
    associatedPullRequests: (paging: Paging) => shelf.pullsOf?.(oid, paging) ?? null,
    checkSuites: shelf.checksOf?.(oid) ?? null,
    file: async ({ path }: { path: string }) => {
      const entry = (await allEntries(shelf, oid)).find((one) => one.path === path);
      // Null with an error beside it, while the rest of the answer is whole:
      // https://github.com/changesets/ghcommit/blob/main/src/test/integration/git.test.ts
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
  const bytes = (await readBlob(shelf.gitDir, oid)) ?? Buffer.alloc(0);
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
