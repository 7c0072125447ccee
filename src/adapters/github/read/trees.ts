/** Which files a commit has: read once, because a commit never changes. */
import { ConflictError } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { isNotFound } from '../client/github-failure.ts';
import type { Calls } from '../installation-client.ts';
import { GET_TREE } from '../rest-operations.ts';
import type { Place } from '../repository-locator.ts';

export interface Tree {
  /** Plain files only: no links, no submodules. */
  files: ReadonlyMap<string, { sha: string; size: number }>;
  /** GitHub left some out: more than 100,000 entries or 7 MB. */
  isCut: boolean;
}

export interface Trees {
  /** Empty for a repository without commits. */
  at(ref: RepositoryRef & { sha: string }, place: Place, calls: Calls): Promise<Tree>;
  /** Where it was read already. */
  known(ref: RepositoryRef & { sha: string }): Tree | undefined;
  forget(installationId: number): void;
}

/** A file that is larger is not fetched at all: it is not source that a person wrote. */
export const MAX_FETCH_BYTES = 1_000_000;

const NONE: Tree = { files: new Map(), isCut: false };
const MAX_TREES = 16;
const MAX_FILES = 200_000;
const PLAIN = new Set(['100644', '100755']);

function keyOf({ installationId, repositoryId, sha }: RepositoryRef & { sha: string }): string {
  return `${installationId}/${repositoryId}/${sha}`;
}

export function createTrees(): Trees {
  const kept = new Map<string, Tree>();
  const shrink = (): void => {
    let files = 0;
    for (const tree of kept.values()) files += tree.files.size;
    for (const [key, tree] of kept) {
      if (kept.size <= MAX_TREES && files <= MAX_FILES) return;
      kept.delete(key);
      files -= tree.files.size;
    }
  };
  return {
    known: (ref) => kept.get(keyOf(ref)),
    forget: (installationId) => {
      for (const key of kept.keys()) if (key.startsWith(`${installationId}/`)) kept.delete(key);
    },
    at: async (ref, place, calls) => {
      if (ref.sha === '') return NONE;
      const key = keyOf(ref);
      const found = kept.get(key);
      if (found !== undefined) return found;
      const tree = await readTree(ref.sha, place, calls);
      kept.set(key, tree);
      shrink();
      return tree;
    },
  };
}

async function readTree(sha: string, place: Place, calls: Calls): Promise<Tree> {
  try {
    const params = { ...place, tree_sha: sha, recursive: '1' };
    const { data } = await calls.get(GET_TREE, params, { isImmutable: true });
    const files = new Map<string, { sha: string; size: number }>();
    for (const entry of data.tree) {
      if (entry.type === 'blob' && PLAIN.has(entry.mode))
        files.set(entry.path, { sha: entry.sha, size: entry.size });
    }
    return { files, isCut: data.truncated };
  } catch (error) {
    // 409: "Git Repository is empty".
    if (error instanceof ConflictError || isNotFound(error)) return NONE;
    throw error;
  }
}
