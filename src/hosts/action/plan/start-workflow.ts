/** Starts the repository's own workflow for a task, as a person would under _Actions_. */
import { z } from 'zod';
import type { GitHub } from '../../../ports/github/github.ts';
import { readOnce } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const TASK_WORKFLOW = 'quorum-task.yml';
const FOLDER = '.github/workflows/';
const MAX_BYTES = 100_000;

/** What people read where no workflow can be started. */
export const NO_TASK_WORKFLOW = `no workflow of this repository starts tasks. Run \`quorum init --with tasks\`, or copy \`${TASK_WORKFLOW}\` from the examples`;

const Listed = z.object({
  workflows: z.array(z.object({ path: z.string(), state: z.string() })),
});

/** File name of the workflow that a person starts for a task; undefined where the default branch has none. */
export async function findTaskWorkflow(
  context: WorkflowContext,
  github: GitHub,
  headSha: string,
): Promise<string | undefined> {
  const { repository } = context;
  const { owner, repo } = repository;
  const address = `/repos/${owner}/${repo}/actions/workflows?per_page=100`;
  const listed = await readOnce(context, address, Listed);
  const paths = (listed?.workflows ?? []).flatMap(({ path, state }) =>
    state === 'active' && path.startsWith(FOLDER) ? [path] : [],
  );
  if (paths.length === 0 || headSha === '') return undefined;
  const { read } = github.at(repository);
  const files = await read.files(repository, headSha, { paths, maxBytes: MAX_BYTES });
  return chooseTaskWorkflow(files);
}

/** The one with the usual name, else one that calls the reusable workflow. A person must be able to start it. */
export function chooseTaskWorkflow(
  files: readonly { path: string; text: string }[],
): string | undefined {
  const startable = files.filter(({ text }) => text.includes('workflow_dispatch'));
  const named = startable.find(({ path }) => path === `${FOLDER}${TASK_WORKFLOW}`);
  const calling = startable.find(({ text }) => text.includes(`/${FOLDER}${TASK_WORKFLOW}@`));
  return (named ?? calling)?.path.slice(FOLDER.length);
}

export type TaskStart =
  | { kind: 'started' }
  /** `isOpen`: it may have been started all the same. */
  | { kind: 'failed'; why: string; isOpen: boolean };

interface ToStart {
  /** File name. */
  workflow: string;
  plan: number;
  task: number;
}

const TIMEOUT_MS = 15_000;

/** Sent once: GitHub would start a second run. */
export async function startTask(
  { apiUrl, token, repository, defaultBranch }: WorkflowContext,
  { workflow, plan, task }: ToStart,
): Promise<TaskStart> {
  const { owner, repo } = repository;
  const address = `/repos/${owner}/${repo}/actions/workflows/${encodeURIComponent(workflow)}/dispatches`;
  try {
    const { ok, status } = await fetch(`${apiUrl}${address}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        'user-agent': 'quorum',
      },
      body: JSON.stringify({
        ref: defaultBranch,
        inputs: { plan: String(plan), task: String(task) },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (ok) return { kind: 'started' };
    return { kind: 'failed', why: refusalOf(status, workflow), isOpen: status >= 500 };
  } catch {
    return { kind: 'failed', why: 'GitHub did not answer', isOpen: true };
  }
}

function refusalOf(status: number, workflow: string): string {
  if (status === 403)
    return 'the job may not start workflows. Give `actions: write` to the job that calls this workflow';
  if (status === 404 || status === 422)
    return `GitHub cannot start \`${workflow}\` (${status}). It needs \`workflow_dispatch\` with the inputs \`plan\` and \`task\``;
  return `GitHub answered ${status}`;
}
