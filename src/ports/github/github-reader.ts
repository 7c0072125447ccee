/** Reads of a repository and its threads. Errors are those of `github.ts`. */
import type { Actor, Permission, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IssueView, PastIssue, SourceFile } from '../../domain/run/view.ts';

/** What GitHub says of a repository right now. */
export interface RepositoryFacts {
  fullName: string;
  isPrivate: boolean;
  isArchived: boolean;
  defaultBranch: string;
  /** Tip of the default branch; the empty string when the repository has no commit. */
  headSha: string;
  /** Host of its GitHub's pages; `github.com` when absent. */
  host?: string;
  /** Issues are switched off there. */
  hasNoIssues?: true;
}

/** A comment as GitHub has it; whether its marker is ours is judged by the caller of `parseMarker`. */
export interface CommentFacts {
  id: number;
  author: Actor;
  body: string;
  createdAt: string;
  updatedAt: string;
  /** Whether our own App wrote it. */
  isOurs: boolean;
  /** Reactions 👍 and 👎 of anybody; absent where the server does not count them. */
  thumbs?: { up: number; down: number };
}

/** Reads. All conditional: what has not changed costs nothing of the rate limit. */
export interface GitHubReader {
  repository(ref: RepositoryRef): Promise<RepositoryFacts>;
  /** The issue or pull request; throws RefusedError `github-not-found` when deleted, `github-moved` when transferred. */
  issue(ref: ThreadRef): Promise<IssueView['issue']>;
  /** Oldest first, at most `limit` of the newest. */
  comments(ref: ThreadRef, limit: number): Promise<CommentFacts[]>;
  /** By numeric user id: a login that now belongs to another account has no permission. Unknown is `none`. */
  permission(ref: RepositoryRef, user: { id: number; login: string }): Promise<Permission>;
  /** Every path at a commit, at most `limit`. */
  paths(
    ref: RepositoryRef,
    sha: string,
    limit: number,
  ): Promise<{ paths: string[]; isCut: boolean }>;
  /** File texts at a commit; those that do not exist, are binary or huge are left out, those over `maxBytes` are cut at a line. */
  files(
    ref: RepositoryRef,
    sha: string,
    want: { paths: string[]; maxBytes: number },
  ): Promise<SourceFile[]>;
  /** Issues of the repository, newest activity first; pull requests left out. */
  pastIssues(ref: RepositoryRef, limit: number): Promise<PastIssue[]>;
}
