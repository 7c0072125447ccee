/** Whether a pull request is the one that the record of a task is about, as GitHub shows it now. */
import { z } from 'zod';
import type { KeptTask } from '../../../domain/actions/kept/kept-tasks.ts';
import { ACTIONS_LOGIN, readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const Pull = z.object({
  user: z.object({ login: z.string() }).nullish(),
  head: z.object({
    sha: z.string(),
    ref: z.string(),
    repo: z.object({ id: z.number() }).nullable(),
  }),
});

/** Returns its head; undefined where a workflow of this repository did not open it from the task's branch. */
export async function readOwnHead(
  context: WorkflowContext,
  { stream: { run } }: KeptTask,
  number: number,
): Promise<string | undefined> {
  const { owner, repo, repositoryId } = context.repository;
  const pull = await readOnce(context, `/repos/${owner}/${repo}/pulls/${number}`, Pull);
  const isOwn =
    pull?.user?.login === ACTIONS_LOGIN &&
    pull.head.repo?.id === repositoryId &&
    pull.head.ref === run?.branch;
  return isOwn ? pull.head.sha : undefined;
}
