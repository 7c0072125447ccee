/** A repository with the workflow that writes code, on the embedded GitHub, and a coder that works through it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createActionsCoder } from '../../../../src/adapters/coder/actions/actions-coder.ts';
import { createGitHub } from '../../../../src/adapters/github/create-github.ts';
import { DISPATCH_WORKFLOW, type CodeData } from '../../../../src/domain/dispatch/code-order.ts';
import { TransientError } from '../../../../src/domain/event/errors.ts';
import { trusted } from '../../../../src/domain/prompt/prompt-text.ts';
import type { CoderOutcome, CoderTask } from '../../../../src/domain/task/coder-task.ts';
import type { ThreadRef } from '../../../../src/domain/run/thread-ref.ts';
import type { Dispatches } from '../../../../src/ports/github/dispatches.ts';
import type { Exchange } from '../../../../src/domain/task/exchange.ts';
import { createGitHubEmulator } from '../../../../src/emulator/github/github-emulator.ts';
import type { GitHubEmulator } from '../../../../src/emulator/github/emulator-interface.ts';
import type { WorkflowRun } from '../../../../src/emulator/github/world/check-model.ts';
import { anArchiveOf } from '../../../helpers/an-archive.ts';
import { DISPATCHED_FILES } from '../../../helpers/a-dispatched-run.ts';
import { withOpenApiCheck, type OpenApiWatch } from '../../../emulator/github/openapi.ts';
import { createTestClock, SECRET, steady, type TestClock } from '../../github/stage.ts';

const NAME = 'acme/widgets';
const MOST_LOOKS = 300;
const AT_WORK: ReadonlySet<string> = new Set(['workflow-running', 'workflow-not-shown']);
export const PATCH = 'diff --git a/src/a.js b/src/a.js\n';
export const TASK: CoderTask = {
  run: 'run-1',
  attempt: 1,
  prompt: trusted('Add it.'),
  guide: trusted(''),
  diff: undefined,
  model: undefined,
  limits: { turns: 10, minutes: 30, usd: 2 },
};

interface Looking {
  task?: CoderTask;
  signal?: AbortSignal;
}

export interface WorkflowWorld {
  emulator: GitHubEmulator;
  clock: TestClock;
  openApi: OpenApiWatch;
  installationId: number;
  /** An older version may have sent it, and put it on no record. */
  doubt(): void;
  /** Nothing is on record any more. */
  forget(): void;
  /** Somebody stops the task. */
  stop(): void;
  /** Called each time that the queue has waited. */
  onNap(act: () => void | Promise<void>): void;
  /** Looks until there is an outcome, as the queue does. */
  run(over?: Looking): Promise<CoderOutcome>;
  /** One look, as of a process that has just begun. */
  look(over?: Looking): Promise<CoderOutcome>;
  /** Whether a dispatch is on record. */
  isSent(): boolean;
  runs(): WorkflowRun[];
  /** Ends the first run that waits, with this archive or that of a change. */
  end(over?: {
    conclusion?: string;
    archive?: Buffer;
    work?: object;
    coded?: object;
    name?: string;
  }): Promise<void>;
  dispatches(): { eventType: string; clientPayload: unknown }[];
  /** What was put into the folder. */
  applied: string[];
  answers: Exchange[];
  /** The folder takes no change any more. */
  refuse(reason: string): void;
  /** The port, and the repository that it is asked about. */
  port: Dispatches;
  thread: ThreadRef;
}

export async function aWorkflowWorld(
  files: Readonly<Record<string, string>> = DISPATCHED_FILES,
): Promise<WorkflowWorld> {
  const dir = await mkdtemp(path.join(tmpdir(), 'quorum-dispatch-'));
  const clock = createTestClock();
  let nap: () => void | Promise<void> = () => undefined;
  const emulator = await createGitHubEmulator({ dir, clock });
  onTestFinished(async () => {
    await emulator.close();
    await rm(dir, { recursive: true, force: true });
  });
  const openApi = withOpenApiCheck(emulator);
  emulator.createUser('alice');
  emulator.createOrg('acme', { alice: 'admin' });
  const history = [{ message: 'feat: first', author: 'alice', files: { 'a.js': '', ...files } }];
  const made = { owner: 'acme', name: 'widgets', private: true, history };
  const repository = await emulator.createRepository(made);
  const permissions = { actions: 'read', contents: 'write', metadata: 'read' } as const;
  const { appId, privateKey } = await emulator.createApp({ name: 'Quorum', permissions });
  const installationId = emulator.installApp(appId, 'acme');
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey },
    baseUrl: emulator.apiUrl,
    markerSecret: SECRET,
    clock,
    random: steady,
    budgets: 'off',
  });
  const coder = createActionsCoder({ clock, self: () => github.app.self() });
  const thread = {
    installationId,
    repositoryId: repository.id,
    owner: 'acme',
    repo: 'widgets',
    number: 4,
  };
  let refusal: string | undefined;
  let isSent = false;
  let isInDoubt = false;
  let isStopped = false;
  let unseenSince: number | undefined;
  const port = github.at(thread).dispatches;
  const applied: string[] = [];
  const answers: Exchange[] = [];
  const runs = (): WorkflowRun[] => emulator.repository(NAME).workflowRuns;
  const look = ({
    task = TASK,
    signal = new AbortController().signal,
  }: Looking = {}): Promise<CoderOutcome> => {
    const { prompt } = task;
    const about = { kind: 'code', thread, task: 1, from: 'a'.repeat(40), prompt };
    const errand = {
      effectId: 'run-1/3-code',
      at: '2026-11-05T10:00:00.000Z',
      data: about as CodeData,
      isSent,
      ...(isInDoubt && !isSent && { isInDoubt }),
      ...(unseenSince !== undefined && { unseenSince }),
      sending: async () => void (isSent = true),
      notSent: async () => void (isSent = false),
      isStopped: async () => isStopped,
      dispatches: port,
      apply: (patch: string) => {
        if (refusal !== undefined)
          return Promise.resolve({ outcome: 'refused' as const, reason: refusal });
        applied.push(patch);
        return Promise.resolve({ outcome: 'applied' as const });
      },
      answered: (exchange: Exchange) => void answers.push(exchange),
    };
    return coder.run(task, { folder: '', gitDir: '', errand }, signal);
  };
  return {
    emulator,
    clock,
    openApi,
    installationId,
    applied,
    answers,
    port,
    thread,
    doubt: () => void (isInDoubt = true),
    forget: () => void (isSent = false),
    stop: () => void (isStopped = true),
    refuse: (reason) => void (refusal = reason),
    runs,
    onNap: (act) => void (nap = act),
    run: async (over) => {
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        try {
          return await look(over);
        } catch (error) {
          if (!(error instanceof TransientError) || !AT_WORK.has(error.code)) throw error;
          const isSeen = error.code === 'workflow-running';
          unseenSince = isSeen ? undefined : (unseenSince ?? clock.now());
          await clock.sleep(error.retryAfterMs ?? 0);
          await nap();
        }
      }
      throw new Error('it looks for ever');
    },
    look,
    isSent: () => isSent,
    end: async ({
      conclusion = 'success',
      archive,
      work = {},
      coded = {},
      name = 'quorum-code',
    } = {}) => {
      const run = runs().find(({ status }) => status === 'queued');
      if (run === undefined) return;
      const zip = archive ?? anArchiveOf(run, { work, coded, patch: PATCH });
      await emulator.endRun(NAME, { queued: run.id, conclusion, artifacts: { [name]: zip } });
    },
    dispatches: () => emulator.repository(NAME).dispatches,
  };
}

export { DISPATCH_WORKFLOW, NAME };
