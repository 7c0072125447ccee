/** Reads of builds in one session. */
import { DISPATCH_WORKFLOW } from '../../../domain/dispatch/code-order.ts';
import {
  RED,
  type BuildJob,
  type BuildNote,
  type BuildRun,
  type BuildSource,
} from '../../../domain/build/build.ts';
import { createLogCutter, type CutLog } from '../../../domain/build/cut-log.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { BuildReader } from '../../../ports/github/builds.ts';
import type { SessionContext } from '../bound.ts';
import { findOpen } from '../write/ensure-issue.ts';
import { isNotFound, isPassing } from '../client/github-failure.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import { checksAt, failedChecks } from './read-checks.ts';
import {
  LIST_ANNOTATIONS,
  LIST_JOBS,
  LIST_RUNS,
  LIST_RUNS_OF_WORKFLOW,
  LOCATE_LOG,
  type WireJob,
  type WireRun,
} from './build-operations.ts';
import { fetchRange } from './range.ts';

/** Enough to find the newest verdict behind runs that were cancelled or skipped. */
const LAST_RUNS = 30;
const MAX_JOBS = 50;
const MAX_NOTES = 50;
/** A log beyond that is read to here: its end is named as left out. */
const MAX_LOG_BYTES = 100_000_000;
const LOG_ATTEMPTS = 3;

export function createBuildReader(bound: SessionContext): BuildReader {
  return {
    runsOf: (ref, { source, branch, conclusion }) =>
      source.kind === 'workflow'
        ? runsOfWorkflow(bound, ref, { id: source.id, branch, conclusion })
        : checksAt(bound, ref, { sha: `heads/${branch}`, branch, appId: source.appId }),
    runsAt: async (ref, headSha) => [
      ...(await workflowsAt(bound, ref, headSha)),
      ...(await checksAt(bound, ref, { sha: headSha, branch: '' })),
    ],
    failedJobs: (ref, run) =>
      run.source.kind === 'workflow'
        ? failedJobs(bound, ref, run)
        : failedChecks(bound, ref, { sha: run.headSha, appId: run.source.appId }),
    log: (ref, job) => readLog(bound, ref, job),
    notes: (ref, jobId) => readNotes(bound, ref, jobId),
    range: (ref, between) => fetchRange(bound, ref, between),
    issueOf: async (ref, marker) => (await findOpen(bound, ref, marker))?.number,
  };
}

interface OfWorkflow {
  id: number;
  branch: string;
  conclusion: 'success' | undefined;
}

async function runsOfWorkflow(
  bound: SessionContext,
  ref: RepositoryRef,
  { id, branch, conclusion }: OfWorkflow,
): Promise<BuildRun[]> {
  const { data } = await bound.calls.get(LIST_RUNS_OF_WORKFLOW, {
    ...bound.places.last(ref),
    workflow_id: id,
    branch,
    exclude_pull_requests: true,
    per_page: LAST_RUNS,
    ...(conclusion !== undefined && { status: conclusion }),
  });
  return data.workflow_runs
    .filter((run) => isHere(ref, run) && !/^(?:pull_request|merge_group)/.test(run.event))
    .map(toRun);
}

/** Of each workflow the newest run for each event: a push and the pull request of it are two. */
async function workflowsAt(
  bound: SessionContext,
  ref: RepositoryRef,
  headSha: string,
): Promise<BuildRun[]> {
  const { data } = await bound.calls.get(LIST_RUNS, {
    ...bound.places.last(ref),
    head_sha: headSha,
    exclude_pull_requests: true,
    per_page: PER_PAGE,
  });
  const newest = new Map<string, WireRun>();
  for (const run of data.workflow_runs.filter((one) => isHere(ref, one))) {
    const key = `${run.workflow_id} ${run.event}`;
    const known = newest.get(key);
    if (known === undefined || known.run_number < run.run_number) newest.set(key, run);
  }
  return [...newest.values()].map(toRun);
}

/**
 * GitHub lists a fork's run under the branch names of this repository. Sessions of a coder that the App asked for are no
 * builds.
 */
function isHere(ref: RepositoryRef, run: WireRun): boolean {
  return run.head_repository?.id === ref.repositoryId && run.path !== DISPATCH_WORKFLOW;
}

function toRun(run: WireRun): BuildRun {
  const source: BuildSource = { kind: 'workflow', id: run.workflow_id };
  return {
    id: run.id,
    source,
    attempt: run.run_attempt,
    number: run.run_number,
    name: run.name === '' ? run.path : run.name,
    path: run.path.split('@')[0],
    event: run.event,
    branch: run.head_branch,
    headSha: run.head_sha,
    conclusion: run.status === 'completed' ? (run.conclusion ?? undefined) : undefined,
    url: run.html_url,
    endedAt: run.updated_at,
  };
}

async function failedJobs(
  bound: SessionContext,
  ref: RepositoryRef,
  run: BuildRun,
): Promise<BuildJob[]> {
  const params = {
    ...bound.places.last(ref),
    run_id: run.id,
    attempt_number: run.attempt,
    per_page: PER_PAGE,
  };
  const failed: WireJob[] = [];
  for await (const { jobs } of eachPage(bound.calls, LIST_JOBS, params)) {
    failed.push(...jobs.filter((job) => RED.has(job.conclusion ?? '')));
    if (failed.length >= MAX_JOBS) break;
  }
  return failed.slice(0, MAX_JOBS).map(toJob);
}

function toJob(job: WireJob): BuildJob {
  return {
    id: job.id,
    name: job.name,
    conclusion: job.conclusion ?? '',
    url: job.html_url,
    steps: job.steps
      .filter((step) => RED.has(step.conclusion ?? ''))
      .map((step) => ({ name: step.name, from: step.started_at, to: step.completed_at })),
    text: undefined,
  };
}

type OfJob = Parameters<BuildReader['log']>[1];

/** The address is good for a minute, so a lost answer begins with a new one. */
async function readLog(
  bound: SessionContext,
  ref: RepositoryRef,
  { id, ...options }: OfJob,
): Promise<CutLog | undefined> {
  const params = { ...bound.places.last(ref), job_id: id };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const cutter = createLogCutter(options);
      const url = await bound.calls.locate(LOCATE_LOG, params);
      const take = (piece: string): void => cutter.push(piece);
      const isWhole = await bound.calls.read(url, { take, maxBytes: MAX_LOG_BYTES });
      if (!isWhole) cutter.push('\n(the log goes on, and was not read further)\n');
      return cutter.finish();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (attempt >= LOG_ATTEMPTS || !isPassing(error)) throw error;
    }
  }
}

async function readNotes(
  bound: SessionContext,
  ref: RepositoryRef,
  jobId: number,
): Promise<BuildNote[]> {
  const params = { ...bound.places.last(ref), check_run_id: jobId, per_page: MAX_NOTES };
  const found = await bound.calls.find(LIST_ANNOTATIONS, params);
  return (found?.data ?? [])
    .filter((note) => note.annotation_level === 'failure')
    .map((note) => ({
      path: note.path,
      line: note.start_line,
      message: note.title === '' ? note.message : `${note.title}: ${note.message}`,
    }));
}
