/** When GitHub started this run of the workflow. */
import { z } from 'zod';
import { readOnce } from './workflow-github.ts';
import type { WorkflowContext } from './workflow-context.ts';

const Started = z.object({ created_at: z.iso.datetime() });

/** ISO 8601; undefined where GitHub knows no such run. */
export async function readRunStart(context: WorkflowContext): Promise<string | undefined> {
  const { owner, repo } = context.repository;
  const path = `/repos/${owner}/${repo}/actions/runs/${context.workflowRun}`;
  return (await readOnce(context, path, Started))?.created_at;
}
