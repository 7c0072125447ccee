/**
 * Git on this machine: worktrees from a shared bare mirror, commits and pushes. No model and no repository code runs in
 * here: hooks, filters, submodules and credential helpers of a repository are never run.
 *
 * TransientError `git-unreachable`: network, 5xx. RefusedError `git-refused`: authentication, no such repository, a
 * protected branch. RefusedError `git-no-commit`: a commit that the remote does not have. RefusedError `disk-full`: it
 * would exceed a limit of the installation's or all worktrees. It is a TransientError where other work that ends makes
 * room.
 */
import type { Patch, BranchFacts } from '../domain/task/patch.ts';
import type { RepositoryRef } from '../domain/run/thread-ref.ts';

export interface WorktreeWanted {
  /** Unique on this machine: a folder name. Its former content is deleted first. */
  name: string;
  /** The branch that is made there, at `sha`. */
  branch: string;
  /** 40 hex digits; fetched from the remote where the mirror does not have it. */
  sha: string;
  /** Disk that the worktrees of the repository's installation may use together, in megabytes; the host may allow less. */
  limitMb: number;
}

export interface PushWanted {
  /** A commit that was made in one of Quorum's worktrees. */
  sha: string;
  branch: string;
  /** What the branch is believed to point to; undefined when it is believed not to be there. */
  expected: string | undefined;
}

export interface Git {
  open(ref: RepositoryRef, wanted: WorktreeWanted): Promise<Worktree>;
  /** `moved`: the branch points elsewhere than expected, and nothing was changed. `was-there`: it points to `sha` already. */
  push(ref: RepositoryRef, wanted: PushWanted): Promise<'pushed' | 'was-there' | 'moved'>;
  /** What the remote reports for a branch (`git ls-remote`); undefined when the branch does not exist. */
  remoteHead(ref: RepositoryRef, branch: string): Promise<string | undefined>;
  /**
   * Merges two commits without touching anything. Returns the merge's tree and a commit of it, which stays on this
   * machine to be opened; or the paths in conflict.
   */
  merge(
    ref: RepositoryRef,
    of: { base: string; head: string },
  ): Promise<
    | {
        outcome: 'clean';
        tree: string;
        commit: string;
        /** What it changes in the base; undefined when that is larger than `maxBytes`. */
        change: (maxBytes: number) => Promise<Pick<CommitMade, 'patch' | 'paths'> | undefined>;
      }
    | { outcome: 'conflict'; paths: string[] }
  >;
  /** A commit without a worktree: fetched from the remote where the mirror does not have it. */
  read(ref: RepositoryRef, sha: string): Promise<BaseReader>;
  /** Quorum's worktrees on this machine, for clean-up; `idleMs` since anything in them changed. */
  worktrees(): Promise<{ name: string; folder: string; branch: string; idleMs: number }[]>;
  remove(name: string): Promise<void>;
}

/**
 * A commit, as text; empty where there is nothing. A path of '' is the whole repository. The caller checks paths and
 * refs.
 */
export interface BaseReader {
  file(path: string): Promise<string>;
  /** Lines `path:line:text`, or `sha:path:line:text`, that hold this very text. */
  grep(text: string, path: string): Promise<string>;
  paths(path: string): Promise<string>;
  /** What led to the commit; absent where only its files can be read. */
  history?: {
    /** What it changed, whole and as a patch; undefined for a merge, a first commit, and what is too large. */
    commit(): Promise<CommitMade | undefined>;
    log(count: number, path: string): Promise<string>;
    /** From `ref` to the commit. */
    diff(ref: string, path: string): Promise<string>;
    /** All that it has beyond what it shares with another commit that is here. */
    ahead(of: string): Promise<string>;
  };
}

/** A commit on this machine, where nothing of it is followed or run. */
export interface TreeReader extends BaseReader {
  /** Mode of what is at the path itself: `040000` folder, `100644`, `120000` symbolic link; empty where there is nothing, undefined where git failed. */
  mode(path: string): Promise<string | undefined>;
}

export interface Worktree {
  /** What was there when it was opened. */
  readonly base: TreeReader;
  /** Absolute path of the folder with the files. */
  readonly folder: string;
  /** Folder of the git data, for a read-only mount. */
  readonly gitDir: string;
  /** Folders for what package managers download: of the repository, for those who install its base, and of this worktree. */
  readonly caches: { shared: string; own: string };
  /** Puts in what {@link leaveOut} kept under the key, anywhere in this repository; undefined when there is nothing. */
  fill(key: string): Promise<Filled | undefined>;
  /**
   * From now on, files in the folder that the commit does not have are left out of patches and commits. With a key (16
   * hex digits or more) they are moved to where other worktrees are filled from.
   */
  leaveOut(key?: string): Promise<void>;
  /** What differs in the folder from the commit that it was opened at, new files included, ignored ones left out. */
  patch(limits: { maxBytes: number }): Promise<Patch>;
  /** `refused`: nothing was changed, and why. */
  apply(patch: string): Promise<{ outcome: 'applied' } | { outcome: 'refused'; reason: string }>;
  /** Commits everything that differs. The same files, message, author and time give the same commit id. */
  commit(commit: {
    message: string;
    author: { name: string; email: string };
    /** Milliseconds since the epoch, of author and committer. */
    at: number;
  }): Promise<string>;
  /** What gates P, S and 1 look at. */
  facts(): Promise<BranchFacts>;
  /** Removes the worktree; the commits stay in the mirror. */
  close(): Promise<void>;
}

export interface Filled {
  /** Folder in which it was installed: programs may have written it into their files. */
  madeIn: string;
}

export interface CommitMade {
  /** Its one parent. */
  from: string;
  message: string;
  /** Milliseconds since the epoch, of its author. */
  at: number;
  patch: string;
  paths: string[];
}
