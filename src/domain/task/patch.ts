/** What a coder changed, as data that can cross machines, and what a branch looks like to the gates. */

export interface Patch {
  /** `git diff --binary` from the base; empty when nothing changed. */
  text: string;
  /** Whether the change is larger than was allowed: then `text` is empty. */
  isTooLarge: boolean;
  files: ChangedFile[];
}

export interface ChangedFile {
  /** Relative to the repository's root, `/` between its parts; of a rename, where it is now. */
  path: string;
  /** Of a rename: where it was. */
  from?: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  /** 100644, 100755, 120000 (symlink), 160000 (submodule); undefined where it was deleted. */
  mode: string | undefined;
  /** Lines; 0 for binary files. */
  added: number;
  removed: number;
  isBinary: boolean;
  /** Size after the change. */
  bytes: number;
}

/** A branch beyond its base. */
export interface BranchFacts {
  /** Name that HEAD is on; the empty string when it is detached. */
  branch: string;
  headSha: string;
  baseSha: string;
  /** Whether the head descends from the base. */
  isDescended: boolean;
  /** Children before their parents. */
  commits: {
    sha: string;
    parents: string[];
    authorName: string;
    authorEmail: string;
    message: string;
  }[];
  files: ChangedFile[];
  /** Whether the folder differs from the head commit. */
  isDirty: boolean;
}
