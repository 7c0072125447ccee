/** Reserves the review of a task's pull request: GitHub starts no workflow for what a workflow opened. */
import { claimEvent, type ActionsState } from '../../../domain/actions/actions-state.ts';
import { spentLastDay } from '../../../domain/actions/spending/book-spending.ts';
import type { TaskPull, TaskRun } from '../../../domain/task/task.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { findTrigger } from '../steps/find-trigger.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

export interface ReviewWanted {
  context: WorkflowContext;
  run: TaskRun & { pull: TaskPull };
  /** Milliseconds since the epoch. */
  now: number;
}

/** How long a review is held, in milliseconds: as long as the jobs `review` and `conclude` of a task may take. */
export const REVIEW_LASTS_MS = 60 * 60_000;

/** The state with the claim in it. No ticket where this run of the workflow has reviewed it. */
export function reserveReview(
  state: ActionsState,
  { context, run, now }: ReviewWanted,
): { state: ActionsState; ticket?: ClaimTicket } {
  const { workflowRun, attempt, repository } = context;
  const { number } = run.pull;
  const found = findTrigger(context, { kind: 'pull', number }, new Date(now).toISOString());
  if (found.kind === 'ignored') return { state };
  const { trigger, says } = found;
  const wanted = { event: says, workflowRun, attempt, now, lifeMs: REVIEW_LASTS_MS };
  const { verdict, state: claimed } = claimEvent(state, wanted);
  if (verdict.kind === 'refused') return { state };
  const { headSha } = run;
  return {
    state: claimed,
    ticket: {
      version: 1,
      claim: says,
      isNew: verdict.isNew,
      at: verdict.claim.at,
      thread: { ...repository, number, installationId: 0 },
      ...(headSha !== undefined && { headSha }),
      task: { run: run.id, ref: run.order.ref },
      recorded: state.recorded[number] ?? [],
      spentUsd: spentLastDay(state, now),
      trigger,
    },
  };
}
