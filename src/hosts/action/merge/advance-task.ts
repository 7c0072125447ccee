/**
 * Takes an open task further after news of its pull request, from the record that an earlier apply job kept. The App's
 * reducer and its policy for merges decide. No model and no code of the repository runs here.
 */
import { leasePlace } from '../../../act/task/coder/coding-runtime.ts';
import { renewLease } from '../../../act/task/lease/take-lease.ts';
import {
  findKeptTask,
  isKeptByUs,
  type KeptTask,
} from '../../../domain/actions/kept/kept-tasks.ts';
import { toRetestResult, type MergeProof } from '../../../domain/actions/merge-proof.ts';
import type { PullNews } from '../../../domain/event/event.ts';
import type { EffectData, EffectKind } from '../../../domain/event/effect.ts';
import { RefusedError, TransientError } from '../../../domain/event/errors.ts';
import type { TaskRef, TaskRun } from '../../../domain/task/task.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readKeptTasks, writeKeptTask } from '../branch/kept-tasks-branch.ts';
import { requireKey } from '../job/signing-key.ts';
import { openWorkflowGitHub, type Believing } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { Known, TaskPlayed } from '../task/play-task.ts';
import { playKept } from './play-kept.ts';
import { readOwnHead } from './read-own-head.ts';

export interface Advancing {
  basics: Basics;
  context: WorkflowContext;
  believing: Believing;
  /** What this job has read of the state; without it, all is read here. */
  place?: StatePlace;
  /** Number of the pull request. */
  pull: number;
  /** Key of the claim that this job works under. */
  claim: string;
  news: PullNews;
  carriesOut: readonly EffectKind[];
  /** What the job that ran the tests says of the merge. */
  tests?: MergeProof | undefined;
  /** Whether an earlier attempt can have written nothing yet. */
  isFirst: boolean;
}

export interface Advanced {
  run: TaskRun;
  /** What was wanted and belongs to another job. */
  wanted: readonly EffectData[];
  written: number;
}

/** What an apply job writes for a task whose pull request is open. */
export const ADVANCING: readonly EffectKind[] = [
  'look-merge',
  'check',
  'merge',
  'plan-edit',
  'release',
  'drop-branch',
  'describe',
];

const TIMEOUT_MS = 8 * 60_000;
const MAX_TRIES = 3;

/**
 * Undefined where the pull request is no task's, or its record is not one that an apply job with this key wrote.
 *
 * @throws RefusedError `signing-key-missing`; `lease-lost` where somebody else has taken the task
 */
export async function advanceTask(advancing: Advancing): Promise<Advanced | undefined> {
  requireKey(advancing.basics.env);
  const github = openWorkflowGitHub(advancing.basics, advancing.context, advancing.believing);
  const { repository } = advancing.context;
  const place = advancing.place ?? { github, repository, branch: MEMORY_BRANCH };
  const secret = advancing.believing.markerSecret;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const kept = findKeptTask(await readKeptTasks(place), advancing.pull);
    if (kept === undefined || !isKeptByUs(kept, secret)) return undefined;
    const headSha = await readOwnHead(advancing.context, kept, advancing.pull);
    if (headSha === undefined) return undefined;
    await refuseLostTask(kept, advancing, github);
    const { stream, run, wanted, done } = await play(kept, advancing, github);
    if (run === undefined) return undefined;
    const next = { stream, ...(kept.headAt !== undefined && { headAt: kept.headAt }) };
    if (await writeKeptTask(place, { kept: next, secret, instead: kept }))
      return { run, wanted, written: done.filter((one) => isWrite(one.effectKind)).length };
  }
  throw new TransientError({
    code: 'memory-contended',
    message: `Another job keeps changing the record of #${advancing.pull}.`,
  });
}

function isWrite(kind: EffectKind): boolean {
  return kind !== 'look-merge' && kind !== 'retest';
}

type WorkflowGitHub = ReturnType<typeof openWorkflowGitHub>;

/** A hold that ran out is renewed, unless somebody took the task meanwhile. */
async function refuseLostTask(
  { stream: { run } }: KeptTask,
  { basics, context }: Advancing,
  github: WorkflowGitHub,
): Promise<void> {
  if (run === undefined || run.phase.kind === 'ended') return;
  if (run.lease === undefined) throw leaseLost(run);
  const { ref, lease: leaseAt } = run.order;
  const { leases } = github.at(context.repository);
  const place = leasePlace({ thread: ref.plan, task: ref.task, leaseAt }, '');
  const { lastsMs } = leaseAt;
  const wanted = { own: run.lease, lastsMs, atLeastMs: lastsMs / 2 };
  const lease = await renewLease({ leases, clock: basics.clock }, place, wanted);
  if (lease !== undefined) return;
  throw leaseLost(run);
}

function leaseLost({ order }: TaskRun): RefusedError {
  return new RefusedError({
    code: 'lease-lost',
    message: `Nothing was merged. Task ${order.ref.task} is not held by this attempt any more.`,
  });
}

async function play(
  kept: KeptTask,
  advancing: Advancing,
  github: WorkflowGitHub,
): Promise<TaskPlayed> {
  const { tests, believing } = advancing;
  const ref = kept.stream.run?.order.ref;
  const by = { task: ref, secret: believing.markerSecret };
  const known =
    tests === undefined || ref === undefined ? [] : [retested(tests, { ...by, task: ref })];
  return playKept(kept, { ...advancing, github, known, power: 'writes', timeoutMs: TIMEOUT_MS });
}

function retested(tests: MergeProof, by: { task: TaskRef; secret: string }): Known {
  return { result: { effectKind: 'retest', result: toRetestResult(tests, by) } };
}
