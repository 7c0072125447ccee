/**
 * The memory loop in the apply job of a sweep. It reads the memory again, takes the model's words from the agent job's
 * file, and opens the proposal. It asks no model.
 */
import type { Perform } from '../../../../act/perform.ts';
import { openSqliteStore } from '../../../../adapters/store/sqlite/open-sqlite.ts';
import { readConfig } from '../../../../act/recover/read-config.ts';
import type { ActionsState } from '../../../../domain/actions/actions-state.ts';
import {
  recordDone,
  recordLost,
  releaseUnbegun,
} from '../../../../domain/actions/spending/settle-claim.ts';
import { MAX_MEMORY_WORK_BYTES, MemoryWork } from '../../../../domain/actions/memory-work.ts';
import { RefusedError, toFailure } from '../../../../domain/event/errors.ts';
import { codeSpan } from '../../../../domain/text/code-span.ts';
import type { Store } from '../../../../ports/store.ts';
import type { Basics } from '../../../host-parts.ts';
import { readActionsState, updateActionsState } from '../../branch/state-branch.ts';
import { MEMORY_BRANCH } from '../../job/action-specs.ts';
import { refuseLostClaim } from '../../job/lost-claim.ts';
import { openModelFreePorts } from '../../job/model-free-ports.ts';
import { NO_MODEL } from '../../job/no-model.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';
import { believeSigned, openUnsigned, openWorkflowGitHub } from '../../job/workflow-github.ts';
import { readHandedOver } from '../../steps/read-handed-over.ts';
import { openStandupPerform } from '../../standup/standup-ports.ts';
import type { LoopReport } from '../loop-report.ts';
import type { MemoryDone, MemoryTicket } from '../sweep-ticket.ts';
import { findMemoryApp } from './find-memory-app.ts';
import { playMemory, type Nothing } from './play-memory.ts';
import { forgetRefused, noteRefused } from './refused-proposals.ts';

interface Applying {
  basics: Basics;
  context: WorkflowContext;
  done: MemoryDone;
  /** Of the agent job. */
  attempt: number;
  /** What it handed over. */
  bytes: Uint8Array | undefined;
}

export interface MemorySwept {
  written: number;
  report: LoopReport;
}

const loop = 'memory';

/** What came of a consolidation: the number of a pull request, or why nothing is proposed. */
type Ending = { pull: number } | (Nothing & { isDone?: true });

export async function sweepMemory(ticket: MemoryTicket, applying: Applying): Promise<MemorySwept> {
  const { done } = applying;
  if (done.digest === undefined) {
    await settleAsked(ticket, applying, done.isLeft === true ? 'left' : 'lost');
    return { written: 0, report: { loop, lines: [] } };
  }
  const name = codeSpan(ticket.persona);
  try {
    const ending = await propose(ticket, done.digest, applying);
    await settleAsked(ticket, applying, endOf(ending));
    if ('pull' in ending)
      return { written: 1, report: { loop, lines: [`${name}: the proposal is #${ending.pull}.`] } };
    const { why, isFailed } = ending;
    return {
      written: 0,
      report: { loop, lines: [`${name}: ${why}`], ...(isFailed && { isFailed }) },
    };
  } catch (error) {
    const { code, message, retryable } = toFailure(error);
    await settleAsked(ticket, applying, retryable ? 'untried' : 'lost');
    const lines = [`${name}: ${message} (\`${code}\`)`];
    return { written: 0, report: { loop, lines, isFailed: true } };
  }
}

/** Of a claim. One that is not done runs out, and a later pass takes it up. */
type ClaimEnd = 'done' | 'lost' | 'untried' | 'forbidden' | 'left';

type Used = Parameters<typeof releaseUnbegun>[1] & Parameters<typeof recordLost>[1];

/** What was spent takes the place of what the claim reserved. */
export function settleMemory(state: ActionsState, used: Used, how: ClaimEnd): ActionsState {
  if (how === 'done') return forgetRefused(recordDone(state, used));
  if (how === 'left' && used.usd === 0) return releaseUnbegun(state, used);
  const lost = recordLost(state, { ...used, isUntried: how !== 'lost' });
  return how === 'forbidden' ? noteRefused(lost, used.now) : lost;
}

function endOf(ending: Ending): ClaimEnd {
  if ('pull' in ending || ending.isDone === true) return 'done';
  if (ending.isForbidden === true) return 'forbidden';
  return ending.isUntried === true ? 'untried' : 'lost';
}

async function propose(
  ticket: MemoryTicket,
  digest: string,
  { basics, context, bytes }: Applying,
): Promise<Ending> {
  const work = readHandedOver(bytes ?? new Uint8Array(), {
    schema: MemoryWork,
    form: 'answers',
    maxBytes: MAX_MEMORY_WORK_BYTES,
    digest,
    claim: ticket.claim,
    workflowRun: context.workflowRun,
  });
  const { repository } = context;
  const github = openUnsigned(basics, context);
  const state = await readActionsState({ github, repository, branch: MEMORY_BRANCH });
  if (state.claims[ticket.claim]?.doneAt !== undefined)
    return { why: 'an earlier attempt of this job has done it.', isDone: true };
  refuseLostClaim(state, ticket.claim, { basics, context });
  const app = await findMemoryApp({
    context,
    branch: await readBranchName(basics, context),
    now: basics.clock.now(),
  });
  // It may be removed later, and then a pass proposes this.
  if (app !== undefined) return { why: app, isUntried: true };
  return playOut(ticket, work, { basics, context });
}

async function readBranchName(basics: Basics, context: WorkflowContext): Promise<string> {
  const opened = await openModelFreePorts(basics, context);
  try {
    return (await readConfig(context.repository, opened)).memory.branch;
  } finally {
    await opened.close();
  }
}

/** Of the ten minutes of the job: plans and the week come after this. */
const TIMEOUT_MS = 2 * 60_000;

async function playOut(
  ticket: MemoryTicket,
  work: MemoryWork,
  { basics, context }: Pick<Applying, 'basics' | 'context'>,
): Promise<Ending> {
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  let opened: number | undefined;
  try {
    const answered = answerFrom(work, await openPerform(store, { basics, context }));
    const perform: Perform = async (effect, attempt) => {
      const performed = await answered(effect, attempt);
      if (performed.effectKind === 'open-consolidation') opened = performed.result.pull?.number;
      return performed;
    };
    const nothing = await playMemory({
      basics,
      context,
      ticket,
      store,
      perform,
      timeoutMs: TIMEOUT_MS,
    });
    if (opened !== undefined) return { pull: opened };
    return nothing ?? { why: 'nothing was left to propose.' };
  } finally {
    await store.close();
  }
}

/**
 * No key of the repository is needed. The author shows whose pull request it is, and people merge it. GitHub's list of
 * pushes shows whose branch it is.
 */
function openPerform(
  store: Store,
  { basics, context }: Pick<Applying, 'basics' | 'context'>,
): Promise<Perform> {
  const { markerSecret } = believeSigned(basics, [], context.repository.repositoryId);
  return openStandupPerform({
    basics,
    github: openWorkflowGitHub(basics, context, { markerSecret, isRecorded: () => true }),
    store,
    markerSecret,
    model: NO_MODEL,
    estimateUsd: () => 0,
  });
}

/** The model's answers, in the order in which the agent job got them. */
function answerFrom({ answers }: MemoryWork, perform: Perform): Perform {
  const left = [...answers];
  return async (effect, attempt) => {
    if (effect.data.kind !== 'ask') return perform(effect, attempt);
    const value = left.shift();
    if (value === undefined)
      throw new RefusedError({
        code: 'action-run-failed',
        message: 'The agent job has no answer to this.',
      });
    return { effectKind: 'ask', result: { value, calls: [] }, githubCalls: {} };
  };
}

function settleAsked(
  { claim: event }: MemoryTicket,
  { basics, context, done, attempt }: Applying,
  how: ClaimEnd,
): Promise<void> {
  const { repository, workflowRun } = context;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const now = basics.clock.now();
  const used = { event, usd: done.usd, now, workflowRun, attempt };
  return updateActionsState(place, 'quorum: record a proposal for the memory', (state) => ({
    state: settleMemory(state, used, how),
    told: undefined,
  }));
}
