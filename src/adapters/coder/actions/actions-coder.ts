/**
 * A coder that works in a workflow of the repository (`QUORUM_CODER=actions`). The App sends a dispatch, looks at the run
 * until it has ended, and takes the change from its artifact. What the run says is believed no more than what a coder here says.
 */
import {
  DISPATCH_WORKFLOW,
  dispatchKey,
  type CodeOrder,
} from '../../../domain/dispatch/code-order.ts';
import { untoldCall } from '../../../domain/dispatch/untold-cost.ts';
import type { DispatchedRun } from '../../../domain/dispatch/choose-run.ts';
import type { WorkRead } from '../../../domain/actions/read-work.ts';
import { toModelCall, type TaskFailure } from '../../../domain/actions/task-work.ts';
import { ConfigError, RefusedError } from '../../../domain/event/errors.ts';
import { joinPrompt } from '../../../domain/prompt/prompt-text.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { CoderOutcome, CoderReport, CoderTask } from '../../../domain/task/coder-task.ts';
import type { CodeResult } from '../../../domain/task/task-effects.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Coder, CoderErrand, SentErrand } from '../../../ports/coder.ts';
import { lookAtRun, refuseRunAtWork, type Sending } from './look-at-run.ts';
import { readResult } from './read-result.ts';

export interface ActionsCoderOptions {
  clock: Clock;
  /** The account that GitHub shows as the sender of the App's dispatches. */
  self: () => Promise<{ id: number }>;
}

/** Sends one dispatch for a session, however often that is carried out. */
export function createActionsCoder({ clock, self }: ActionsCoderOptions): Coder {
  return {
    name: 'actions',
    isPaid: true,
    runsCommands: false,
    isRemote: true,
    run: async (task, place, signal) => {
      const { errand } = place;
      if (errand === undefined) throw new Error('A session in a workflow has no errand');
      const order = toOrder(task, errand);
      const end = await carryOut(signal, {
        order,
        errand,
        clock,
        self,
        minutes: task.limits.minutes,
      });
      return toOutcome(end, clock.now() - Date.parse(errand.at));
    },
  };
}

/** The look of a session that waits: one request, which costs nothing while its answer stays the same. */
export function createRunWatch({
  clock,
  self,
}: ActionsCoderOptions): (errand: SentErrand) => Promise<void> {
  return async (errand) => {
    if (await errand.isStopped()) return;
    try {
      const { id: actorId } = await self();
      await refuseRunAtWork(errand, { clock, actorId });
    } catch (error) {
      throw toRefusal(error, toRepositoryRef(errand.data.thread));
    }
  };
}

/** A transcript is private and goes nowhere: a session that was asked something starts over with the answer. */
function toOrder(task: CoderTask, { effectId, at, data }: CoderErrand): CodeOrder {
  const { repositoryId } = data.thread;
  const { resume: _, ...rest } = data;
  const answer = task.resume?.answer;
  const prompt = answer === undefined ? task.prompt : joinPrompt([task.prompt, answer]);
  return {
    version: 1,
    key: dispatchKey(repositoryId, effectId),
    repositoryId,
    run: task.run,
    at,
    data: { ...rest, prompt },
    limits: { usd: task.limits.usd },
  };
}

type End =
  | { kind: 'result'; result: CodeResult }
  | {
      kind: 'none';
      outcome: 'failed' | 'timed-out' | 'cancelled';
      why: string;
      /** `unknown`: models may have been asked, and nobody can say for how much. */
      calls: Calls;
    };

type Calls = 'unknown' | CoderReport['calls'];

interface Carrying extends Omit<Sending, 'actorId'> {
  self: ActionsCoderOptions['self'];
}

async function carryOut(signal: AbortSignal, carrying: Carrying): Promise<End> {
  const { errand, self } = carrying;
  try {
    if (signal.aborted || (await errand.isStopped())) return stopped(errand);
    const { id: actorId } = await self();
    if (actorId === 0) throw nameless();
    const sending = { ...carrying, actorId };
    const looked = await lookAtRun(sending);
    if (looked.kind === 'ended') return await takeResult(looked.run, sending);
    const none = { kind: 'none', calls: 'unknown' } as const;
    return looked.kind === 'not-shown'
      ? { ...none, outcome: 'failed', why: notShown(looked.minutes) }
      : {
          ...none,
          outcome: 'timed-out',
          why: `The workflow had not ended in time: ${looked.run.url}`,
        };
  } catch (error) {
    throw toRefusal(error, toRepositoryRef(errand.data.thread));
  }
}

/** What it cost until then is known to the workflow alone. */
function stopped({ isSent }: CoderErrand): End {
  const calls = isSent ? 'unknown' : [];
  return { kind: 'none', outcome: 'cancelled', why: 'It was stopped.', calls };
}

function notShown(minutes: number): string {
  return `GitHub has shown no run of \`${DISPATCH_WORKFLOW}\` for this session in ${minutes} minutes. Somebody deleted the run, Actions are off for this repository, or the workflow lacks the \`run-name\` of the example. The dispatch is not repeated, because its run may have cost money.`;
}

async function takeResult(run: DispatchedRun, sending: Sending): Promise<End> {
  const { errand, order } = sending;
  const failed = (why: string, calls: Calls = 'unknown'): End => ({
    kind: 'none',
    outcome: 'failed',
    why: `${why} See ${run.url}`,
    calls,
  });
  const read = await readEnded(run, sending);
  if (read === undefined) return failed(`The workflow ended as ${run.conclusion}.`);
  if ('refused' in read) return failed(`The result of the workflow is refused: ${read.refused}.`);
  if ('failed' in read) {
    // No model was asked.
    if (MISSING.has(read.failed.code)) await errand.notSent();
    return failedThere(read.failed, run, failed);
  }
  const { result } = read;
  const { calls } = result.report;
  for (const exchange of result.exchanges ?? []) errand.answered(exchange);
  if (result.isTooLarge) return failed('The change is too large.', calls);
  const applied =
    result.patch === '' ? { outcome: 'applied' as const } : await errand.apply(result.patch);
  if (applied.outcome === 'refused')
    return failed(
      `The change does not apply to ${order.data.from.slice(0, 12)}: ${applied.reason}.`,
      calls,
    );
  return { kind: 'result', result };
}

/** Undefined where nothing is taken from the run. A job that failed may still say why, and what it had cost until then. */
async function readEnded(run: DispatchedRun, sending: Sending): Promise<WorkRead | undefined> {
  if (run.conclusion === 'success') return readResult(run, sending);
  if (run.conclusion !== 'failure') return undefined;
  const read = await readResult(run, sending);
  return 'failed' in read ? read : undefined;
}

/** What is missing in the workflow: another attempt would end the same way, and no model was asked. */
const MISSING: ReadonlySet<string> = new Set(['coder-unavailable', 'no-sandbox']);

function failedThere(
  { code, message, calls }: TaskFailure,
  run: DispatchedRun,
  failed: (why: string, calls?: Calls) => End,
): End {
  if (!MISSING.has(code))
    return failed(`The workflow could not work on it: ${message}`, calls?.map(toModelCall));
  throw new RefusedError({
    code: 'coder-unavailable',
    message: `The workflow cannot write code: ${message} See ${run.url}`,
  });
}

/** What a workflow says that it spent counts in full, also beyond what the session was allowed: it is spent. */
function toOutcome(end: End, durationMs: number): CoderOutcome {
  if (end.kind === 'result') return end.result.report;
  const { outcome, why: reason, calls } = end;
  return {
    ...EMPTY,
    calls: calls === 'unknown' ? [untoldCall(durationMs)] : calls,
    durationMs,
    outcome,
    reason,
  };
}

const EMPTY: Omit<CoderReport, 'calls' | 'durationMs'> = {
  sessionId: '',
  turns: 0,
  transcript: '',
  notes: [],
};

/** Without the id nobody could tell the run of the App from one that a person asked for. */
function nameless(): RefusedError {
  return new RefusedError({
    code: 'coder-unavailable',
    message: 'GitHub does not tell the id of the account of the App, so no workflow is started.',
  });
}

function toRefusal(error: unknown, { owner, repo }: { owner: string; repo: string }): unknown {
  if (!(error instanceof RefusedError) || error instanceof ConfigError) return error;
  if (error.code !== 'github-forbidden') return error;
  return new RefusedError({
    code: 'coder-unavailable',
    message: `The App may not start workflows of ${owner}/${repo}, or not read their runs. It needs \`contents: write\` and \`actions: read\`: accept its permissions on the installation page. GitHub said: ${error.message}`,
    cause: error,
  });
}
