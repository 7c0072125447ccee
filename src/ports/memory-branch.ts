/**
 * The branch on which Quorum keeps what it learned: files that people read, edit and delete at any time.
 *
 * Errors are those of ports/github.ts, and those that `update` names.
 */
import type { RepositoryRef } from '../domain/run/thread-ref.ts';
import type { GitHub, GitHubSession } from './github.ts';

/** Where a memory is: a branch of a repository by its short name, such as `quorum/memory`. */
export interface MemoryPlace {
  repository: RepositoryRef;
  branch: string;
}

export interface MemoryWanted {
  /** Files by their exact path, and folders with all below them by a path that ends in `/`. */
  paths: readonly string[];
  /** The head whose files the caller has: while it still is the head, no files are read. */
  known?: string;
}

/** A file that is there and cannot be used as text. `not-a-file`: a link, a submodule, or a folder in a file's place. */
export interface UnreadFile {
  path: string;
  reason: 'too-large' | 'binary' | 'not-utf-8' | 'not-a-file';
}

export interface MemorySnapshot {
  /** Undefined while there is no branch. */
  head: string | undefined;
  /** Whether `known` still is the head: then `files` and `unread` are empty. */
  isKnown: boolean;
  /** Text by path, of those that are there. All of one commit. */
  files: ReadonlyMap<string, string>;
  /** Files over 1 MB and what is no text in UTF-8. */
  unread: readonly UnreadFile[];
}

export interface MemoryUpdate {
  /** What `change` is given, and may change, as in {@link MemoryWanted}. */
  paths: readonly string[];
  /** Of the commit. */
  message: string;
  /**
   * For a branch of the repository's own files: one that is not there yet is made from the tip of this one, and only the
   * files of roles and `.gitattributes` may be written.
   */
  from?: string;
  /**
   * What the files should be: text by path, undefined to delete one; what is left out stays. It must be pure and
   * idempotent. It is called again with newer files after a lost race, and again by a caller that was told a failure
   * although the write had its effect; so entries are told apart by an id, not by their number.
   */
  change: (files: ReadonlyMap<string, string>) => ReadonlyMap<string, string | undefined>;
}

export interface MemoryOutcome {
  /** Undefined where there is no branch, and nothing to write. */
  head: string | undefined;
  /** What the commit was made on; undefined where it made the branch. */
  base: string | undefined;
  /** Whether the files already were as wanted; then there is no new commit, else there is one. */
  isUnchanged: boolean;
  /** How often somebody else was faster. */
  races: number;
}

export interface MemoryBranch {
  /** One commit's files. A branch that was rewritten by force is read as it is now. */
  read(at: MemoryPlace, want: MemoryWanted): Promise<MemorySnapshot>;
  /**
   * Writes one commit, by fast-forward only: nothing that others wrote is lost. The first write makes the branch, without
   * a parent, with a README and merge rules. A branch that was deleted is made again from what `change` returns for no
   * files, so a caller that wants its entries back keeps its own copies.
   *
   * @throws RefusedError `memory-refused` for a rule of the repository, or one without a commit; `memory-path-refused`
   *   for a path outside `paths` or not of the memory, with `from` not of roles; `memory-secret` for a text with a credential;
   *   `memory-unreadable` rather than overwrite a file that cannot be read, or write one. TransientError
   *   `memory-contended` when others were faster each of ten times
   */
  update(at: MemoryPlace, update: MemoryUpdate): Promise<MemoryOutcome>;
}

/** A session that reaches the memory branch as well. */
export interface MemorySession extends GitHubSession {
  memory: MemoryBranch;
}

/** A GitHub with memory branches. */
export interface GitHubMemory extends GitHub {
  at(ref: RepositoryRef, signal?: AbortSignal): MemorySession;
}
