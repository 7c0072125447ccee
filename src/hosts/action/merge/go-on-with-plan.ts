/** After a merge: the tasks that it made ready are started, or the plan ends with its report. */
import { findKeptTask, isKeptByUs } from '../../../domain/actions/kept/kept-tasks.ts';
import { toFailure, TransientError } from '../../../domain/event/errors.ts';
import type { TaskRun } from '../../../domain/task/task.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { believeSigned, openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { advancePlan, READ_AGAIN } from '../plan/advance-plan.ts';
import type { MergeTicket } from './merge-ticket.ts';

export interface AfterMerge {
  basics: Basics;
  context: WorkflowContext;
  ticket: MergeTicket;
}

export interface GoneOn {
  /** Lines for people. */
  told: string[];
  /** Fails the job, once its summary and outputs are written: a job that runs again goes on here. */
  failed?: unknown;
}

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/**
 * Never rejects: the merge is done. What may pass is tried again here, because no queue outlives the job.
 *
 * @param advance - called with the number of the try, from 1
 */
export async function goOnWithPlan(
  { clock, log }: Pick<Basics, 'clock' | 'log'>,
  advance: (nth: number) => Promise<string[]>,
): Promise<GoneOn> {
  for (let nth = 1; ; nth += 1) {
    try {
      return { told: await advance(nth) };
    } catch (error) {
      const { code, message, retryable } = toFailure(error);
      log.warn({ err: error, code, nth }, 'the plan could not go on after the merge');
      if (!retryable || nth === MAX_TRIES)
        return {
          told: [`The plan could not go on: ${message} (\`${code}\`). ${NEXT}`],
          failed: error,
        };
      const asked = error instanceof TransientError ? error.retryAfterMs : undefined;
      await clock.sleep(Math.min(asked ?? FIRST_WAIT_MS * 2 ** (nth - 1), MAX_WAIT_MS));
    }
  }
}

const NEXT = 'Run the failed job again. It starts the tasks, and merges nothing twice.';

/** Returns lines for people. */
export async function advanceAfterMerge(
  { basics, context, ticket: { claim, at, pull, isNew } }: AfterMerge,
  nth: number,
): Promise<string[]> {
  const run = await readMerged(pull, { basics, context });
  if (run === undefined) return [];
  const thread = { ...context.repository, number: run.order.ref.plan.number };
  const { told } = await advancePlan({
    basics,
    context,
    recorded: [],
    thread,
    claim: `${claim} plan`,
    at,
    trigger: { ...READ_AGAIN, thread },
    // An earlier try may have written before it failed.
    isFirst: isNew && context.attempt === 1 && nth === 1,
  });
  return told;
}

/** The task of this pull request, where a signed record says that a workflow merged it. */
export async function readMerged(
  pull: number,
  { basics, context }: Pick<AfterMerge, 'basics' | 'context'>,
): Promise<TaskRun | undefined> {
  const { repository } = context;
  const { markerSecret: secret } = believeSigned(basics, [], repository.repositoryId);
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const kept = findKeptTask(await readKeptTasks(place), pull);
  const run = kept?.stream.run;
  if (kept === undefined || run?.mergeSha === undefined) return undefined;
  return isKeptByUs(kept, secret) ? run : undefined;
}
