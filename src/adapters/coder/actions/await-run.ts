/** Finds the run of an order, or sends the dispatch that starts it, and waits for its end. Looks before it sends. */
import {
  DISPATCH_EVENT,
  DISPATCH_WORKFLOW,
  MAX_ORDER_BYTES,
  renderOrder,
  type CodeOrder,
  type DispatchPayload,
} from '../../../domain/dispatch/code-order.ts';
import { chooseRun, type DispatchedRun } from '../../../domain/dispatch/choose-run.ts';
import { RefusedError, TransientError } from '../../../domain/event/errors.ts';
import { toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CoderErrand } from '../../../ports/coder.ts';

export interface Sending {
  order: CodeOrder;
  errand: CoderErrand;
  clock: Clock;
  signal: AbortSignal;
  /** The App's own account. */
  actorId: number;
  /** That a session may last. */
  minutes: number;
}

export type Awaited =
  | { kind: 'ended'; run: DispatchedRun }
  | { kind: 'late'; run: DispatchedRun }
  | { kind: 'not-started' };

const MINUTE_MS = 60_000;
/** Within which GitHub shows the run of a dispatch. */
const SHOWN_MS = 2 * MINUTE_MS;
/** For a machine to be free and to be set up, beside the session itself. */
const WAITING_MS = 60 * MINUTE_MS;
const FIRST_LOOK_MS = 2_000;
const MOST_MS = 15_000;

/**
 * @throws RefusedError `coder-unavailable` where the repository has no such workflow, or the order is too large
 */
export async function awaitRun(sending: Sending): Promise<Awaited> {
  const { clock, errand, minutes } = sending;
  // A dispatch whose answer was lost may take a while to show its run.
  const before = await find(sending, errand.isUntouched ? 0 : SHOWN_MS);
  const begun = before ?? (await send(sending));
  if (begun === undefined) return { kind: 'not-started' };
  const until = Date.parse(begun.createdAt) + minutes * MINUTE_MS + WAITING_MS;
  let run = begun;
  for (const pause of pauses()) {
    if (run.conclusion !== undefined) return { kind: 'ended', run };
    if (clock.now() > until) break;
    await clock.sleep(pause, sending.signal);
    run = await again(run, sending);
  }
  return { kind: 'late', run };
}

/** Soon at first, then at most four times a minute. */
function* pauses(): Generator<number, void> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(MOST_MS, pause * 1.5)) yield pause;
}

async function again(run: DispatchedRun, { errand }: Sending): Promise<DispatchedRun> {
  try {
    return await errand.dispatches.run(toRepositoryRef(errand.data.thread), run.id);
  } catch (error) {
    // The run goes on while GitHub is away for a moment.
    if (error instanceof TransientError) return run;
    throw error;
  }
}

async function send(sending: Sending): Promise<DispatchedRun | undefined> {
  const { order, errand } = sending;
  const text = renderOrder(order);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_ORDER_BYTES)
    throw unavailable(`What the coder has to know has ${bytes} bytes, which is too much.`);
  const repository = toRepositoryRef(errand.data.thread);
  const kept = await errand.dispatches.keepText(repository, text);
  const payload: DispatchPayload = { version: 1, key: order.key, order: kept };
  await errand.dispatches.send(repository, { event: DISPATCH_EVENT, payload });
  return find(sending, SHOWN_MS);
}

async function find(sending: Sending, forMs: number): Promise<DispatchedRun | undefined> {
  const { clock, signal, order, errand, actorId } = sending;
  const repository = toRepositoryRef(errand.data.thread);
  const until = clock.now() + forMs;
  const file = DISPATCH_WORKFLOW.slice(DISPATCH_WORKFLOW.lastIndexOf('/') + 1);
  for (const pause of pauses()) {
    const runs = await errand.dispatches.runsOf(repository, file);
    if (runs === undefined)
      throw unavailable(
        `This repository has no \`${DISPATCH_WORKFLOW}\` on its default branch. Copy it from \`examples/app\`, or let the App write code elsewhere (docs/install-app.md, step 4).`,
      );
    const { repositoryId } = repository;
    const run = chooseRun(runs, { key: order.key, actorId, repositoryId });
    if (run !== undefined) return run;
    if (clock.now() + pause > until) break;
    await clock.sleep(pause, signal);
  }
  return undefined;
}

function unavailable(message: string): RefusedError {
  return new RefusedError({ code: 'coder-unavailable', message });
}
