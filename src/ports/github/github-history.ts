/** Commits, and the pull requests that brought them in. Errors are those of `github.ts`. */
import type { Actor, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';

/** Who changed what, and when. */
export interface GitHubHistory {
  /** Who edited a comment last; undefined where nobody did, or the server does not tell. */
  editor(ref: ThreadRef, commentId: number): Promise<Actor | undefined>;
  /** Commits up to `sha` that touched a path, children before their parents, at most 100; none where `sha` is not there. */
  commits(
    ref: RepositoryRef,
    at: { path: string; sha: string },
  ): Promise<{ commits: CommitFacts[]; isCut: boolean }>;
  /**
   * How a commit of the default branch came in by a pull request; undefined where it was pushed, or the server does not
   * tell.
   */
  broughtIn(ref: RepositoryRef, sha: string): Promise<MergedPull | undefined>;
}

/** A pull request that was merged into the default branch. */
export interface MergedPull {
  number: number;
  /** The head that was merged. */
  headSha: string;
  /** The commit of the base that has it. */
  mergeSha: string;
  mergedBy: Actor;
  /** GitHub or its merge queue merged it later than somebody asked for: nobody named the head that was merged. */
  isAutomatic: boolean;
  /** Whose last review approves, and which head. */
  approvals: { by: Actor; sha: string }[];
}

export interface CommitFacts {
  sha: string;
  /** Whether an App or another automated account authored or committed it, or nobody can tell who did. */
  isByAgent: boolean;
}
