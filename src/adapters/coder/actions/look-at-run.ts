/**
 * One look at the run of an order: it is found, or the dispatch that starts it is sent. A dispatch is put on record before
 * it is sent, and no second one follows, also where its run is gone. Nothing waits here: the queue looks again.
 */
import type { DispatchedRun } from '../../../domain/dispatch/choose-run.ts';
import { chooseRun } from '../../../domain/dispatch/choose-run.ts';
import {
  dispatchKey,
  DISPATCH_EVENT,
  DISPATCH_WORKFLOW,
  MAX_ORDER_BYTES,
  renderOrder,
  type CodeOrder,
  type DispatchPayload,
} from '../../../domain/dispatch/code-order.ts';
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import {
  ConflictError,
  RefusedError,
  toFailure,
  TransientError,
} from '../../../domain/event/errors.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CoderErrand, SentErrand } from '../../../ports/coder.ts';

export interface Sending {
  order: CodeOrder;
  errand: CoderErrand;
  clock: Clock;
  /** The App's own account. */
  actorId: number;
  /** That a session may last. */
  minutes: number;
}

export type Looked =
  | { kind: 'ended'; run: DispatchedRun }
  | { kind: 'late'; run: DispatchedRun }
  /** For so many minutes, since it was sent. */
  | { kind: 'not-shown'; minutes: number };

const MINUTE_MS = 60_000;
/** Within which GitHub shows the run of a dispatch. */
const SHOWN_MS = 2 * MINUTE_MS;
/** For a machine to be free and to be set up, beside the session itself. */
const WAITING_MS = 60 * MINUTE_MS;
/** The clocks of GitHub and of this machine may differ by so much. */
const SKEW_MS = 60 * MINUTE_MS;
const LEAST_PAUSE_MS = 2_000;
const MOST_PAUSE_MS = 30_000;

/**
 * @throws RefusedError `coder-unavailable` where the repository has no such workflow, or the order is too large
 * @throws TransientError `workflow-running` while it works, `workflow-not-shown` until GitHub shows its run
 */
export async function lookAtRun(sending: Sending): Promise<Looked> {
  const { clock, errand, minutes } = sending;
  const run = await find(sending);
  if (run === undefined && !errand.isSent) {
    if (errand.isInDoubt === true) judgeMissing(errand.unseenSince, clock.now());
    await send(sending);
    throw notShown(LEAST_PAUSE_MS);
  }
  if (run === undefined) return judgeMissing(errand.unseenSince, clock.now());
  // What an older version sent is on no record.
  if (!errand.isSent) await errand.sending();
  if (run.conclusion !== undefined) return { kind: 'ended', run };
  const lastedMs = clock.now() - Date.parse(run.createdAt);
  if (lastedMs > minutes * MINUTE_MS + WAITING_MS) return { kind: 'late', run };
  throw atWork(run, lastedMs);
}

/**
 * Returns when there is more to do than to wait. How long the session may last is not known here, so that a run which
 * may be late is looked at as a whole.
 *
 * @throws TransientError `workflow-running` while it works
 */
export async function refuseRunAtWork(
  errand: SentErrand,
  { clock, actorId }: Pick<Sending, 'clock' | 'actorId'>,
): Promise<void> {
  const { repositoryId } = errand.data.thread;
  const key = dispatchKey(repositoryId, errand.effectId);
  const runs = await listRuns(errand);
  const run = chooseRun(runs ?? [], { key, actorId, repositoryId });
  if (run === undefined || run.conclusion !== undefined) return;
  const lastedMs = clock.now() - Date.parse(run.createdAt);
  if (lastedMs <= WAITING_MS) throw atWork(run, lastedMs);
}

function atWork({ url }: DispatchedRun, lastedMs: number): TransientError {
  return new TransientError({
    code: 'workflow-running',
    message: `The workflow works on it: ${url}`,
    retryAfterMs: Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, lastedMs / 4)),
  });
}

/**
 * One list without it proves nothing: GitHub's copies lag behind each other.
 *
 * @throws TransientError `workflow-not-shown` while it may still be shown
 */
function judgeMissing(since: number | undefined, now: number): Looked {
  const unseenMs = since === undefined ? 0 : now - since;
  if (unseenMs < SHOWN_MS)
    throw notShown(Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, unseenMs / 2)));
  return { kind: 'not-shown', minutes: Math.floor(unseenMs / MINUTE_MS) };
}

function notShown(retryAfterMs: number): TransientError {
  return new TransientError({
    code: 'workflow-not-shown',
    message: `GitHub does not show the run of \`${DISPATCH_WORKFLOW}\` yet.`,
    retryAfterMs,
  });
}

async function send({ order, errand }: Sending): Promise<void> {
  const text = renderOrder(order);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_ORDER_BYTES)
    throw unavailable(`What the coder has to know has ${bytes} bytes, which is too much.`);
  const repository = toRepositoryRef(errand.data.thread);
  const kept = await errand.dispatches.keepText(repository, text);
  const payload: DispatchPayload = { version: 1, key: order.key, order: kept };
  await errand.sending();
  try {
    await errand.dispatches.send(repository, { event: DISPATCH_EVENT, payload });
  } catch (error) {
    if (isSurelyUnsent(error)) await errand.notSent();
    throw error;
  }
}

/** GitHub refused it, or was not asked. In doubt it was sent: the answer to the request was lost. */
function isSurelyUnsent(error: unknown): boolean {
  const isInDoubt = error instanceof TransientError || error instanceof ConflictError;
  return !isInDoubt || UNSENT.has(toFailure(error).code);
}

const UNSENT: ReadonlySet<ErrorCode> = new Set(['github-budget', 'github-rate-limited']);

function listRuns({ dispatches, data, at }: SentErrand): Promise<DispatchedRun[] | undefined> {
  const file = DISPATCH_WORKFLOW.slice(DISPATCH_WORKFLOW.lastIndexOf('/') + 1);
  const since = new Date(Date.parse(at) - SKEW_MS).toISOString();
  return dispatches.runsOf(toRepositoryRef(data.thread), { file, since });
}

async function find({ order, errand, actorId }: Sending): Promise<DispatchedRun | undefined> {
  const { repositoryId } = errand.data.thread;
  const runs = await listRuns(errand);
  // Where it was sent, the workflow was there.
  if (runs === undefined && !errand.isSent)
    throw unavailable(
      `This repository has no \`${DISPATCH_WORKFLOW}\` on its default branch. Copy it from \`examples/app\`, or let the App write code elsewhere (docs/install-app.md, step 4).`,
    );
  return chooseRun(runs ?? [], { key: order.key, actorId, repositoryId });
}

function unavailable(message: string): RefusedError {
  return new RefusedError({ code: 'coder-unavailable', message });
}
