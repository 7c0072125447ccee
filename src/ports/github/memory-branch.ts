/**
 * The branch on which Quorum keeps what it learned: files that people read, edit and delete at any time.
 *
 * Errors are those of ports/github/github.ts, and those that `update` names.
 */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
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
  /** Also asked for, in the same request where the server can. */
  checksOn?: ChecksOn;
}

/** Check runs of one name on a commit. */
export interface ChecksOn {
  sha: string;
  name: string;
}

/** Whose they are. */
export interface CheckOnCommit {
  /** Short name of the App. */
  app: string;
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
  /** Those of `checksOn`; undefined where the request did not tell them all. */
  checks?: readonly CheckOnCommit[];
}

export interface MemoryUpdate {
  /** What `change` is given, and may change, as in {@link MemoryWanted}. */
  paths: readonly string[];
  /**
   * The same paths, read a moment ago; not together with `from`. A job of a workflow tries its first commit on that head
   * without reading. If that fails, or if nothing would change, the files are read.
   */
  seen?: Pick<MemorySnapshot, 'head' | 'files' | 'unread'>;
  /** Of the commit. */
  message: string;
  /**
   * For a branch of the repository's own files. A branch that does not exist is created from the tip of this one. Only
   * the files of roles and `.gitattributes` may be written.
   */
  from?: string;
  /** With `from`: a branch of the memory's own files, such as a proposal for them. */
  holds?: 'memory';
  /**
   * With `from`: a branch that exists gets what `change` makes of the files of `from` as they are now, in a commit on both
   * tips. What the branch itself said is not kept.
   */
  isRenewed?: boolean;
  /**
   * What the files should be: text by path, undefined to delete one; a file that is left out stays. It must be pure and
   * idempotent. It is called again with newer files after a lost race. It is also called again when a write took effect
   * but was reported as failed. So entries are identified by an id, not by their number.
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

/** Trimmed lines, `all` where GitHub cannot answer for this head, `untold` where it never says who pushed. */
export type DoubtfulLines = ReadonlySet<string> | 'all' | 'untold';

/** What was known of an earlier head. */
export interface KnownDoubt {
  head: string;
  doubtful: ReadonlySet<string>;
}

export interface MemoryBranch {
  /** One commit's files. A branch that was rewritten by force is read as it is now. */
  read(at: MemoryPlace, want: MemoryWanted): Promise<MemorySnapshot>;
  /**
   * Writes one commit, by fast-forward only: nothing that others wrote is lost. The first write makes the branch,
   * without a parent, with a README and merge rules. A deleted branch is made again from what `change` returns for no
   * files. A caller that wants its entries back keeps its own copies.
   *
   * @throws RefusedError. `memory-refused`: a rule of the repository, or a repository without a commit.
   *   `memory-path-refused`: a path outside `paths` or not of the memory; with `from`, not of roles. `memory-secret`: a
   *   text with a credential. `memory-unreadable`: it would overwrite a file that cannot be read, or write one.
   *   TransientError `memory-contended` when others were faster each of ten times
   */
  update(at: MemoryPlace, update: MemoryUpdate): Promise<MemoryOutcome>;
  /**
   * Lines of the personas' files that neither a person nor we pushed. Read are the pushes since the head that is known, at
   * most the newest 500.
   */
  doubtful(at: MemoryPlace, head: string, known?: KnownDoubt): Promise<DoubtfulLines>;
  /** Whether nobody but us pushed the branch, there or not; false where GitHub does not tell. */
  isOnlyOurs(at: MemoryPlace): Promise<boolean>;
}

/** A session that reaches the memory branch as well. */
export interface MemorySession extends GitHubSession {
  memory: MemoryBranch;
}

/** A GitHub with memory branches. */
export interface GitHubMemory extends GitHub {
  at(ref: RepositoryRef, signal?: AbortSignal): MemorySession;
}
