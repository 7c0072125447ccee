/** Lets the first of several calls with the same beginning start alone, so that the others read it from the cache. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../../ports/clock.ts';
import { TransientError } from '../../../domain/event/errors.ts';
import { hasBegun, type ModelRequest } from '../../../ports/model.ts';
import { PATIENCE_MS } from './limiter.ts';

/**
 * The others wait for the first answer to begin at most this long. A long prompt takes seconds until then, and each that
 * goes without the cache pays for it twelve times over.
 */
const MAX_WAIT_MS = 30_000;
/** Between two looks of a call that waits in the queue. */
const LOOK_MS = 1_000;

/** A prefix that was used counts as cached for this long; providers keep it for five minutes. */
const WARM_MS = 4 * 60 * 1000;

export interface WarmUp {
  /**
   * Waits until the request's shared beginning is cached, or until this call is the one to cache it.
   * Call `started` with the first byte of the answer, and `ended` in any case.
   *
   * @throws TransientError `model-busy` where the queue can wait
   */
  enter(model: string, request: ModelRequest): Promise<{ started(): void; ended(): void }>;
}

interface Prefix {
  warmUntil: number;
  /** Settles when the call that goes first has begun to be answered, or has ended. */
  first: Promise<void> | undefined;
  /** When that call began. */
  since: number;
}

/** Keeps prefixes by hash, and forgets those that are cold. */
export function createWarmUp(clock: Clock): WarmUp {
  const prefixes = new Map<string, Prefix>();
  return {
    async enter(model, request) {
      const key = hashPrefix(model, request);
      if (key === undefined) return { started: nothing, ended: nothing };
      const canLeave = request.earlierTries !== undefined && !hasBegun(request);
      const leavesAt = canLeave ? clock.now() + PATIENCE_MS : Infinity;
      for (;;) {
        const { first, since = 0, warmUntil = 0 } = prefixes.get(key) ?? {};
        const now = clock.now();
        const deadline = since + MAX_WAIT_MS;
        if (first === undefined || warmUntil > now || now >= deadline) break;
        if (now >= leavesAt) throw toBusy();
        const ms = Math.min(deadline, leavesAt) - now;
        await waitFor(first, { clock, ms, signal: request.signal });
      }
      return lead(prefixes, key, clock);
    },
  };
}

/** Makes a call the first one when nobody is, and marks the prefix warm once it starts. */
function lead(
  prefixes: Map<string, Prefix>,
  key: string,
  clock: Clock,
): { started(): void; ended(): void } {
  forgetCold(prefixes, clock.now());
  const prefix = prefixes.get(key) ?? { warmUntil: 0, first: undefined, since: 0 };
  prefixes.set(key, prefix);
  let letOthersGo = nothing;
  if (prefix.first === undefined && prefix.warmUntil <= clock.now()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    prefix.first = promise;
    prefix.since = clock.now();
    letOthersGo = () => {
      if (prefix.first === promise) prefix.first = undefined;
      resolve();
    };
  }
  return {
    started() {
      prefix.warmUntil = clock.now() + WARM_MS;
      letOthersGo();
    },
    ended: () => letOthersGo(),
  };
}

function toBusy(): TransientError {
  return new TransientError({
    code: 'model-busy',
    message: 'A call with the same beginning is under way, and fills the cache for this one.',
    details: 'It is tried again in a moment.',
    retryAfterMs: LOOK_MS,
  });
}

function nothing(): void {
  // There is nobody to let go.
}

function forgetCold(prefixes: Map<string, Prefix>, now: number): void {
  for (const [key, prefix] of prefixes)
    if (prefix.first === undefined && prefix.warmUntil <= now) prefixes.delete(key);
}

/** Waits for the first of: the promise, the time, the signal (which rejects). */
async function waitFor(
  promise: Promise<void>,
  limit: { clock: Clock; ms: number; signal: AbortSignal | undefined },
): Promise<void> {
  const done = new AbortController();
  const signal =
    limit.signal === undefined ? done.signal : AbortSignal.any([done.signal, limit.signal]);
  const sleep = limit.clock.sleep(limit.ms, signal);
  try {
    await Promise.race([promise, sleep]);
  } finally {
    done.abort();
    sleep.catch(() => undefined);
  }
}

/** Hash of all that comes before the last block worth caching in what is shared; undefined when nothing is. */
function hashPrefix(model: string, request: ModelRequest): string | undefined {
  const blocks = [
    ...request.system,
    ...request.messages.flatMap((m) => (m.role === 'user' ? m.content : [])),
  ];
  // Those of the system end what several share; what follows repeats one conversation.
  const shared = request.system.findLastIndex((block) => block.cache === true);
  const end = shared >= 0 ? shared : blocks.findIndex((block) => block.cache === true);
  if (end < 0) return undefined;
  const texts = blocks.slice(0, end + 1).map((block) => block.text);
  // An installation does not wait for another one's cache.
  const all = JSON.stringify([
    model,
    request.installation ?? null,
    request.tools ?? [],
    request.output ?? null,
    texts,
  ]);
  return createHash('sha256').update(all).digest('hex');
}
