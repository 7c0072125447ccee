/** Whether a base's workflow files differ from those that a change was made on. */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { WORKFLOWS } from '../../domain/repository/workflow-guard.ts';
import type { Git } from '../../ports/git.ts';

export async function haveWorkflowsChanged(
  ref: RepositoryRef,
  { git, from, to }: { git: Git; from: string; to: string },
): Promise<boolean> {
  if (from === to) return false;
  // For the commit alone: the other one is compared with it.
  await git.read(ref, from);
  const { history } = await git.read(ref, to);
  const diff = await history?.diff(from, WORKFLOWS);
  return diff !== undefined && diff !== '';
}
