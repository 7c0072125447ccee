/**
 * Starts a workflow of a repository by a repository dispatch, and reads what its run left.
 *
 * Errors are those of ports/github/github.ts. What a run left is anybody's text: it is judged by who reads it.
 */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { DispatchedRun } from '../../domain/dispatch/choose-run.ts';
import type { RunArtifact } from '../../domain/dispatch/judge-artifact.ts';

export interface Dispatches {
  /** Keeps a text as a git blob of the repository, under no branch; returns its git id. Harmless to repeat. */
  keepText(ref: RepositoryRef, text: string): Promise<string>;
  /** Sent once. After a failure it may have had its effect: look for the run before sending again. */
  send(ref: RepositoryRef, dispatch: { event: string; payload: object }): Promise<void>;
  /**
   * What dispatches of all accounts started of a workflow since a moment: the newest thousand, which is all that GitHub lists.
   * Undefined where the workflow does not exist.
   *
   * @param of - name of the workflow's file, and the moment, ISO 8601
   */
  runsOf(
    ref: RepositoryRef,
    of: { file: string; since: string },
  ): Promise<DispatchedRun[] | undefined>;
  run(ref: RepositoryRef, id: number): Promise<DispatchedRun>;
  artifactsOf(ref: RepositoryRef, runId: number): Promise<RunArtifact[]>;
  /**
   * The files of an artifact.
   *
   * @param most - the files that it has to have, with the bytes that each may have unpacked
   * @throws RefusedError `intents-invalid` for other files, larger ones, and what is no archive
   */
  filesOf(
    ref: RepositoryRef,
    artifactId: number,
    most: ReadonlyMap<string, number>,
  ): Promise<Map<string, Uint8Array>>;
}
