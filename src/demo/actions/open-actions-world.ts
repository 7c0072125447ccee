/** The demonstration's repository with the workflows of `examples/team` in it, on an embedded GitHub where Quorum's App is not installed. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createSandbox } from '../../adapters/bubblewrap/create-sandbox.ts';
import type { StandupsSigner } from '../../domain/actions/kept/kept-standups.ts';
import { startResultsService } from '../../emulator/actions/results-service.ts';
import { createGitHubEmulator } from '../../emulator/github/github-emulator.ts';
import type { GitHubEmulator } from '../../emulator/github/emulator-interface.ts';
import type { Basics } from '../../hosts/host-parts.ts';
import type { Env } from '../../hosts/environment/env-file.ts';
import { markerSecretFrom } from '../../hosts/environment/host-settings.ts';
import { openCoder } from '../open-coder.ts';
import { MAINTAINER, OWNER, REPOSITORY } from '../project/people.ts';
import { openActionsAccount, type ActionsAccount } from '../runner/actions-account.ts';
import { readWorkflowFile } from '../runner/read-workflow.ts';
import { runWorkflow, type JobRun, type WorkflowRunOptions } from '../runner/run-workflow.ts';
import { setStage } from '../stage.ts';

export interface ActionsWorld {
  emulator: GitHubEmulator;
  /** Of the account of all workflows. */
  appId: number;
  /** Says whether a sandbox is there. */
  says: string;
  mint: ActionsAccount['mint'];
  /** Who signs the records of the workflows. */
  signer: StandupsSigner;
  /** Runs a workflow of the repository for an event, and counts its jobs. */
  play(event: PlayedEvent): Promise<JobRun[]>;
  jobs(): number;
  close(): Promise<void>;
}

export interface PlayedEvent {
  /** File name of the workflow. */
  workflow: WorkflowName;
  name: string;
  payload: object;
  /** Login of who caused it. */
  by: string;
  /** Where somebody started it. */
  runId?: string;
}

export type WorkflowName = (typeof WORKFLOWS)[number];

const ROOT = path.resolve(import.meta.dirname, '../../..');
const WORKFLOWS = [
  'quorum.yml',
  'quorum-task.yml',
  'quorum-merge.yml',
  'quorum-standup.yml',
] as const;

/** No example has it: plans that end get their standup from the last merge. */
const STANDUP_CALLER = `name: quorum-standup
on:
  workflow_dispatch: { inputs: { plan: { required: true, type: string }, when: { type: string } } }
jobs:
  standup:
    permissions: { contents: write, issues: write, pull-requests: read }
    uses: replace-this-with-the-owner-of-your-quorum/quorum/.github/workflows/quorum-standup.yml@v0
    with: { plan: '\${{ inputs.plan }}', when: '\${{ inputs.when }}' }
    secrets: { QUORUM_ENCRYPTION_KEY: '\${{ secrets.QUORUM_ENCRYPTION_KEY }}' }
`;

async function readCaller(name: WorkflowName): Promise<string> {
  if (name === 'quorum-standup.yml') return STANDUP_CALLER;
  return readFile(path.join(ROOT, 'examples/team/.github/workflows', name), 'utf8');
}

/** @param mainOf - main file of the action that a step uses; the sources where it is left out */
export async function openActionsWorld(
  basics: Basics,
  mainOf: (uses: string) => string = sourceOf,
): Promise<ActionsWorld> {
  const { clock, random } = basics;
  const dir = await mkdtemp(path.join(os.tmpdir(), 'quorum-actions-'));
  const coder = await openCoder({ clock, random }, {});
  const github = { dir: path.join(dir, 'github'), clock, random, limits: { enforced: false } };
  const emulator = await createGitHubEmulator(github);
  emulator.createOrg(OWNER);
  await setStage(emulator, clock, { ...coder, more: [await addWorkflows()] });
  const account = await openActionsAccount(emulator, OWNER);
  const results = await startResultsService();
  const secrets = { QUORUM_ENCRYPTION_KEY: random.id() };
  let runs = 9_000_000;
  let jobs = 0;
  const machine = {
    emulator,
    secrets,
    machine: toMachine(coder.env, dir),
    ...(coder.isSandboxed && { sandbox: createSandbox({ sandbox: 'on', clock }) }),
    mainOf,
    mint: account.mint,
    results,
    dir,
  };
  return {
    emulator,
    appId: account.appId,
    says: coder.says,
    mint: account.mint,
    signer: {
      repositoryId: emulator.repository(REPOSITORY).id,
      secret: markerSecretFrom(secrets, ''),
    },
    jobs: () => jobs,
    play: async (event) => {
      runs += 1;
      const played = await playEvent(machine, event, String(runs));
      jobs += played.filter(({ conclusion }) => conclusion !== 'skipped').length;
      return played;
    },
    close: async () => {
      // Last: git's readers end in the background, which keeps no process alive.
      await emulator.close();
      await coder.close();
      await results.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

type Machine = Pick<ActionsWorld, 'emulator'> &
  Pick<
    WorkflowRunOptions,
    'secrets' | 'machine' | 'sandbox' | 'mainOf' | 'mint' | 'results' | 'dir'
  >;

/** @param nth - also the id of a run that nobody started by hand */
async function playEvent(machine: Machine, event: PlayedEvent, nth: string): Promise<JobRun[]> {
  const { emulator, dir, ...runner } = machine;
  return runWorkflow({
    ...runner,
    ...(await filesOf(event.workflow)),
    event: await toEvent(emulator, event),
    apiUrl: emulator.apiUrl,
    repository: REPOSITORY,
    runId: event.runId ?? nth,
    dir: path.join(dir, 'jobs', nth),
  });
}

async function addWorkflows() {
  const texts = await Promise.all(WORKFLOWS.map(readCaller));
  const write = WORKFLOWS.map((name, at) => [`.github/workflows/${name}`, texts[at] ?? '']);
  const message = 'Let the team work in workflows';
  return { message, author: MAINTAINER, daysAgo: 1, write: Object.fromEntries(write) };
}

async function filesOf(name: WorkflowName) {
  const called = await readFile(path.join(ROOT, '.github/workflows', name), 'utf8');
  return { caller: readWorkflowFile(await readCaller(name)), called: readWorkflowFile(called) };
}

/** The sources in place of a release's bundles. What Node made of them is kept from job to job. */
function sourceOf(uses: string): string {
  return path.join(ROOT, 'src/hosts/action/entries', `${actionIn(uses)}.ts`);
}

/** Name of an action of Quorum's own. */
export function actionIn(uses: string): string {
  return /\/action\/([\w-]+)@/.exec(uses)?.[1] ?? '';
}

function toMachine(env: Env, dir: string): Record<string, string> {
  const machine: Record<string, string> = { NODE_COMPILE_CACHE: path.join(dir, 'compiled') };
  for (const [name, value] of Object.entries(env)) if (value !== undefined) machine[name] = value;
  return machine;
}

/** As the runner writes it: a webhook's payload without an installation. */
async function toEvent(
  emulator: GitHubEmulator,
  { name, payload, by }: PlayedEvent,
): Promise<{ name: string; payload: object }> {
  const person = emulator.as(by);
  const [repository, sender] = await Promise.all([
    person.request('GET', `/repos/${REPOSITORY}`),
    person.request('GET', `/users/${by}`),
  ]);
  return { name, payload: { ...payload, repository, sender } };
}

/** What a step of a job told, such as the verdict of the job that asked the models. */
export function outputOf(jobs: readonly JobRun[], job: string, name: string): string {
  const steps = jobs.find((one) => one.name === job)?.steps ?? [];
  return steps.map(({ outputs }) => outputs[name] ?? '').find((value) => value !== '') ?? '';
}

/** What a person needs to see of jobs that failed. */
export function failuresIn(jobs: readonly JobRun[]): string[] {
  return jobs
    .filter(({ conclusion }) => conclusion === 'failure')
    .map(({ name, steps }) => {
      const error = steps.flatMap(({ log }) => log.match(/::error::.*/g) ?? []).at(-1);
      return `the job ${name} failed: ${error ?? 'without a reason'}`;
    });
}
