/** Workflow runs and their jobs in GitHub's wire form. */
import type { WorkflowJob, WorkflowRun, WorkflowStep } from '../world/check-model.ts';
import type { Repository } from '../world/world-model.ts';
import { nodeId, type World } from '../world/world.ts';
import { toUserById, type Wire } from './accounts.ts';
import { listPullsOfHead } from './to-check-run.ts';
import { repositoryApiUrl, repositoryHtmlUrl, toMinimalRepository } from './repositories.ts';

export function toWorkflowRun(world: World, repository: Repository, run: WorkflowRun): Wire {
  const base = repositoryApiUrl(world, repository);
  const url = `${base}/actions/runs/${run.id}`;
  const links = ['jobs', 'logs', 'cancel', 'rerun', 'artifacts'] as const;
  const head = world.state.repositories.get(run.headRepositoryId) ?? repository;
  const previous = run.attempt === 1 ? null : `${url}/attempts/${run.attempt - 1}`;
  const wire: Wire = {
    id: run.id,
    name: nameOf(run),
    node_id: nodeId('WFR', run.id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.workflowPath,
    display_title: run.title ?? run.workflowPath,
    run_number: run.runNumber,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: workflowId(run.workflowPath),
    url,
    html_url: `${repositoryHtmlUrl(world, repository)}/actions/runs/${run.id}`,
    pull_requests: head.id === repository.id ? listPullsOfHead(world, repository, run.headSha) : [],
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.createdAt,
    actor: toUserById(world, run.actorId),
    triggering_actor: toUserById(world, run.actorId),
    check_suite_url: `${base}/check-suites/${run.id}`,
    workflow_url: `${base}/actions/workflows/${workflowId(run.workflowPath)}`,
    previous_attempt_url: previous,
    head_commit: null,
    repository: toMinimalRepository(world, repository),
    head_repository: toMinimalRepository(world, head),
  };
  for (const link of links) wire[`${link}_url`] = `${url}/${link}`;
  return wire;
}

/** A stable number for a workflow file: workflows have no state of their own here. */
export function workflowId(path: string): number {
  let hash = 7;
  for (const char of path) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007;
  return hash;
}

function nameOf({ workflowPath }: WorkflowRun): string {
  return (
    workflowPath
      .split('/')
      .at(-1)
      ?.replace(/\.ya?ml$/, '') ?? ''
  );
}

export function toJob(
  world: World,
  repository: Repository,
  { run, job }: { run: WorkflowRun; job: WorkflowJob },
): Wire {
  const base = repositoryApiUrl(world, repository);
  const html = `${repositoryHtmlUrl(world, repository)}/actions/runs/${run.id}/job/${job.id}`;
  return {
    id: job.id,
    run_id: run.id,
    run_url: `${base}/actions/runs/${run.id}`,
    run_attempt: job.attempt,
    node_id: nodeId('CR', job.id),
    head_sha: run.headSha,
    head_branch: run.headBranch,
    workflow_name: nameOf(run),
    url: `${base}/actions/jobs/${job.id}`,
    html_url: html,
    status: 'completed',
    conclusion: job.conclusion,
    created_at: job.startedAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    name: job.name,
    steps: job.steps.map(toStep),
    check_run_url: `${base}/check-runs/${job.id}`,
    labels: ['ubuntu-latest'],
    runner_id: 1,
    runner_name: 'emulator',
    runner_group_id: 1,
    runner_group_name: 'emulator',
  };
}

function toStep({ number, name, conclusion, startedAt, completedAt }: WorkflowStep): Wire {
  return {
    number,
    name,
    status: 'completed',
    conclusion,
    started_at: startedAt,
    completed_at: completedAt,
  };
}
