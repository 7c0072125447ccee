/** The agent job of a task: a coder works in a sandbox, with a token that only reads. Its change goes on as a patch. */
import { createHash } from 'node:crypto';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { TaskWork, toCoded, type TaskFailure } from '../../../domain/actions/task-work.ts';
import type { Trajectory } from '../../../domain/actions/intents.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import { openModelPool, type Basics } from '../../host-parts.ts';
import { seedSpent } from '../job/seed-spent.ts';
import { believeRecorded, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { measureTrajectory } from '../tell/measure-trajectory.ts';
import { playTask } from './play-task.ts';
import { openTaskPerform } from './task-ports.ts';
import type { TaskTicket } from './task-ticket.ts';

export interface TaskAgentResult {
  work: TaskWork;
  patch: string;
  trajectory: Trajectory;
  usd: number;
  session: string;
}

export async function agentTaskStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, minutes }: { ticket: TaskTicket; minutes: number },
): Promise<TaskAgentResult> {
  const { clock } = basics;
  const believing = believeRecorded([]);
  const github = openWorkflowGitHub(basics, context, believing);
  const store = await openSqliteStore({ memory: true, clock });
  const { repository } = context;
  try {
    await seedSpent(store, { repository, usd: ticket.spentUsd, now: clock.now() });
    const { markerSecret } = believing;
    const model = openModelPool(basics);
    const parts = { basics, github, store, repository, markerSecret, model };
    const perform = await openTaskPerform({ ...parts, power: 'runs', minutes });
    const { done, failed } = await playTask({
      basics,
      store,
      order: ticket.order,
      earlier: ticket.earlier,
      claim: ticket.claim,
      at: ticket.at,
      known: [{ result: { effectKind: 'claim', result: ticket.claimed } }],
      carriesOut: ['code'],
      perform,
      isFirst: context.attempt === 1,
      timeoutMs: ticket.order.lease.lastsMs,
    });
    const [coded] = done;
    const result = coded?.effectKind === 'code' ? coded.result : undefined;
    const failure = failed[0]?.failure ?? NO_RESULT;
    const { workflowRun } = context;
    return concludeTask({ claim: ticket.claim, workflowRun, result, failure });
  } finally {
    await store.close();
  }
}

const NO_RESULT: TaskFailure = {
  code: 'action-run-failed',
  message: 'The coder ended without a result.',
};

export interface TaskEnding {
  claim: string;
  workflowRun: string;
  result?: CodeResult | undefined;
  /** Where there is no result. */
  failure?: TaskFailure;
}

/** What the agent job hands over. */
export function concludeTask({
  claim,
  workflowRun,
  result,
  failure = NO_RESULT,
}: TaskEnding): TaskAgentResult {
  const patch = result?.patch ?? '';
  const calls = result?.report.calls ?? [];
  // A cap that is exceeded is refused here too: the job that caused it says so.
  const work = TaskWork.parse({
    version: 1,
    claim,
    workflowRun,
    patch: createHash('sha256').update(patch).digest('hex'),
    done: result === undefined ? { failed: failure } : { coded: toCoded(result) },
  });
  return {
    work,
    patch,
    trajectory: measureTrajectory(calls),
    usd: calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    session: result?.report.sessionId ?? '',
  };
}
