/**
 * Runs a workflow as GitHub's runner does: each job in its own folder, with a token that has only that job's
 * permissions. JavaScript actions run from their bundles; anything else that a workflow may use is refused.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResultsService } from '../../emulator/actions/results-service.ts';
import { evaluateCondition, interpolate, type Contexts } from './evaluate.ts';
import {
  capPermissions,
  type JobPermissions,
  type WorkflowFile,
  type WorkflowJob,
  type WorkflowStep,
} from './read-workflow.ts';
import { runActionStep, type StepResult } from './run-step.ts';

export interface WorkflowRunOptions {
  /** The repository's own workflow, and the one that it calls. */
  caller: WorkflowFile;
  called: WorkflowFile;
  event: { name: string; payload: object };
  secrets: Readonly<Record<string, string>>;
  /** What the machine itself has in its environment, beside the path to its programs. */
  machine?: Readonly<Record<string, string>>;
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
    // Machines of one's own have what the images of GitHub install first.
    const base = { github, vars: {}, runner: { environment: 'self-hosted' } };
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

function fillWith(
  texts: Readonly<Record<string, string>>,
  contexts: Contexts,
): Record<string, string> {
  const filled = Object.entries(texts).map(
    ([name, text]) => [name, interpolate(text, contexts)] as const,
  );
  return Object.fromEntries(filled);
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

interface Running {
  options: WorkflowRunOptions;
  id: string;
  job: WorkflowJob;
  permissions: JobPermissions;
  contexts: Contexts;
  runs: readonly JobRun[];
}

async function runJob(running: Running): Promise<JobRun> {
  const { options, id, job, permissions, runs } = running;
  const needed = runs.filter(({ name }) => job.needs.includes(name));
  const needs = Object.fromEntries(
    needed.map(({ name, outputs, conclusion }) => [name, { outputs, result: conclusion }]),
  );
  const contexts = { ...running.contexts, needs };
  // A skipped job skips those that need it, as a failed one does.
  const before = {
    isFailed: needed.some(({ conclusion }) => conclusion !== 'success'),
    isCancelled: options.isCancelled?.() ?? false,
  };
  const skipped = { name: id, permissions, outputs: {}, steps: [] };
  if (!evaluateCondition(job.if, contexts, before)) return { ...skipped, conclusion: 'skipped' };
  const token = await options.mint(permissions);
  const done: StepResult[] = [];
  const steps: Record<string, { outputs: Record<string, string>; conclusion: string }> = {};
  let isFailed = false;
  for (const [at, step] of job.steps.entries()) {
    const inStep = { ...contexts, steps, env: job.env };
    if (!evaluateCondition(step.if, inStep, { isFailed, isCancelled: false })) continue;
    const result = await runStep(step, { running, contexts: inStep, token });
    done.push(result);
    isFailed ||= result.exitCode !== 0 && !step['continue-on-error'];
    const conclusion = result.exitCode === 0 ? 'success' : 'failure';
    steps[step.id ?? `step-${at}`] = { outputs: result.outputs, conclusion };
  }
  const outputs = Object.entries(job.outputs).map(
    ([name, value]) => [name, interpolate(value, { ...contexts, steps })] as const,
  );
  return {
    ...skipped,
    conclusion: isFailed ? 'failure' : 'success',
    outputs: Object.fromEntries(outputs),
    steps: done,
  };
}

const MINUTE_MS = 60_000;

async function runStep(
  step: WorkflowStep,
  { running, contexts, token }: { running: Running; contexts: Contexts; token: string },
): Promise<StepResult> {
  const { options, id, job } = running;
  if (step.uses === undefined) throw new Error(`A step of the job ${id} uses no action`);
  const dir = path.join(options.dir, options.runId, id);
  await mkdir(dir, { recursive: true });
  const event = path.join(dir, 'event.json');
  await writeFile(event, JSON.stringify(options.event.payload));
  const fill = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    fillWith(texts, contexts);
  return runActionStep({
    main: options.mainOf(step.uses),
    dir,
    timeoutMs: Number(interpolate(job['timeout-minutes'], contexts)) * MINUTE_MS,
    inputs: { 'github-token': token, ...fill(step.with) },
    env: {
      PATH: process.env['PATH'] ?? '',
      ...options.machine,
      ...fill(job.env),
      ...fill(step.env),
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: options.event.name,
      GITHUB_EVENT_PATH: event,
      GITHUB_RUN_ID: options.runId,
      GITHUB_RUN_ATTEMPT: String(options.attempt ?? 1),
      GITHUB_API_URL: options.apiUrl,
      // The artifact client takes any other address for an Enterprise Server, which has no such service.
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: options.repository,
      ACTIONS_RESULTS_URL: options.results.url,
      ACTIONS_RUNTIME_TOKEN: options.results.createToken(options.runId, id),
    },
  });
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
