/** Runs of a workflow that a dispatch started, and which of them is the one that the App asked for. */
import { DISPATCH_WORKFLOW, runTitle } from './code-order.ts';

export interface DispatchedRun {
  id: number;
  /** As its `run-name` says. */
  title: string;
  event: string;
  /** Path of the workflow's file. */
  path: string;
  /** Account that sent the dispatch; undefined where it is gone. */
  actorId: number | undefined;
  /** Where its commit is: a fork's, or the repository itself. */
  headRepositoryId: number | undefined;
  /** Undefined until it has ended. */
  conclusion: string | undefined;
  /** ISO 8601. */
  createdAt: string;
  url: string;
}

export interface RunWanted {
  key: string;
  /** The App's own account: a person may send a dispatch with the same words. */
  actorId: number;
  repositoryId: number;
}

/** The first of them, where the answer to a dispatch was lost and it was sent twice. */
export function chooseRun(
  runs: readonly DispatchedRun[],
  { key, actorId, repositoryId }: RunWanted,
): DispatchedRun | undefined {
  return runs
    .filter(
      (run) =>
        run.title === runTitle(key) &&
        run.event === 'repository_dispatch' &&
        run.path === DISPATCH_WORKFLOW &&
        run.actorId === actorId &&
        run.headRepositoryId === repositoryId,
    )
    .toSorted((a, b) => a.id - b.id)[0];
}
