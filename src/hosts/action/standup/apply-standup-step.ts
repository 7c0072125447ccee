/**
 * The apply job of a standup: checks what participants said at the present head, keeps it and shows it. It asks no model
 * and runs no code of the repository; answers come from the agent job's file, everything else is read again.
 */
import type { Perform } from '../../../act/perform.ts';
import { recordApplied } from '../../../domain/actions/actions-state.ts';
import { MAX_INTENTS_BYTES } from '../../../domain/actions/intents.ts';
import { StandupWork } from '../../../domain/actions/standup-work.ts';
import { rethrow, toModelCall } from '../../../domain/actions/task-work.ts';
import type { EffectKind } from '../../../domain/event/effect.ts';
import { runKey, type Run } from '../../../domain/run/state/run-record.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { refuseLostClaim } from '../job/lost-claim.ts';
import { requireKey } from '../job/signing-key.ts';
import { readActionsState, updateActionsState } from '../branch/state-branch.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { leaveToApp } from '../steps/leave-to-app.ts';
import { readHandedOver } from '../steps/read-handed-over.ts';
import { advanceStandups } from './advance-standups.ts';
import { sourceOf, type StandupTicket } from './standup-ticket.ts';

export interface StandupApplied {
  /** The standup as it ended; undefined where this attempt of the job held none. */
  run: Run<'standup'> | undefined;
  /** Why the App holds it. */
  left?: string;
  written: number;
}

interface ToApply {
  ticket: StandupTicket;
  digest: string;
  bytes: Uint8Array;
}

/** What an apply job does of a standup that begins. */
const HOLDING: readonly EffectKind[] = ['look-standup', 'ask', 'settle-standup', 'comment'];

const FORM = { schema: StandupWork, form: 'a standup', maxBytes: MAX_INTENTS_BYTES };

/** @throws RefusedError `signing-key-missing` | `intents-invalid` | `claim-lost` | `action-state-unreadable` */
export async function applyStandupStep(
  basics: Basics,
  context: WorkflowContext,
  { ticket, digest, bytes }: ToApply,
): Promise<StandupApplied> {
  requireKey(basics.env);
  const { workflowRun } = context;
  const work = readHandedOver(bytes, { ...FORM, digest, claim: ticket.claim, workflowRun });
  const { claim, at, plan, isNew } = ticket;
  const place = { repository: context.repository, branch: MEMORY_BRANCH };
  const state = await readActionsState({ ...place, github: openUnsigned(basics, context) });
  if (state.claims[claim]?.doneAt !== undefined) return { run: undefined, written: 0 };
  refuseLostClaim(state, claim, { basics, context });
  const thread = { ...context.repository, number: plan };
  const toLeave = { ticket: { claim, thread, headSha: undefined }, usd: work.spent.usd };
  const left = await leaveToApp(toLeave, { basics, context });
  if (left !== undefined) return { run: undefined, left, written: 0 };
  const source = sourceOf(ticket);
  const { runs, ids, written } = await advanceStandups({
    basics,
    context,
    recorded: state.recorded[plan] ?? [],
    thread,
    claim,
    at,
    news: source,
    carriesOut: HOLDING,
    answer: answerFrom(work),
    isFirst: isNew && context.attempt === 1,
  });
  const github = openUnsigned(basics, context);
  await updateActionsState(
    { ...place, github },
    `quorum: record the standup of #${plan}`,
    (now) => {
      const { usd } = work.spent;
      const applied = {
        event: claim,
        thread: plan,
        ids,
        usd,
        now: basics.clock.now(),
        isDone: true,
      };
      return { state: recordApplied(now, applied), told: undefined };
    },
  );
  return { run: runs[runKey('standup', source.run)], written };
}

/** What the agent job says that a participant answered, once for each. */
function answerFrom({ answers }: StandupWork): Perform {
  const left = new Map(answers.map(({ handle, done }) => [handle, done]));
  return async ({ data }) => {
    const done = data.kind === 'ask' ? left.get(data.persona) : undefined;
    if (done === undefined)
      return rethrow({ code: 'action-run-failed', message: 'The agent job has no answer.' });
    if ('failed' in done) return rethrow(done.failed);
    const calls = done.calls.map(toModelCall);
    return { effectKind: 'ask', result: { value: done.value, calls }, githubCalls: {} };
  };
}
