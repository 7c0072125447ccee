/** A plan whose tasks are worked on, reviewed and merged by workflows, as a runner starts their jobs; no App process. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { readWorkflowFile, type WorkflowFile } from '../../src/demo/runner/read-workflow.ts';
import { runWorkflow, type JobRun } from '../../src/demo/runner/run-workflow.ts';
import type { NewTask } from '../../src/domain/plan/body/render-plan.ts';
import { aPlanOf, planFiles } from './a-plan-story.ts';
import {
  anActionsWorld,
  anEvent,
  BUILD_DIR,
  type ActionsWorld,
  type JobWanted,
} from './a-workflow-run.ts';
import { REPO } from './a-world.ts';

export interface Planned {
  world: ActionsWorld;
  plan: number;
}

/** Tasks need it: it signs their records. */
export const SIGNING = { QUORUM_ENCRYPTION_KEY: randomBytes(32).toString('base64') };

const TEAM = 'examples/team/.github/workflows';
const read = (file: string): string => readFileSync(file, 'utf8');
const WORKFLOWS = ['quorum-task.yml', 'quorum-merge.yml'];

interface Staged {
  /** Who writes the plan. */
  by?: string;
  /** Workflows of the team that the repository has. */
  workflows?: readonly string[];
}

/** `ana` owns the repository, `tom` may write. */
export async function aPlannedWorld(
  tasks: NewTask[],
  settings = 'merge:\n  mode: auto\n',
  { by = 'ana', workflows: names = WORKFLOWS }: Staged = {},
): Promise<Planned> {
  const workflows = names.map((name) => [`.github/workflows/${name}`, read(`${TEAM}/${name}`)]);
  const files = { ...planFiles(settings), ...Object.fromEntries(workflows) };
  const world = await anActionsWorld(files);
  world.emulator.addCollaborator(REPO, 'tom', 'write');
  const { number } = await world.emulator
    .as(by)
    .openIssue(REPO, { title: '[PLAN] More', body: aPlanOf(tasks) });
  return { world, plan: number };
}

export interface Playing {
  runId?: string;
  /** Who started it. */
  by?: string;
  attempt?: number;
  secrets?: Record<string, string>;
  /** Called before the job with this number starts, from 1; skipped jobs do not count. */
  before?: (job: number) => Promise<void> | void;
  ended?: (job: JobRun) => void;
  /** What the machine of its jobs has in its environment. */
  machine?: Record<string, string>;
  /** Time limits of jobs, in minutes, instead of those of the workflow. */
  minutes?: Record<string, number>;
  /** A permission that no job gets, whatever its workflow says. */
  lacks?: string;
  /** Of a merge: the jobs of the standup too. */
  isWhole?: boolean;
}

/** Somebody starts a workflow on GitHub; returns the id of its run. */
export async function dispatch(
  { world }: Pick<Planned, 'world'>,
  name: string,
  inputs: Record<string, string>,
): Promise<string> {
  const ana = world.emulator.as('ana');
  const workflow = `/repos/${REPO}/actions/workflows/${name}`;
  await ana.request('POST', `${workflow}/dispatches`, { ref: 'main', inputs });
  const { workflow_runs: runs } = (await ana.request('GET', `${workflow}/runs`)) as {
    workflow_runs: { id: number }[];
  };
  return String(runs[0]?.id ?? 0);
}

export async function playTaskWorkflow(
  planned: Planned,
  task: number,
  over: Playing = {},
): Promise<JobRun[]> {
  const inputs = { plan: String(planned.plan), task: String(task) };
  const runId = over.runId ?? (await dispatch(planned, 'quorum-task.yml', inputs));
  const { by = 'ana' } = over;
  const payload = { inputs, ref: 'refs/heads/main', by };
  const event = await anEvent(planned.world, 'workflow_dispatch', payload);
  return playFile(planned.world, { ...over, name: 'quorum-task.yml', event, runId });
}

let runs = 5_000;

/** The workflow for an event of a pull request: a review by default. */
export async function playMergeWorkflow(
  { world }: Pick<Planned, 'world'>,
  event: JobWanted['event'],
  over: Playing = {},
): Promise<JobRun[]> {
  runs += 1;
  const runId = over.runId ?? String(runs);
  const jobs = await playFile(world, { ...over, name: 'quorum-merge.yml', event, runId });
  return over.isWhole === true ? jobs : jobs.filter(({ name }) => !STANDUP.has(name));
}

/** Jobs of the standup that follows the last merge of a plan. */
const STANDUP = new Set(['standup', 'tell']);

/** The workflow for what happens to issues. */
export function playTeamWorkflow(
  { world }: Pick<Planned, 'world'>,
  event: JobWanted['event'],
  over: Playing = {},
): Promise<JobRun[]> {
  runs += 1;
  const runId = over.runId ?? String(runs);
  return playFile(world, { ...over, name: 'quorum.yml', event, runId });
}

/** A person's review on GitHub, as the workflow's event. */
export async function anApproval(
  { world }: Pick<Planned, 'world'>,
  number: number,
  by = 'tom',
): Promise<JobWanted['event']> {
  const who = world.emulator.as(by);
  const pull = (await who.request('GET', `/repos/${REPO}/pulls/${number}`)) as {
    head: { sha: string };
  };
  const body = { event: 'APPROVE', commit_id: pull.head.sha };
  const made = await who.request('POST', `/repos/${REPO}/pulls/${number}/reviews`, body);
  const review = { ...(made as object), state: 'approved' };
  const payload = { action: 'submitted', pull_request: pull, review, by };
  return anEvent(world, 'pull_request_review', payload);
}

function withLimits(workflow: WorkflowFile, minutes: Record<string, number> = {}): WorkflowFile {
  const jobs = Object.entries(workflow.jobs).map(([name, job]) => {
    const limit = minutes[name];
    return [
      name,
      limit === undefined ? job : { ...job, 'timeout-minutes': String(limit) },
    ] as const;
  });
  return { ...workflow, jobs: Object.fromEntries(jobs) };
}

type PlayedFile = Playing & { name: string; event: JobWanted['event']; runId: string };

function playFile(world: ActionsWorld, of: PlayedFile): Promise<JobRun[]> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-run-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let jobs = 0;
  return runWorkflow({
    caller: readWorkflowFile(read(`${TEAM}/${of.name}`)),
    called: withLimits(readWorkflowFile(read(`.github/workflows/${of.name}`)), of.minutes),
    event: of.event,
    secrets: of.secrets ?? SIGNING,
    mainOf: (uses) => {
      const name = /\/action\/(\w+)@/.exec(uses)?.[1] ?? '';
      return path.resolve(BUILD_DIR, name, 'dist/index.js');
    },
    mint: async (permissions) => {
      jobs += 1;
      await of.before?.(jobs);
      const given = Object.entries(permissions).filter(([name]) => name !== of.lacks);
      return world.mint(Object.fromEntries(given));
    },
    ...(of.machine !== undefined && { machine: of.machine }),
    ...(of.ended !== undefined && { ended: of.ended }),
    results: world.results,
    apiUrl: world.emulator.apiUrl,
    repository: REPO,
    runId: of.runId,
    ...(of.attempt !== undefined && { attempt: of.attempt }),
    dir,
  });
}

export const conclusions = (jobs: readonly JobRun[]): string[] =>
  jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`);

/** What a reader needs to see of jobs that did not do as they should. */
export const told = (jobs: readonly JobRun[]): string =>
  jobs
    .flatMap(({ name, conclusion, steps }) => [
      `${name}: ${conclusion}`,
      ...steps.flatMap(({ log, summary }) => [
        ...(log.match(/::(?:error|warning)::.*/g) ?? []),
        summary,
      ]),
    ])
    .join('\n');

export const logOf = (jobs: readonly JobRun[]): string =>
  jobs
    .flatMap(({ name, steps }) => steps.map(({ log, summary }) => `${name}\n${log}\n${summary}`))
    .join('\n');

export interface ShownPull {
  number: number;
  body: string;
  merged_at: string | null;
  user: { login: string };
  head: { sha: string };
}

export async function pullsOf({ world }: Pick<Planned, 'world'>): Promise<ShownPull[]> {
  const all = `/repos/${REPO}/pulls?state=all&sort=created&direction=asc`;
  return (await world.emulator.as('ana').request('GET', all)) as ShownPull[];
}

export async function bodyOf({ world, plan }: Planned): Promise<string> {
  const issue = await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues/${plan}`);
  return (issue as { body: string }).body;
}

export async function checksOn({ world }: Pick<Planned, 'world'>, sha: string) {
  const address = `/repos/${REPO}/commits/${sha}/check-runs`;
  const found = await world.emulator.as('ana').request('GET', address);
  return (found as { check_runs: { name: string; conclusion: string }[] }).check_runs;
}
