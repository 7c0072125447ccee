/** Operations on workflows and their runs, and on what starts them by name. Nothing is executed here. */
import { z } from 'zod';
import { readFileAt, readTree, resolveCommit } from '../../git/objects.ts';
import { HttpError, notFound } from '../../behave/http-error.ts';
import { logUrl } from '../../world/logs.ts';
import type { WorkflowJob, WorkflowRun } from '../../world/check-model.ts';
import { alwaysReads, reads, writes } from '../../world/permissions.ts';
import { toJob, toWorkflowRun, workflowId } from '../../render/to-workflow-run.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../render/repositories.ts';
import {
  idParam,
  NO_CONTENT,
  ok,
  paged,
  param,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { nextId, nodeId, nowIso } from '../../world/world.ts';

const FOLDER = '.github/workflows';

export async function workflowPaths(call: RepositoryCall): Promise<string[]> {
  const { gitDir, defaultBranch } = call.repository;
  const entries = (await readTree(gitDir, `${defaultBranch}:${FOLDER}`)) ?? [];
  return entries.filter((one) => /\.ya?ml$/.test(one.path)).map((one) => `${FOLDER}/${one.path}`);
}

/** By file name or by number; a workflow that ran is known after its file is gone. */
async function workflowParam(call: RepositoryCall): Promise<string> {
  const asked = param(call, 'workflow_id');
  const ran = call.repository.workflowRuns.map((run) => run.workflowPath);
  const path = [...(await workflowPaths(call)), ...ran].find(
    (one) => one.endsWith(`/${asked}`) || String(workflowId(one)) === asked,
  );
  if (path === undefined) throw notFound();
  return path;
}

async function toWorkflow(call: RepositoryCall, path: string): Promise<Record<string, unknown>> {
  const { repository, world } = call;
  const id = workflowId(path);
  const sha = await resolveCommit(repository.gitDir, repository.defaultBranch);
  const source = sha === undefined ? undefined : await readFileAt(repository.gitDir, sha, path);
  const name = /^name:\s*(.+)$/m.exec(source?.toString() ?? '')?.[1]?.replace(/^['"]|['"]$/g, '');
  const html = repositoryHtmlUrl(world, repository);
  return {
    id,
    node_id: nodeId('W', id),
    name: name ?? path,
    path,
    state: 'active',
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    url: `${repositoryApiUrl(world, repository)}/actions/workflows/${id}`,
    html_url: `${html}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${html}/workflows/${encodeURIComponent(name ?? path)}/badge.svg`,
  };
}

async function listWorkflows(call: RepositoryCall): Promise<Answer> {
  const paths = await workflowPaths(call);
  const { page, headers } = paged(call, paths);
  const workflows = await Promise.all(page.map((path) => toWorkflow(call, path)));
  return { status: 200, headers, body: { total_count: paths.length, workflows } };
}

const Dispatch = z.looseObject({
  ref: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
});

async function dispatchWorkflow(call: RepositoryCall): Promise<Answer> {
  const { ref, inputs = {} } = parseBody(call, Dispatch);
  const path = await workflowParam(call);
  const { repository, world } = call;
  const sha = await resolveCommit(repository.gitDir, ref);
  if (sha === undefined) throw new HttpError(422, `No ref found for: ${ref}`);
  const source = (await readFileAt(repository.gitDir, sha, path))?.toString() ?? '';
  if (!/\bworkflow_dispatch\b/.test(source))
    throw new HttpError(422, "Workflow does not have 'workflow_dispatch' trigger");
  const at = nowIso(world);
  const run: WorkflowRun = {
    id: nextId(world),
    runNumber: repository.workflowRuns.filter((one) => one.workflowPath === path).length + 1,
    workflowPath: path,
    attempt: 1,
    headRepositoryId: repository.id,
    jobs: [],
    event: 'workflow_dispatch',
    headBranch: ref.replace(/^refs\/heads\//, ''),
    headSha: sha,
    status: 'queued',
    conclusion: null,
    inputs,
    actorId: sender(call).id,
    createdAt: at,
    updatedAt: at,
  };
  repository.workflowRuns.push(run);
  world.emit({
    event: 'workflow_dispatch',
    repository,
    sender: sender(call),
    payload: { inputs, ref: `refs/heads/${run.headBranch}`, workflow: path },
  });
  emitWorkflowRun(call, run, 'requested');
  return NO_CONTENT;
}

export function emitWorkflowRun(call: RepositoryCall, run: WorkflowRun, action: string): void {
  call.world.emit({
    event: 'workflow_run',
    action,
    repository: call.repository,
    sender: sender(call),
    payload: { workflow_run: toWorkflowRun(call.world, call.repository, run), workflow: null },
  });
}

function answerRuns(call: RepositoryCall, candidates: readonly WorkflowRun[]): Answer {
  const wanted: [string, (run: WorkflowRun) => string | null][] = [
    ['branch', (run) => run.headBranch],
    ['event', (run) => run.event],
    ['head_sha', (run) => run.headSha],
  ];
  const status = call.query.get('status');
  const chosen = candidates.filter(
    (run) =>
      wanted.every(([name, read]) => !call.query.has(name) || call.query.get(name) === read(run)) &&
      (status === null || run.status === status || run.conclusion === status),
  );
  const { page, headers } = paged(call, chosen.toReversed());
  const workflowRuns = page.map((run) => toWorkflowRun(call.world, call.repository, run));
  return {
    status: 200,
    headers,
    body: { total_count: chosen.length, workflow_runs: workflowRuns },
  };
}

export function runParam(call: RepositoryCall): WorkflowRun {
  const id = idParam(call, 'run_id');
  const run = call.repository.workflowRuns.find((one) => one.id === id);
  if (run === undefined) throw notFound();
  return run;
}

function cancelRun(call: RepositoryCall): Answer {
  const run = runParam(call);
  if (run.status === 'completed')
    throw new HttpError(409, 'Cannot cancel a workflow run that is completed.');
  run.status = 'completed';
  run.conclusion = 'cancelled';
  run.updatedAt = nowIso(call.world);
  emitWorkflowRun(call, run, 'completed');
  return { status: 202, body: {} };
}

function answerJobs(call: RepositoryCall, run: WorkflowRun, attempt: number): Answer {
  if (attempt < 1 || attempt > run.attempt) throw notFound();
  const jobs = run.jobs.filter((job) => job.attempt === attempt);
  const { page, headers } = paged(call, jobs);
  const wire = page.map((job) => toJob(call.world, call.repository, { run, job }));
  return { status: 200, headers, body: { total_count: jobs.length, jobs: wire } };
}

function jobParam(call: RepositoryCall): { run: WorkflowRun; job: WorkflowJob } {
  const id = idParam(call, 'job_id');
  for (const run of call.repository.workflowRuns) {
    const job = run.jobs.find((one) => one.id === id);
    if (job !== undefined) return { run, job };
  }
  throw notFound();
}

/** Where the log can be read for a minute; logs are kept for a while only. */
function redirectToLog(call: RepositoryCall): Answer {
  const { job } = jobParam(call);
  if (job.log === undefined) throw new HttpError(410, 'Gone');
  return { status: 302, headers: { location: logUrl(call.world, job) } };
}

const REPO = '/repos/{owner}/{repo}';
const RUN = `${REPO}/actions/runs/{run_id}`;
const JOB = `${REPO}/actions/jobs/{job_id}`;
const READ = reads('actions');
const WRITE = writes('write', 'actions');

export const actionRoutes: Route[] = [
  { method: 'GET', path: `${REPO}/actions/workflows`, need: READ, run: listWorkflows },
  {
    method: 'GET',
    path: `${REPO}/actions/workflows/{workflow_id}`,
    need: READ,
    run: async (call) => ok(await toWorkflow(call, await workflowParam(call))),
  },
  {
    method: 'POST',
    path: `${REPO}/actions/workflows/{workflow_id}/dispatches`,
    need: WRITE,
    run: dispatchWorkflow,
  },
  {
    method: 'GET',
    path: `${REPO}/actions/workflows/{workflow_id}/runs`,
    need: READ,
    run: async (call) => {
      const path = await workflowParam(call);
      return answerRuns(
        call,
        call.repository.workflowRuns.filter((one) => one.workflowPath === path),
      );
    },
  },
  {
    method: 'GET',
    path: `${REPO}/actions/runs`,
    need: READ,
    run: (call) => answerRuns(call, call.repository.workflowRuns),
  },
  {
    method: 'GET',
    path: RUN,
    need: READ,
    run: (call) => ok(toWorkflowRun(call.world, call.repository, runParam(call))),
  },
  { method: 'POST', path: `${RUN}/cancel`, need: WRITE, run: cancelRun },
  {
    method: 'GET',
    path: `${RUN}/jobs`,
    need: READ,
    run: (call) => answerJobs(call, runParam(call), runParam(call).attempt),
  },
  {
    method: 'GET',
    path: `${RUN}/attempts/{attempt_number}/jobs`,
    need: READ,
    run: (call) => answerJobs(call, runParam(call), idParam(call, 'attempt_number')),
  },
  {
    method: 'GET',
    path: JOB,
    need: READ,
    run: (call) => ok(toJob(call.world, call.repository, jobParam(call))),
  },
  // A log may hold more than the code does: it is shown to nobody without the permission.
  { method: 'GET', path: `${JOB}/logs`, need: alwaysReads('actions'), run: redirectToLog },
];
