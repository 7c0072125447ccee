/** Plays one consolidation in one job, by the App's reducer: the look, the question to a model, the proposal. */
import type { Perform } from '../../../../act/perform.ts';
import type { Performed } from '../../../../act/ports.ts';
import { MAY_NOT_OPEN_PULLS } from '../../../../adapters/github/work/ensure-pull.ts';
import { startRun } from '../../../../decide/discussion/start-run.ts';
import { RUN_KINDS } from '../../../../decide/kinds/run-kinds.ts';
import { decide, type Reducer } from '../../../../decide/route.ts';
import { readState } from '../../../../decide/run/decision.ts';
import { THREAD_STATE_VERSION, type ThreadState } from '../../../../decide/run/thread-context.ts';
import { toFailure, TransientError } from '../../../../domain/event/errors.ts';
import type { Event } from '../../../../domain/event/event.ts';
import { runKey } from '../../../../domain/run/state/run-record.ts';
import {
  threadKey,
  toRepositoryThread,
  type ThreadRef,
} from '../../../../domain/run/thread-ref.ts';
import type { Store } from '../../../../ports/store.ts';
import { threadState } from '../../../follow-runs.ts';
import type { Basics } from '../../../host-parts.ts';
import { playedId, playEvent } from '../../job/play-event.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';
import { onlyKinds } from '../../standup/standup-ports.ts';
import type { MemoryTicket } from '../sweep-ticket.ts';

export interface MemoryPlay {
  basics: Basics;
  context: WorkflowContext;
  ticket: MemoryTicket;
  store: Store;
  /** Carries out `look-consolidation`, `ask` and `open-consolidation`. */
  perform: Perform;
  timeoutMs: number;
}

/** Why nothing came of it, for people. */
export interface Nothing {
  why: string;
  /** A step of it failed. */
  isFailed?: true;
  /** It says nothing about the model's answer: GitHub was away or late, or the App acts here. */
  isUntried?: boolean;
  /** A setting of GitHub lets no workflow open it. */
  isForbidden?: boolean;
}

/** Undefined where a proposal was wanted. */
export async function playMemory(play: MemoryPlay): Promise<Nothing | undefined> {
  const { basics, context, ticket, store, timeoutMs } = play;
  const { claim, at, persona } = ticket;
  const thread = toRepositoryThread(context.repository);
  const key = threadKey(thread);
  // All jobs decide at one moment, so that what is due and its ids are the same in each.
  const now = Date.parse(at);
  const trigger = toTrigger(thread);
  const moment = { claim, at };
  const decideHere: Reducer = (state, event) =>
    event.id === playedId(moment)
      ? begin(state, { event, trigger, handle: persona, now })
      : decide(state, event, { now });
  const { perform, failed } = listen(carryOut(play));
  const what = `the memory of ${persona}`;
  const data = { kind: 'trigger' as const, trigger };
  const run = await playEvent(
    { basics, store, keys: [key], ...moment, data, decide: decideHere, perform, what, timeoutMs },
    async () => (await threadState(store, key)).runs[runKey('consolidation', persona)],
  );
  if (run?.endReason === undefined) return undefined;
  const failure = failed();
  if (run.endReason !== failure?.code) return { why: `${run.endReason}.` };
  const { code, message, retryable: isUntried } = failure;
  // Another permission that is missing is a try: a model is not paid for it without end.
  const isForbidden = message === MAY_NOT_OPEN_PULLS;
  return { why: `${message} (\`${code}\`)`, isFailed: true, isUntried, isForbidden };
}

type Asking = Parameters<typeof startRun>[1]['trigger'];

function toTrigger(thread: ThreadRef): Extract<Asking, { kind: 'requested' }> {
  const actor = { id: 0, login: 'quorum', isBot: true };
  return { kind: 'requested', by: 'reconcile', thread, actor, label: '' };
}

interface Beginning {
  event: Event;
  trigger: Asking;
  handle: string;
  now: number;
}

function begin(before: unknown, { handle, ...request }: Beginning) {
  const state = readState<ThreadState>(before, { v: THREAD_STATE_VERSION, runs: {} });
  const runKind = RUN_KINDS.consolidation;
  const about = { kind: 'consolidation', runKind, about: handle, handle, label: '' } as const;
  return startRun(state, { ...request, ...about });
}

function carryOut({ perform, ticket }: MemoryPlay): Perform {
  const performHere = onlyKinds(perform, ['look-consolidation', 'ask', 'open-consolidation']);
  return async (effect, attempt) => {
    // Workflows keep no journal of threads.
    if (effect.data.kind === 'write-journal')
      return { effectKind: 'write-journal', result: { outcome: 'off' }, githubCalls: {} };
    const performed = await performHere(effect, attempt);
    if (performed.effectKind !== 'look-consolidation') return performed;
    if (performed.result.isLagging === true) throw lagging(performed.result);
    return { ...performed, result: onlyReserved(performed.result, ticket) };
  };
}

const LAGS_MS = 30_000;
/** Without it, the queue's own delays would grow beyond the time of the job. */
const LOOK_AGAIN_MS = 5_000;

/** A job looks right after it has written the memory branch itself. */
function lagging({ off }: Look): TransientError {
  return new TransientError({
    code: 'github-lagging',
    message: `${off ?? 'GitHub may not show yet what has just changed'}.`,
    retryAfterMs: LOOK_AGAIN_MS,
    maxRetryMs: LAGS_MS,
  });
}

type Look = Extract<Performed, { effectKind: 'look-consolidation' }>['result'];

/** What was reserved, and nothing that became due meanwhile. */
function onlyReserved(look: Look, { evidence }: MemoryTicket): Look {
  const { found, ...rest } = look;
  if (found === undefined) return look;
  return found.evidence === evidence ? look : { ...rest, off: 'the memory changed meanwhile' };
}

interface Listening {
  perform: Perform;
  /** The last failure. */
  failed: () => ReturnType<typeof toFailure> | undefined;
}

/** The run keeps the code of a failure alone. */
function listen(perform: Perform): Listening {
  let failure: ReturnType<typeof toFailure> | undefined;
  return {
    perform: async (effect, attempt) => {
      try {
        return await perform(effect, attempt);
      } catch (error) {
        failure = toFailure(error);
        throw error;
      }
    },
    failed: () => failure,
  };
}
