/**
 * Runs a workflow as GitHub's runner does: each job in its own folder, with a token that has only that job's
 * permissions. JavaScript actions run from their bundles, scripts in a sandbox; anything else is refused.
 */
import type { ResultsService } from '../../emulator/actions/results-service.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { evaluateCondition, fillWith, interpolate } from './evaluate.ts';
import {
  capPermissions,
  type JobPermissions,
  type WorkflowFile,
  type WorkflowJob,
} from './read-workflow.ts';
import { runJob } from './run-job.ts';
import type { StepResult } from './step-files.ts';

export interface WorkflowRunOptions {
  /** The repository's own workflow, and the one that it calls. */
  caller: WorkflowFile;
  called: WorkflowFile;
  event: { name: string; payload: object };
  secrets: Readonly<Record<string, string>>;
  /** What the machine itself has in its environment, beside the path to its programs. */
  machine?: Readonly<Record<string, string>>;
  /** Whose machine it is; machines of one's own have what the images of GitHub install first. */
  machineOf?: 'self-hosted' | 'github-hosted';
  /** Where the scripts of `run:` steps are run. Without one, a step with a script is refused. */
  sandbox?: Sandbox;
  /** Main file of the action that a step uses. */
  mainOf: (uses: string) => string;
  mint: (permissions: JobPermissions) => Promise<string>;
  /** Called when a job ended. What it changes in the outputs is what the next jobs get. */
  ended?: (job: JobRun) => void;
  /** Asked before each job: whether somebody cancelled the run. */
  isCancelled?: () => boolean;
  results: ResultsService;
  apiUrl: string;
  repository: string;
  runId: string;
  attempt?: number;
  dir: string;
}

export interface JobRun {
  name: string;
  conclusion: 'success' | 'failure' | 'skipped';
  permissions: JobPermissions;
  outputs: Record<string, string>;
  steps: StepResult[];
}

/** The jobs in the order in which they ran; none where the workflow is not for the event. */
export async function runWorkflow(options: WorkflowRunOptions): Promise<JobRun[]> {
  const { caller, called, event } = options;
  if (!isFor(caller, event)) return [];
  const runs: JobRun[] = [];
  for (const [name, calling] of Object.entries(caller.jobs)) {
    if (calling.uses === undefined) throw new Error(`The job ${name} calls no workflow`);
    const github = githubContext(options);
    const runner = { environment: options.machineOf ?? 'self-hosted', os: 'Linux' };
    const base = { github, vars: {}, runner };
    if (!evaluateCondition(calling.if, { ...base, needs: {} }, NOTHING_BEFORE)) continue;
    const secrets = secretsOf(calling, options.secrets);
    const dispatched: unknown = Reflect.get(event.payload, 'inputs') ?? {};
    const inputs = { ...called.inputs, ...fillWith(calling.with, { ...base, inputs: dispatched }) };
    const given = calling.permissions ?? caller.permissions;
    for (const [id, job] of inOrder(called.jobs)) {
      const permissions = capPermissions(job.permissions ?? called.permissions, given);
      const contexts = { ...base, secrets, inputs };
      const run = await runJob({ options, id, job, permissions, contexts, runs });
      options.ended?.(run);
      runs.push(run);
    }
  }
  return runs;
}

const NOTHING_BEFORE = { isFailed: false, isCancelled: false };

function isFor({ events }: WorkflowFile, { name, payload }: WorkflowRunOptions['event']): boolean {
  if (!events.has(name)) return false;
  const types = events.get(name);
  const action: unknown = Reflect.get(payload, 'action');
  return types === undefined || (typeof action === 'string' && types.includes(action));
}

function secretsOf(
  { secrets }: WorkflowJob,
  held: Readonly<Record<string, string>>,
): Record<string, string> {
  if (secrets === 'inherit') return { ...held };
  const given = Object.entries(secrets).map(
    ([name, value]) => [name, interpolate(value, { secrets: held })] as const,
  );
  return Object.fromEntries(given);
}

/** Each after what it needs. */
function inOrder(jobs: Readonly<Record<string, WorkflowJob>>): [string, WorkflowJob][] {
  const left = new Map(Object.entries(jobs));
  const ordered: [string, WorkflowJob][] = [];
  while (left.size > 0) {
    const next = [...left].find(([, { needs }]) => needs.every((name) => !left.has(name)));
    if (next === undefined) throw new Error('The jobs need each other in a circle');
    left.delete(next[0]);
    ordered.push(next);
  }
  return ordered;
}

function githubContext({ event, repository, runId }: WorkflowRunOptions): object {
  return {
    event: event.payload,
    event_name: event.name,
    repository,
    run_id: runId,
    head_ref: '',
  };
}
