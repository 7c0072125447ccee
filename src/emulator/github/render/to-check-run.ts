/** Check runs, check suites and statuses in GitHub's wire form. */
import type { CheckRun, CheckSuite, CommitStatus } from '../world/check-model.ts';
import type { Repository } from '../world/world-model.ts';
import { nodeId, type World } from '../world/world.ts';
import { toUserById, type Wire } from './accounts.ts';
import { toMinimalPull } from './to-pull.ts';
import { repositoryApiUrl, repositoryHtmlUrl, toMinimalRepository } from './repositories.ts';
import { viaAppOf } from './to-thread.ts';

/** Open pull requests of the repository itself with this head: those of forks are not told here. */
export function listPullsOfHead(world: World, repository: Repository, sha: string): Wire[] {
  return [...repository.threads.values()]
    .filter(
      ({ state, pull }) =>
        state === 'open' && pull?.headSha === sha && pull.headRepositoryId === repository.id,
    )
    .map((thread) => toMinimalPull(world, repository, thread));
}

export function toCheckRun(world: World, repository: Repository, run: CheckRun): Wire {
  const url = `${repositoryApiUrl(world, repository)}/check-runs/${run.id}`;
  const html = `${repositoryHtmlUrl(world, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: html,
    details_url: run.detailsUrl ?? html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: {
      ...run.output,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: viaAppOf(world, run.appId),
    pull_requests: listPullsOfHead(world, repository, run.headSha),
  };
}

/** Completed when every run is, with the worst conclusion among them. */
export function suiteState(
  repository: Repository,
  suite: CheckSuite,
): { status: string; conclusion: string | null } {
  const runs = repository.checkRuns.filter((run) => run.suiteId === suite.id);
  if (runs.length === 0) return { status: 'queued', conclusion: null };
  if (runs.some((run) => run.status !== 'completed'))
    return { status: 'in_progress', conclusion: null };
  const order = [
    'failure',
    'timed_out',
    'action_required',
    'cancelled',
    'success',
    'neutral',
    'skipped',
  ];
  const worst = order.find((name) => runs.some((run) => run.conclusion === name));
  return { status: 'completed', conclusion: worst ?? 'neutral' };
}

export function toCheckSuite(world: World, repository: Repository, suite: CheckSuite): Wire {
  const url = `${repositoryApiUrl(world, repository)}/check-suites/${suite.id}`;
  const person = { name: 'unknown', email: 'unknown@users.noreply.github.com' };
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...suiteState(repository, suite),
    url,
    before: null,
    after: suite.headSha,
    pull_requests: listPullsOfHead(world, repository, suite.headSha),
    app: viaAppOf(world, suite.appId),
    repository: toMinimalRepository(world, repository),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    latest_check_runs_count: repository.checkRuns.filter((run) => run.suiteId === suite.id).length,
    check_runs_url: `${url}/check-runs`,
    head_commit: {
      id: suite.headSha,
      tree_id: suite.headSha,
      message: '',
      timestamp: suite.createdAt,
      author: person,
      committer: person,
    },
    rerequestable: true,
    runs_rerequestable: true,
  };
}

export function toStatus(world: World, repository: Repository, status: CommitStatus): Wire {
  const creator = toUserById(world, status.creatorId);
  return {
    url: `${repositoryApiUrl(world, repository)}/statuses/${status.sha}`,
    avatar_url: creator['avatar_url'],
    id: status.id,
    node_id: nodeId('SC', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator,
  };
}
