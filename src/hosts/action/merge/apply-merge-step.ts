/**
 * The apply job of a merge: reads again all that the merge depends on, and decides by the App's policy. It merges exactly
 * the head that was proved, or writes what is missing. No model and no code of the repository runs here.
 */
import { recordApplied } from '../../../domain/actions/actions-state.ts';
import { parseMergeProof, type MergeProof } from '../../../domain/actions/merge-proof.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { refuseLostClaim } from '../job/lost-claim.ts';
import { requireKey } from '../job/signing-key.ts';
import { readActionsState, updateActionsState } from '../branch/state-branch.ts';
import { believeSigned, openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { leaveToApp } from '../steps/leave-to-app.ts';
import { ADVANCING, advanceTask, type Advanced } from './advance-task.ts';
import { readMerged } from './go-on-with-plan.ts';
import type { MergeTicket } from './merge-ticket.ts';

export interface MergeApplied {
  status: 'merged' | 'waiting' | 'given-back' | 'done-before' | 'left-to-app';
  /** For people: what is missing, or why the task was given back or left. */
  why: readonly string[];
  written: number;
  /** Number of the plan's issue, where this job has read it. */
  plan?: number;
  /** The App goes on with the plan. */
  isPlanLeft?: true;
}

interface ToMerge {
  ticket: MergeTicket;
  /** Output of the verify job; empty where nothing was tested. */
  proof: string;
}

const PLAN_LEFT =
  'It was merged before. The Quorum App is installed in this repository, and the plan is left to it.';

/** @throws RefusedError `signing-key-missing` | `intents-invalid` | `claim-lost` | `lease-lost` */
export async function applyMergeStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, proof }: ToMerge,
): Promise<MergeApplied> {
  requireKey(basics.env);
  const { claim, pull, news } = ticket;
  const place = { repository: context.repository, branch: MEMORY_BRANCH };
  const state = await readActionsState({ ...place, github: openUnsigned(basics, context) });
  // Also where this was done before: the plan goes on after that, and the App would take it on as well.
  const thread = { ...context.repository, number: pull };
  const toLeave = { ticket: { claim, thread, headSha: ticket.headSha }, usd: 0 };
  const left = await leaveToApp(toLeave, { basics, context });
  if (left !== undefined)
    return (await readMerged(pull, { basics, context })) === undefined
      ? { status: 'left-to-app', why: [left], written: 0 }
      : { status: 'done-before', why: [PLAN_LEFT], written: 0, isPlanLeft: true };
  if (state.claims[claim]?.doneAt !== undefined)
    return { status: 'done-before', why: ['It was done before.'], written: 0 };
  refuseLostClaim(state, claim, { basics, context });
  const recorded = state.recorded[pull] ?? [];
  const advanced = await advanceTask({
    basics,
    context,
    believing: believeSigned(basics, recorded, context.repository.repositoryId),
    pull,
    claim,
    news,
    carriesOut: ADVANCING,
    tests: readProof(proof, { ticket, context }),
    isFirst: ticket.isNew && context.attempt === 1,
  });
  if (advanced === undefined)
    throw new RefusedError({
      code: 'intents-refused',
      message: 'Nothing was merged. The record of this pull request is not one of an apply job.',
    });
  const github = openUnsigned(basics, context);
  await updateActionsState({ ...place, github }, `quorum: record the merge of #${pull}`, (now) => {
    const at = basics.clock.now();
    const applied = { event: claim, thread: pull, ids: [], usd: 0, now: at, isDone: true };
    return { state: recordApplied(now, applied), told: undefined };
  });
  return conclude(advanced);
}

/** @throws RefusedError `intents-invalid` for a proof of another merge */
function readProof(
  text: string,
  { ticket, context }: { ticket: MergeTicket; context: WorkflowContext },
): MergeProof | undefined {
  if (text === '') return undefined;
  const proof = parseMergeProof(text);
  const isOf = proof?.claim === ticket.claim && proof.workflowRun === context.workflowRun;
  if (proof !== undefined && isOf) return proof;
  throw new RefusedError({
    code: 'intents-invalid',
    message: 'Nothing was merged. The proof of the tests is not of this merge.',
  });
}

function conclude({ run, written }: Advanced): MergeApplied {
  const plan = run.order.ref.plan.number;
  if (run.mergeSha !== undefined) return { status: 'merged', why: [], written, plan };
  const isOver = run.phase.kind === 'ended';
  return isOver
    ? { status: 'given-back', why: run.notes, written }
    : { status: 'waiting', why: run.missing ?? [], written };
}
