/** One job of a workflow: whether it runs, its steps one after the other, and what each leaves to those that follow. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { evaluateCondition, fillWith, interpolate, type Contexts } from './evaluate.ts';
import type { JobPermissions, WorkflowJob, WorkflowStep } from './read-workflow.ts';
import { runScriptStep } from './run-script.ts';
import { runActionStep } from './run-step.ts';
import type { JobRun, WorkflowRunOptions } from './run-workflow.ts';
import type { StepResult } from './step-files.ts';

export interface Running {
  options: WorkflowRunOptions;
  id: string;
  job: WorkflowJob;
  permissions: JobPermissions;
  contexts: Contexts;
  /** Jobs that ran before. */
  runs: readonly JobRun[];
}

type Ended = 'success' | 'failure' | 'skipped';

/** What the steps so far have left. */
interface Left {
  /** The job's own variables, and those of GITHUB_ENV. */
  env: Record<string, string>;
  paths: string[];
  steps: Record<string, { outputs: Record<string, string>; outcome: Ended; conclusion: Ended }>;
  done: StepResult[];
  isFailed: boolean;
}

export async function runJob(running: Running): Promise<JobRun> {
  const { options, id, job, permissions, runs } = running;
  const needed = runs.filter(({ name }) => job.needs.includes(name));
  const needs = Object.fromEntries(
    needed.map(({ name, outputs, conclusion }) => [name, { outputs, result: conclusion }]),
  );
  // A skipped job skips those that need it, as a failed one does.
  const before = {
    isFailed: needed.some(({ conclusion }) => conclusion !== 'success'),
    isCancelled: options.isCancelled?.() ?? false,
  };
  const skipped = { name: id, permissions, outputs: {}, steps: [] };
  if (!evaluateCondition(job.if, { ...running.contexts, needs }, before))
    return { ...skipped, conclusion: 'skipped' };
  const { 'id-token': idToken, ...ofToken } = permissions;
  const token = await options.mint(ofToken);
  const contexts = withToken({ ...running.contexts, needs }, token);
  const env = fillWith(job.env, contexts);
  const asks = idToken === 'write' ? offerIdToken(running) : {};
  const left: Left = { env, paths: [], steps: {}, done: [], isFailed: false };
  for (const [at, step] of job.steps.entries())
    await takeStep({ running: { ...running, contexts }, step, at, token, asks }, left);
  return {
    ...skipped,
    conclusion: left.isFailed ? 'failure' : 'success',
    outputs: fillWith(job.outputs, { ...contexts, env: left.env, steps: left.steps }),
    steps: left.done,
  };
}

/** Each job sees its own, in two places. */
function withToken(contexts: Contexts, token: string): Contexts {
  return {
    ...contexts,
    github: { ...Object(contexts['github']), token },
    secrets: { ...Object(contexts['secrets']), GITHUB_TOKEN: token },
  };
}

interface Taking {
  running: Running;
  step: WorkflowStep;
  /** Place in the job, from 0. */
  at: number;
  token: string;
  /** What a job that may ask for an OpenID Connect token finds in its environment. */
  asks: Readonly<Record<string, string>>;
}

async function takeStep(taking: Taking, left: Left): Promise<void> {
  const { running, step, at } = taking;
  const name = step.id ?? `step-${at}`;
  const before = { ...running.contexts, steps: left.steps, env: left.env };
  const env = { ...left.env, ...fillWith(step.env, before) };
  const contexts = { ...before, env };
  const status = { isFailed: left.isFailed, isCancelled: false };
  if (!evaluateCondition(step.if, contexts, status)) {
    left.steps[name] = { outputs: {}, outcome: 'skipped', conclusion: 'skipped' };
    return;
  }
  const result = await runStep({ ...taking, running: { ...running, contexts } }, { ...left, env });
  left.done.push(result);
  left.env = { ...left.env, ...result.env };
  left.paths = [...result.paths, ...left.paths];
  const outcome = result.exitCode === 0 ? 'success' : 'failure';
  const conclusion = step['continue-on-error'] ? 'success' : outcome;
  left.isFailed ||= conclusion === 'failure';
  left.steps[name] = { outputs: result.outputs, outcome, conclusion };
}

const MINUTE_MS = 60_000;

async function runStep(
  { running, step, token, asks }: Taking,
  { env, paths }: Pick<Left, 'env' | 'paths'>,
): Promise<StepResult> {
  const { options, id, job, contexts } = running;
  const dir = path.join(options.dir, options.runId, id);
  await mkdir(dir, { recursive: true });
  const event = path.join(dir, 'event.json');
  await writeFile(event, JSON.stringify(options.event.payload));
  const timeoutMs = Number(interpolate(job['timeout-minutes'], contexts)) * MINUTE_MS;
  const own = { ...options.machine, ...env, ...defaultsOf(running, event), ...asks };
  if (step.run !== undefined)
    return runScriptStep({
      sandbox: sandboxOf(running),
      script: interpolate(step.run, contexts),
      shell: step.shell,
      folder: step['working-directory'] && interpolate(step['working-directory'], contexts),
      readable: [event],
      paths,
      env: own,
      dir,
      timeoutMs,
    });
  if (step.uses === undefined) throw new Error(`A step of the job ${id} does nothing`);
  const { results, runId } = options;
  return runActionStep({
    main: options.mainOf(step.uses),
    dir,
    timeoutMs,
    inputs: { 'github-token': token, ...fillWith(step.with, contexts) },
    env: {
      ...own,
      PATH: [...paths, own['PATH'] ?? process.env['PATH'] ?? ''].join(':'),
      // Scripts do not get these two: they are for actions.
      ACTIONS_RESULTS_URL: results.url,
      ACTIONS_RUNTIME_TOKEN: results.createToken(runId, id),
    },
  });
}

function offerIdToken({ options, id }: Running): Record<string, string> {
  const { results, repository, runId } = options;
  return { ...results.offerIdToken({ repository, workflowRun: runId, job: id }) };
}

function sandboxOf({ options: { sandbox }, id }: Running) {
  if (sandbox?.sandbox === 'on') return sandbox;
  throw new Error(`A step of the job ${id} runs a script, and this machine has no sandbox for it`);
}

/** No step can change them for those that follow. */
function defaultsOf({ options, id }: Running, event: string): Record<string, string> {
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_JOB: id,
    GITHUB_EVENT_NAME: options.event.name,
    GITHUB_EVENT_PATH: event,
    GITHUB_RUN_ID: options.runId,
    GITHUB_RUN_ATTEMPT: String(options.attempt ?? 1),
    GITHUB_API_URL: options.apiUrl,
    // The artifact client takes any other address for an Enterprise Server, which has no such service.
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: options.repository,
    RUNNER_OS: 'Linux',
  };
}
