/** Whether the repository is private: a summary and a channel may be public. */
import { z } from 'zod';
import { readOnce } from './workflow-github.ts';
import type { WorkflowContext } from './workflow-context.ts';

const Visible = z.object({ private: z.boolean() });

/** True only where GitHub says so: what is not known to be private is shown as to the public. */
export async function readVisibility(context: WorkflowContext): Promise<boolean> {
  const { owner, repo } = context.repository;
  const found = await readOnce(context, `/repos/${owner}/${repo}`, Visible).catch(() => undefined);
  return found?.private === true;
}
