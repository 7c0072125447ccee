/** Workflow runs as a runner would leave them: nothing is executed, and tests give the result. */
import { readRef } from '../git/objects.ts';
import type { WorkflowJob, WorkflowRun } from '../world/check-model.ts';
import type { Repository } from '../world/world-model.ts';
import { toWorkflowRun } from '../render/to-workflow-run.ts';
import { accountNamed } from '../world/seed.ts';
import { fullName, nextId, nowMs, repositoryNamed, toIso, type World } from '../world/world.ts';

/** A job that ended. Without steps it has one, which ended as the job did. */
export interface JobSeed {
  name?: string;
  /** As the run's by default. */
  conclusion?: string;
  /** `null`: it is gone. */
  log?: string | null;
  /** Names with how each ended; they share the job's minute. */
  steps?: Readonly<Record<string, string>>;
}

export interface RunSeed {
  conclusion: string;
  /** Path of the workflow's file. */
  workflow?: string;
  /** The branch whose tip was built; the default branch by default. */
  branch?: string;
  /** Full name of the fork that the branch is in. */
  from?: string;
  /** `push` by default. */
  event?: string;
  /** Who caused it; the owner by default. */
  actor?: string;
  jobs?: readonly JobSeed[];
  /** The id of a run that is run again: a new attempt of it. */
  again?: number;
  /** The id of a run that is queued already, as a dispatch leaves it. */
  queued?: number;
  /** Archives by their names. */
  artifacts?: Readonly<Record<string, Uint8Array>>;
}

const CI = '.github/workflows/ci.yml';

/** Ends a run and tells the Apps; returns the run. */
export async function endWorkflowRun(
  world: World,
  repository: Repository,
  seed: RunSeed,
): Promise<WorkflowRun> {
  const run = await beginRun(world, repository, seed);
  const jobs = seed.jobs ?? [{}];
  run.jobs.push(...jobs.map((job) => toJob(world, job, { run, seed })));
  run.artifacts = Object.entries(seed.artifacts ?? {}).map(([name, bytes]) => ({
    id: nextId(world),
    name,
    zip: Buffer.from(bytes).toString('base64'),
    isExpired: false,
    createdAt: toIso(nowMs(world)),
  }));
  run.status = 'completed';
  run.conclusion = seed.conclusion;
  run.updatedAt = toIso(nowMs(world));
  world.emit({
    event: 'workflow_run',
    action: 'completed',
    repository,
    sender: senderOf(world, repository, seed),
    payload: { workflow_run: toWorkflowRun(world, repository, run), workflow: null },
  });
  return run;
}

async function beginRun(world: World, repository: Repository, seed: RunSeed): Promise<WorkflowRun> {
  const at = toIso(nowMs(world));
  const again = repository.workflowRuns.find((run) => run.id === seed.again);
  if (again !== undefined) {
    again.attempt += 1;
    return again;
  }
  const queued = repository.workflowRuns.find((run) => run.id === seed.queued);
  if (queued !== undefined) return queued;
  const head = seed.from === undefined ? repository : repositoryNamed(world, seed.from);
  const branch = seed.branch ?? repository.defaultBranch;
  const sha = await readRef(head.gitDir, `refs/heads/${branch}`);
  if (sha === undefined) throw new Error(`${fullName(world, head)} has no branch ${branch}`);
  const path = seed.workflow ?? CI;
  const run: WorkflowRun = {
    id: nextId(world),
    runNumber: repository.workflowRuns.filter((one) => one.workflowPath === path).length + 1,
    workflowPath: path,
    attempt: 1,
    headRepositoryId: head.id,
    jobs: [],
    event: seed.event ?? 'push',
    headBranch: branch,
    headSha: sha,
    status: 'in_progress',
    conclusion: null,
    inputs: {},
    actorId: senderOf(world, repository, seed).id,
    createdAt: at,
    updatedAt: at,
  };
  repository.workflowRuns.push(run);
  return run;
}

function senderOf(world: World, repository: Repository, { actor }: RunSeed) {
  const [owner = ''] = fullName(world, repository).split('/');
  return accountNamed(world, actor ?? owner);
}

function toJob(
  world: World,
  { name = 'build', log = '', steps, ...job }: JobSeed,
  { run, seed }: { run: WorkflowRun; seed: RunSeed },
): WorkflowJob {
  const conclusion = job.conclusion ?? seed.conclusion;
  const completedAt = toIso(nowMs(world));
  const startedAt = toIso(nowMs(world) - 60_000);
  const named = Object.entries(steps ?? { [`Run ${name}`]: conclusion });
  return {
    id: nextId(world),
    attempt: run.attempt,
    name,
    conclusion,
    startedAt,
    completedAt,
    steps: named.map(([step, ended], index) => ({
      number: index + 1,
      name: step,
      conclusion: ended,
      startedAt,
      completedAt,
    })),
    log: log ?? undefined,
  };
}
