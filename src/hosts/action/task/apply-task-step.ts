/**
 * The apply job of a task: pushes the proved commit and opens its pull request, or releases the task. No model and no
 * code of the repository runs here. The verify job ran that code, so only its result of the tests is trusted. This
 * job checks the branch, the scope and the changes itself, and signs.
 */
import type { TestedHead } from '../../../act/task/coder/coding-runtime.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import { recordApplied } from '../../../domain/actions/actions-state.ts';
import { forgetUnsigned } from '../../../domain/actions/unsigned-base.ts';
import { keepTask } from '../../../domain/actions/kept/kept-tasks.ts';
import {
  parseTaskProof,
  type TaskFailure,
  type TaskProof,
} from '../../../domain/actions/task-work.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import { RefusedError } from '../../../domain/event/errors.ts';
import type { TaskPull, TaskRun } from '../../../domain/task/task.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { refuseLostClaim } from '../job/lost-claim.ts';
import { findNoKey } from '../job/signing-key.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readTaskState, updateTaskState } from '../branch/task-state.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { findApp } from '../steps/find-app.ts';
import { sayAppActs } from '../steps/leave-to-app.ts';
import { reserveReview } from './reserve-review.ts';
import { believeSigned, openUnsigned, openWorkflowGitHub } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { playTask, type Known, type TaskPlayed } from './play-task.ts';
import { reasonOfEnd } from './reason-of-end.ts';
import { openTaskPerform } from './task-ports.ts';
import type { TaskTicket } from './task-ticket.ts';

export interface TaskApplied {
  pull: TaskPull | undefined;
  /** Under which its review goes on; undefined where there is nothing to review, or another run does it. */
  review?: ClaimTicket | undefined;
  /** For people: why there is no pull request. */
  why: string;
  written: number;
}

interface ToApply {
  ticket: TaskTicket;
  digest: string;
  coded: Known;
  /** Output of the verify job; empty where it named none. */
  proof: string;
}

/** What this job may do. */
export const APPLIED_KINDS: readonly EffectKind[] = [
  'verify',
  'publish',
  'check',
  'plan-edit',
  'release',
  'describe',
];

const TIMEOUT_MS = 8 * 60_000;

/** @throws RefusedError `intents-invalid` | `claim-lost` */
export async function applyTaskStep(
  basics: Basics,
  context: WorkflowContext,
  wanted: ToApply,
): Promise<TaskApplied> {
  const { claim, order } = wanted.ticket;
  const { repository } = context;
  const github = openUnsigned(basics, context);
  const place = { github, repository, branch: MEMORY_BRANCH, seen: {} };
  const { state } = await readTaskState(place);
  if (state.claims[claim]?.doneAt !== undefined)
    return { pull: undefined, why: 'It was done before.', written: 0 };
  refuseLostClaim(state, claim, { basics, context });
  const recorded = state.recorded[order.ref.plan.number] ?? [];
  const applying = { basics, context, place, recorded };
  const played = await carryOut(wanted, applying);
  const { run, done } = played;
  const review = run && (await record({ ...played, run }, wanted, applying));
  const written = done.filter(({ effectKind }) => effectKind !== 'verify').length;
  return { pull: run?.pull, review, why: reasonOfEnd(played, wanted.ticket.earlier), written };
}

interface Applying {
  basics: Basics;
  context: WorkflowContext;
  place: StatePlace;
  recorded: readonly number[];
}

async function carryOut(
  { ticket, digest, coded, proof }: ToApply,
  { basics, context, recorded }: Applying,
): Promise<TaskPlayed> {
  const { repository } = context;
  const { order, earlier, claim, claimed, at } = ticket;
  const believing = believeSigned(basics, recorded, repository.repositoryId);
  const github = openWorkflowGitHub(basics, context, believing);
  const { markerSecret } = believing;
  const noKey = findNoKey(basics.env);
  // A record that anybody could sign would be merged later; so nothing is pushed.
  const proved =
    noKey === undefined ? readProof(proof, { ticket, context, digest }) : toUnproved(noKey);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  try {
    const parts = { basics, github, store, repository, markerSecret };
    const isTested = 'headSha' in proved;
    return await playTask({
      basics,
      store,
      order,
      earlier,
      claim,
      at,
      known: [
        { result: { effectKind: 'claim', result: claimed } },
        coded,
        ...(isTested ? [] : [proved]),
      ],
      carriesOut: APPLIED_KINDS,
      perform: await openTaskPerform({
        ...parts,
        power: 'writes',
        ...(isTested && { known: { tested: proved } }),
      }),
      isFirst: ticket.isNew && context.attempt === 1,
      timeoutMs: TIMEOUT_MS,
    });
  } finally {
    await store.close();
  }
}

/**
 * The end of the claim, the record of the task and the claim of its review, in one commit. A job that died before it is run again, and finds what was
 * written. Failures count too: the next attempt has to know of them.
 */
async function record(
  { run, stream, told, failed }: TaskPlayed & { run: TaskRun },
  { ticket: { claim, order }, coded }: ToApply,
  { basics, context, place, recorded }: Applying,
): Promise<ClaimTicket | undefined> {
  const { repository } = context;
  const thread = order.ref.plan.number;
  const ids = run.pull === undefined ? [] : [run.pull.number];
  const headAt = told.flatMap(({ data }) => (data.kind === 'adopted' ? [data.headAt] : [])).at(-1);
  const kept = { stream, ...(headAt !== undefined && { headAt }) };
  const isSigned = findNoKey(basics.env) === undefined;
  const isOfApp = await isReviewedByApp(run, { basics, context });
  const { markerSecret: secret } = believeSigned(basics, recorded, repository.repositoryId);
  return updateTaskState(
    place,
    `quorum: record task ${order.ref.task} of #${thread}`,
    (state, tasks) => {
      const now = basics.clock.now();
      const applied = { event: claim, thread, ids, usd: usdOf(coded), now, isDone: true };
      const isRefused = failed.some(({ kind }) => kind === 'publish');
      const ended = recordApplied(isRefused ? forgetUnsigned(state) : state, applied);
      const { pull } = run;
      const reserved =
        pull === undefined || isOfApp
          ? { state: ended }
          : reserveReview(ended, { context, run: { ...run, pull }, now });
      return {
        state: reserved.state,
        ...(isSigned && { tasks: keepTask(tasks, kept, secret) }),
        told: 'ticket' in reserved ? reserved.ticket : undefined,
      };
    },
  );
}

/** The App may have begun with the pull request already. */
async function isReviewedByApp(
  { pull, order, headSha }: TaskRun,
  job: Pick<Applying, 'basics' | 'context'>,
): Promise<boolean> {
  if (pull === undefined || headSha === undefined) return false;
  const thread = { ...order.ref.plan, number: pull.number };
  if (!(await findApp(job.context, thread, headSha))) return false;
  await sayAppActs(job);
  return true;
}

interface Expected {
  ticket: TaskTicket;
  context: WorkflowContext;
  digest: string;
}

/**
 * The verify job's result of the tests. Where it stopped at an earlier gate, that gate is the result.
 *
 * @throws RefusedError `intents-invalid` for a proof of another change
 */
function readProof(text: string, expected: Expected): TestedHead | Unproved {
  if (text === '') return toUnproved(NOT_VERIFIED);
  const proof = parseTaskProof(text);
  if (proof === undefined || !isOf(proof, expected))
    throw new RefusedError({
      code: 'intents-invalid',
      message: 'Nothing was written. The proof is not of this change.',
    });
  const { done } = proof;
  if ('failed' in done) return toUnproved(done.failed);
  const judgement = done.receipts.at(-1);
  const hasEnded = judgement?.gate === '2' || judgement?.result !== 'passed';
  if (judgement === undefined || !hasEnded) return toUnproved(NOT_VERIFIED);
  return { headSha: done.headSha, judgement };
}

type Unproved = Extract<Known, { kind: string }>;

function toUnproved(failed: TaskFailure): Unproved {
  return { kind: 'verify', failed };
}

function isOf(
  { claim, workflowRun, of, done }: TaskProof,
  { ticket, context, digest }: Expected,
): boolean {
  const isOfHead =
    'failed' in done || done.receipts.every(({ headSha }) => headSha === done.headSha);
  return claim === ticket.claim && workflowRun === context.workflowRun && of === digest && isOfHead;
}

const NOT_VERIFIED: TaskFailure = {
  code: 'action-run-failed',
  message: 'the verify job ended without a result',
};

function usdOf(coded: Known): number {
  if (!('result' in coded) || coded.result.effectKind !== 'code') return 0;
  const { calls } = coded.result.result.report;
  return calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
}
