/** An App whose code is written in workflows, and a runner that a test lets start them from their bundles. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { WorldOptions } from '../../src/demo/open-world.ts';
import { openActionsAccount } from '../../src/demo/runner/actions-account.ts';
import { readWorkflowFile } from '../../src/demo/runner/read-workflow.ts';
import { runWorkflow, type JobRun } from '../../src/demo/runner/run-workflow.ts';
import { DISPATCH_WORKFLOW } from '../../src/domain/dispatch/code-order.ts';
import type { WorkflowRun } from '../../src/emulator/github/world/check-model.ts';
import { startResultsService } from '../../src/emulator/actions/results-service.ts';
import { aPlanWorld, type PlanWorld } from './a-plan-story.ts';
import { BUILD_DIR } from './a-workflow-run.ts';
import { REPO } from './a-world.ts';
import { waitUntil } from './wait-until.ts';

const PLACEHOLDER = 'replace-this-with-the-id-that-quorum-doctor-shows';

interface Playing {
  /** Id of the account that the workflow names as the App's; the App's own by default. */
  app?: string;
  secrets?: Record<string, string>;
  /** What the machine of the job has in its environment. */
  machine?: Record<string, string>;
  /** Changes the archives before GitHub shows them. */
  tamper?: (archives: Record<string, Uint8Array>) => Record<string, Uint8Array>;
}

export interface DispatchedWorld extends PlanWorld {
  /** Resolves when a run of the workflow waits for a machine. */
  queued(): Promise<WorkflowRun>;
  /** Resolves when so many wait. */
  allQueued(count: number): Promise<WorkflowRun[]>;
  /** Runs its jobs, and ends it as they ended. */
  play(run: WorkflowRun, over?: Playing): Promise<JobRun[]>;
  dispatches(): { eventType: string; clientPayload: unknown }[];
  /** Text of what the last dispatch names. */
  lastOrder(): Promise<string>;
}

const TEXT = readFileSync('examples/app/.github/workflows/quorum-code.yml', 'utf8');
/** What a repository needs besides its project. */
export const DISPATCHED_FILES: Readonly<Record<string, string>> = { [DISPATCH_WORKFLOW]: TEXT };
export const DISPATCHED_ENV = { QUORUM_CODER: 'actions' };

interface Staged extends Pick<WorldOptions, 'app'> {
  settings?: string;
  files?: Readonly<Record<string, string>>;
  env?: Record<string, string>;
}

export async function aDispatchedWorld({
  settings = 'merge:\n  mode: auto\n',
  files = DISPATCHED_FILES,
  env = DISPATCHED_ENV,
  ...more
}: Staged = {}): Promise<DispatchedWorld> {
  return withDispatches(await aPlanWorld(settings, { env, ...more }, files));
}

export async function withDispatches(world: PlanWorld): Promise<DispatchedWorld> {
  const account = await openActionsAccount(world.emulator, 'acme');
  const results = await startResultsService();
  const dir = mkdtempSync(path.join(os.tmpdir(), 'quorum-dispatched-'));
  onTestFinished(async () => {
    await results.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const { emulator } = world;
  const runs = (): WorkflowRun[] => emulator.repository(REPO).workflowRuns;
  const isQueued = ({ status, workflowPath }: WorkflowRun): boolean =>
    status === 'queued' && workflowPath === DISPATCH_WORKFLOW;
  const eventOf = async (run: WorkflowRun): Promise<object> => {
    const ana = emulator.as('ana');
    const { actor } = (await ana.request('GET', `/repos/${REPO}/actions/runs/${run.id}`)) as {
      actor: object;
    };
    const repository = await ana.request('GET', `/repos/${REPO}`);
    const sent = emulator
      .repository(REPO)
      .dispatches.find(({ clientPayload }) => run.title?.endsWith(keyIn(clientPayload)));
    return {
      action: 'quorum-code',
      client_payload: sent?.clientPayload,
      repository,
      sender: actor,
    };
  };
  const allQueued = async (count: number): Promise<WorkflowRun[]> => {
    await waitUntil(() => runs().filter(isQueued).length >= count);
    return runs().filter(isQueued);
  };
  return Object.assign(world, {
    queued: async () => {
      const [run] = await allQueued(1);
      if (run === undefined) throw new Error('no run is queued');
      return run;
    },
    allQueued,
    play: async (
      run: WorkflowRun,
      { app, machine, secrets = {}, tamper = (same) => same }: Playing = {},
    ) => {
      run.status = 'in_progress';
      const id = app ?? String(emulator.app(world.appId).botId);
      const jobs = await runWorkflow({
        caller: readWorkflowFile(TEXT.replace(PLACEHOLDER, id)),
        called: readWorkflowFile(readFileSync(DISPATCH_WORKFLOW, 'utf8')),
        event: { name: 'repository_dispatch', payload: await eventOf(run) },
        secrets,
        ...(machine !== undefined && { machine }),
        mainOf: () => path.resolve(BUILD_DIR, 'code/dist/index.js'),
        mint: account.mint,
        results,
        apiUrl: emulator.apiUrl,
        repository: REPO,
        runId: String(run.id),
        dir,
      });
      const left = results.artifacts.filter(({ workflowRun }) => workflowRun === String(run.id));
      const archives = Object.fromEntries(left.map(({ name, bytes }) => [name, bytes]));
      const isFine = jobs.every(({ conclusion }) => conclusion !== 'failure');
      await emulator.endRun(REPO, {
        queued: run.id,
        conclusion: isFine ? 'success' : 'failure',
        artifacts: tamper(archives),
      });
      return jobs;
    },
    dispatches: () => emulator.repository(REPO).dispatches,
    lastOrder: async () => {
      const sent = emulator.repository(REPO).dispatches.at(-1)?.clientPayload;
      const id = String(Reflect.get(Object(sent), 'order'));
      const blob = await emulator.as('ana').request('GET', `/repos/${REPO}/git/blobs/${id}`);
      return Buffer.from((blob as { content: string }).content, 'base64').toString();
    },
  });
}

function keyIn(payload: unknown): string {
  const key: unknown = Reflect.get(Object(payload), 'key');
  return typeof key === 'string' ? key : 'no key';
}
