/**
 * The apply job: writes what the agent job wanted, after it was checked. No model and no code of the repository runs here;
 * the effects are the App's own, each looks for its trace before it writes.
 */
import { createPerform, type Perform } from '../../../act/perform.ts';
import type { Performed } from '../../../act/ports.ts';
import { openSqliteStore } from '../../../adapters/store/sqlite/open-sqlite.ts';
import {
  digestIntents,
  IntentsFile,
  MAX_INTENTS_BYTES,
  intentToEffect,
  type Intent,
} from '../../../domain/actions/intents.ts';
import { recordApplied } from '../../../domain/actions/actions-state.ts';
import { QuorumError, RefusedError, TransientError } from '../../../domain/event/errors.ts';
import type { CheckOnCommit } from '../../../ports/github/memory-branch.ts';
import { checkIntents } from '../../../policy/check-intents.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { NO_MODEL } from '../job/no-model.ts';
import type { AdvancedPlan } from '../plan/plan-job.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import { beginApply } from './begin-apply.ts';
import { leaveToApp } from './leave-to-app.ts';
import { refuseChangedComment } from './refuse-changed-comment.ts';
import { readStateAndChecks } from './find-app.ts';
import { requireKey } from '../job/signing-key.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { openUnsigned, openWorkflowGitHub, type Believing } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { SCAN_HERE } from '../../scan/scan-here.ts';

export interface Applied {
  file: IntentsFile;
  written: number;
  /** For people, besides what was written. */
  told: readonly string[];
}

export interface ToApply {
  ticket: ClaimTicket;
  digest: string;
  bytes: Uint8Array;
}

const MAX_SHOWN = 5;
const WITHOUT_MODELS = {
  model: NO_MODEL,
  estimateUsd: () => 0,
  personas: [],
  scanner: SCAN_HERE,
};

/** @throws RefusedError `signing-key-missing` | `intents-invalid` | `intents-refused` | `claim-lost` | `comment-changed` */
export async function applyStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, digest, bytes }: ToApply,
): Promise<Applied> {
  const file = readIntents(bytes, digest);
  if (file.reviewed !== undefined && ticket.task !== undefined) requireKey(basics.env);
  refuseProblems(file, context, ticket);
  const place = placeOf(basics, context);
  const checks = await readStateAndChecks(place, ticket);
  const left = await leaveToApp({ ticket, usd: file.spent.usd, checks }, { basics, context });
  if (left !== undefined) return { file, written: 0, told: [left] };
  const begun = await beginApply(file, { basics, context, ticket, place });
  if (begun === undefined) return { file, written: 0, told: [] };
  const { recorded, believing } = begun;
  const to = { basics, context, ticket, believing, place };
  const github = openWorkflowGitHub(basics, context, {
    ...believing,
    uncheckedHead: headOf(ticket, checks),
  });
  await refuseChangedComment(context, ticket);
  const store = await openSqliteStore({ memory: true, clock: basics.clock });
  const isFirst = ticket.isNew && context.attempt === 1;
  const ids: number[] = [];
  let written = file.intents.length;
  let told: readonly string[] = [];
  let isDone = false;
  try {
    const { markerSecret } = believing;
    const perform = createPerform({ ...basics, ...WITHOUT_MODELS, github, store, markerSecret });
    for (const intent of file.intents) {
      const performed = await carryOut(intent, { perform, basics, isFirst });
      ids.push(...idsOf(performed));
    }
    if (file.reviewed !== undefined && ticket.task !== undefined) await tellTask(file.reviewed, to);
    const ticked = await followBoxes(recorded, to);
    ids.push(...ticked.ids);
    written += ticked.written;
    const planned = await takePlanOn(recorded, file.proposed, to);
    ids.push(...planned.ids);
    written += planned.written;
    ({ told } = planned);
    isDone = true;
  } finally {
    await store.close();
    await record(place, { ticket, file, digest, ids, isDone, basics });
  }
  return { file, written, told };
}

/** The head, where no check run of a review is on it. */
function headOf(
  { headSha }: ClaimTicket,
  checks: readonly CheckOnCommit[] | undefined,
): string | undefined {
  return checks?.length === 0 ? headSha : undefined;
}

interface Applying {
  basics: Basics;
  context: WorkflowContext;
  ticket: ClaimTicket;
}

/** A ticked box of a standup becomes its follow-up issue. No model is needed for that. */
async function followBoxes(
  recorded: readonly number[],
  { basics, context, ticket }: Applying,
): Promise<{ ids: number[]; written: number }> {
  const { trigger, claim, at, thread, isNew } = ticket;
  if (trigger.kind !== 'own-comment-edited') return { ids: [], written: 0 };
  requireKey(basics.env);
  const { advanceStandups, FOLLOWING, noAnswer } = await import('../standup/advance-standups.ts');
  return advanceStandups({
    basics,
    context,
    recorded,
    thread,
    claim,
    at,
    news: trigger,
    carriesOut: FOLLOWING,
    answer: noAnswer,
    isFirst: isNew && context.attempt === 1,
  });
}

/** What people said to a plan, or did to its issue. The tasks that may begin are started. No model is needed for that. */
async function takePlanOn(
  recorded: readonly number[],
  proposed: IntentsFile['proposed'],
  { basics, context, ticket, believing: { jobSignatures } }: Telling,
): Promise<AdvancedPlan> {
  const { trigger, claim, at, thread, isNew, planning } = ticket;
  const isFirst = isNew && context.attempt === 1;
  const about = { basics, context, recorded, thread, claim, at, trigger, isFirst, jobSignatures };
  if (planning !== undefined) {
    const { advancePlanning } = await import('../plan/advance-planning.ts');
    return advancePlanning({ ...about, ...planning, proposed });
  }
  if (ticket.isPlan !== true) return { ids: [], written: 0, told: [] };
  const { advancePlan } = await import('../plan/advance-plan.ts');
  return advancePlan(about);
}

interface Telling extends Applying {
  believing: Believing;
  place: StatePlace;
}

/** The task of the pull request goes on with the verdict: what is missing for the merge is shown, or the task is given back. */
async function tellTask(
  news: NonNullable<IntentsFile['reviewed']>,
  { basics, context, ticket, believing, place }: Telling,
): Promise<void> {
  const { ADVANCING, advanceTask } = await import('../merge/advance-task.ts');
  const { claim, thread, isNew } = ticket;
  const isFirst = isNew && context.attempt === 1;
  const about = { basics, context, believing, place, pull: thread.number, claim, news, isFirst };
  await advanceTask({ ...about, carriesOut: ADVANCING });
}

function readIntents(bytes: Uint8Array, digest: string): IntentsFile {
  if (bytes.length > MAX_INTENTS_BYTES) throw invalid(`it has ${bytes.length} bytes`);
  if (digestIntents(bytes) !== digest)
    throw invalid('its digest is not the one that the agent job named');
  try {
    return IntentsFile.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch (cause) {
    throw invalid('it does not have the form of intents', cause);
  }
}

function invalid(why: string, cause?: unknown): RefusedError {
  return new RefusedError({
    code: 'intents-invalid',
    message: `Nothing was written. \`intents.json\` is refused: ${why}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}

function refuseProblems(file: IntentsFile, context: WorkflowContext, ticket: ClaimTicket): void {
  const problems = checkIntents(file, {
    claim: ticket.claim,
    workflowRun: context.workflowRun,
    thread: ticket.thread,
    headSha: ticket.headSha,
    isPlanning: ticket.planning !== undefined,
  });
  if (problems.length === 0) return;
  const shown = problems
    .slice(0, MAX_SHOWN)
    .map(({ intent, why }) => (intent === undefined ? why : `${intent}: ${why}`));
  throw new RefusedError({
    code: 'intents-refused',
    message: `Nothing was written. The agent job wants what it may not: ${shown.join('; ')}.`,
  });
}

function placeOf(basics: Basics, context: WorkflowContext): StatePlace {
  const github = openUnsigned(basics, context);
  return { github, repository: context.repository, branch: MEMORY_BRANCH, seen: {} };
}

const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

interface CarryingOut {
  perform: Perform;
  basics: Basics;
  /** Neither another workflow nor an earlier attempt of this one can have begun it. */
  isFirst: boolean;
}

/** Retried here, because no queue outlives the job. After a rerun of the job earlier writes are looked for twice. */
async function carryOut(
  intent: Intent,
  { perform, basics, isFirst }: CarryingOut,
): Promise<Performed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await perform(intentToEffect(intent), { isFirst: isFirst && attempt === 1 });
    } catch (error) {
      if (!(error instanceof QuorumError) || !error.retryable || attempt === MAX_ATTEMPTS)
        throw error;
      const asked = error instanceof TransientError ? error.retryAfterMs : undefined;
      const waitMs = asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      basics.log.warn(
        { effect: intent.id, code: error.code, waitMs },
        'effect deferred, will retry',
      );
      await basics.clock.sleep(Math.min(waitMs, MAX_WAIT_MS));
    }
  }
}

/** Ids of texts that are believed later where nothing is signed. */
function idsOf({ effectKind, result }: Performed): number[] {
  if (effectKind === 'comment' || effectKind === 'reply' || effectKind === 'review')
    return result.id === 0 ? [] : [result.id];
  if (effectKind === 'issue') return result.outcome === 'full' ? [] : [result.number];
  return [];
}

interface Record {
  ticket: ClaimTicket;
  file: IntentsFile;
  digest: string;
  ids: readonly number[];
  isDone: boolean;
  basics: Basics;
}

function record(
  place: StatePlace,
  { ticket, file, digest, ids, isDone, basics }: Record,
): Promise<void> {
  const { number } = ticket.thread;
  return updateActionsState(place, `quorum: record what was written in #${number}`, (state) => {
    const applied = {
      event: ticket.claim,
      thread: number,
      ids,
      usd: file.spent.usd,
      spending: digest,
      now: basics.clock.now(),
      isDone,
    };
    return { state: recordApplied(state, applied), told: undefined };
  });
}
