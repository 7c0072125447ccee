/**
 * Reading builds: runs of workflows with their jobs and logs, and the checks of other services.
 *
 * Errors are those of ports/github/github.ts. Without the permission `actions` the workflow's parts throw RefusedError
 * `github-forbidden`.
 */
import type {
  BuildJob,
  BuildNote,
  BuildRun,
  BuildSource,
  CommitRange,
} from '../../domain/build/build.ts';
import type { CutLog, StepWindow } from '../../domain/build/cut-log.ts';
import type { MarkerKind } from '../../domain/github/marker.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubPulls, PullSession } from './pulls.ts';

export interface BuildReader {
  /**
   * What a workflow, or another App, reports for a branch, newest first: the last few, with those that are still
   * running. Runs of forks and for pull requests do not belong to the branch, even where it has the same name. Another
   * App has one entry at most: its checks at the branch's tip.
   */
  runsOf(
    ref: RepositoryRef,
    at: { source: BuildSource; branch: string; conclusion?: 'success' },
  ): Promise<BuildRun[]>;
  /** What each workflow and each other App says of one commit of this repository; our own checks are left out. */
  runsAt(ref: RepositoryRef, headSha: string): Promise<BuildRun[]>;
  /** Jobs of the run's attempt, or checks of the App at its commit, that failed: at most 50. */
  failedJobs(ref: RepositoryRef, run: BuildRun): Promise<BuildJob[]>;
  /** A job's log, cut to what matters; undefined when GitHub does not keep it any more. */
  log(
    ref: RepositoryRef,
    job: { id: number; steps: readonly StepWindow[]; maxChars?: number },
  ): Promise<CutLog | undefined>;
  /** What a job or check says of places in the code, the failures of it: at most 50. */
  notes(ref: RepositoryRef, jobId: number): Promise<BuildNote[]>;
  /** From the last commit of `baseSha` that `headSha` has too. Of a long range the oldest and the newest 100 commits. */
  range(ref: RepositoryRef, between: { baseSha: string; headSha: string }): Promise<CommitRange>;
  /** Number of Quorum's open issue with this marker. */
  issueOf(
    ref: RepositoryRef,
    marker: { kind: MarkerKind; key: string },
  ): Promise<number | undefined>;
}

/** A session that can read builds as well. */
export interface BuildSession extends PullSession {
  builds: BuildReader;
}

/** A GitHub with builds. */
export interface GitHubBuilds extends GitHubPulls {
  at(ref: RepositoryRef, signal?: AbortSignal): BuildSession;
}
