/** The files of a directory: of git's HEAD where it is a repository, of the disk where it is not. */
import type { PastIssue, SourceFile } from '../../domain/run/view.ts';
import type { CommitFacts } from '../../ports/github/github-history.ts';

export interface WorkingTree {
  /** `owner/repo` of the remote `origin`, else `local/<folder>`. */
  fullName: string;
  branch: string;
  /** Commit of HEAD; for a plain directory a digest of its file list. */
  headSha: string;
  /** Who works here, by git's configuration. */
  user: string;
  /** Plain files, sorted. */
  paths: readonly string[];
  file(path: string, maxBytes: number): Promise<SourceFile | undefined>;
  /** Those that touched a path, newest first, at most `limit`. */
  commits(path: string, limit: number): Promise<CommitFacts[]>;
  /** Issues that the history mentions, newest mention first. */
  pastIssues(limit: number): Promise<PastIssue[]>;
}
