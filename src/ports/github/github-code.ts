/** The code of a whole repository, and the issues that Quorum opened. Errors are those of `github.ts`. */
import type { MarkerData } from '../../domain/github/marker.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { PastIssue, SourceFile } from '../../domain/run/view.ts';

/** A repository's code as a whole, and what we have opened issues about. */
export interface GitHubCode {
  /**
   * File texts at a commit as of `GitHubReader.files`, many in few calls, in the order asked for. Texts that no longer
   * fit into `totalBytes` are left out.
   */
  texts(ref: RepositoryRef, sha: string, want: TextsWanted): Promise<SourceFile[]>;
  /** SHA of each plain file's blob at a commit, by path. Costs nothing where the paths were read already. */
  blobs(ref: RepositoryRef, sha: string): Promise<ReadonlyMap<string, string>>;
  /** Issues that we opened ourselves, open and closed, last changed first; at most 1,000. */
  ownIssues(ref: RepositoryRef): Promise<OwnIssue[]>;
  /** Issues and pull requests, last changed first: the newest 100. */
  threads(
    ref: RepositoryRef,
    want: { state: 'open' | 'closed'; label?: string },
  ): Promise<PastIssue[]>;
}

export interface TextsWanted {
  paths: string[];
  /** Of one file: longer ones are cut at a line. */
  maxBytes: number;
  totalBytes: number;
}

/** An issue that Quorum opened, by the signed marker in its text. */
export interface OwnIssue {
  number: number;
  url: string;
  title: string;
  state: 'open' | 'closed';
  labels: string[];
  marker: MarkerData;
}
