/** The job that writes code for an App: a coder in a sandbox, with a token that only reads. Its change goes on as a patch. */
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { toWorkCall, withinMost, type TaskFailure } from '../../../domain/actions/task-work.ts';
import type { CodeOrder } from '../../../domain/dispatch/code-order.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { LedgerEntry, ModelCall } from '../../../domain/run/ledger.ts';
import { taskKey } from '../../../domain/task/task.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { concludeTask, type TaskAgentResult } from '../task/agent-task-step.ts';
import { openTaskPerform } from '../task/task-ports.ts';

interface Session {
  order: CodeOrder;
  /** That it may last. */
  minutes: number;
}

export async function agentCodeStep(
  basics: Basics,
  context: WorkflowContext,
  { order, minutes }: Session,
): Promise<TaskAgentResult> {
  const ended = await writeCode(basics, context, { order, minutes });
  return concludeTask({ claim: order.key, workflowRun: context.workflowRun, ...ended });
}

/** More than a session can make. */
const MOST_READ = 100_000;

/** The PM answers on the plan's account. The App has no other news of what that cost. */
function withAnswers(result: CodeResult, answers: readonly LedgerEntry[]): CodeResult {
  const calls = [...result.report.calls, ...answers.map(toBareCall)];
  return { ...result, report: { ...result.report, calls } };
}

/** Without what only a ledger has. */
function toBareCall(entry: LedgerEntry): ModelCall {
  const { provider, pool, model, usage, costUsd, latencyMs, outcome, retries } = entry;
  return { provider, pool, model, usage, costUsd, latencyMs, outcome, retries };
}

/** As the App would carry the effect out, but for the lease: here it is only looked at. */
async function writeCode(
  basics: Basics,
  context: WorkflowContext,
  { order: { data, run, at, key, limits }, minutes }: Session,
): Promise<{ result: CodeResult } | { failure: TaskFailure }> {
  const believing = believeRecorded([]);
  const github = openWorkflowGitHub(basics, context, believing);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const { repository } = context;
  try {
    const perform = await openTaskPerform({
      basics,
      github,
      store,
      repository,
      markerSecret: believing.markerSecret,
      model: openModelPool(basics),
      power: 'runs',
      dispatched: limits,
      minutes,
    });
    const { number } = data.thread;
    const thread = { ...repository, number };
    const effect = { id: key, key: threadKey(thread), run, at, data: { ...data, thread } };
    const performed = await perform(effect, { isFirst: context.attempt === 1 });
    if (performed.effectKind !== 'code') throw new Error('A session brought something else');
    const answers = await store.records.calls({ key: effect.key, limit: MOST_READ });
    return { result: withAnswers(performed.result, answers) };
  } catch (error) {
    const { code, message } = toFailure(error);
    const { number } = data.thread;
    const plan = { ...repository, number };
    const keys = [threadKey(plan), taskKey({ plan, task: data.task })];
    const asked = await Promise.all(
      keys.map((of) => store.records.calls({ key: of, limit: MOST_READ })),
    );
    const calls = withinMost(asked.flat()).map(toWorkCall);
    return { failure: { code, message: message.slice(0, 4_000), calls } };
  } finally {
    await store.close();
  }
}
