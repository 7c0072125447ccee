/** Events, effects and calls as the store's tests need them, and a worker that writes down what it was given. */
import type { Effect } from '../../src/domain/event/effect.ts';
import type { NewEvent } from '../../src/domain/event/event.ts';
import type { LedgerEntry } from '../../src/domain/run/ledger.ts';
import type { Settlement, Store, Work } from '../../src/ports/store.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const thread = { installationId: 1, repositoryId: 7, owner: 'o', repo: 'r', number: 1 };
const AT = '2026-01-02T03:04:05.000Z';

export function timer(id: string, key: string, more: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    key,
    version: 1,
    at: AT,
    data: { kind: 'timer', timer: id, run: `run-${key}` },
    ...more,
  };
}

export function effect(id: string, more: Partial<Effect> = {}): Effect {
  return {
    id,
    key: 'o/r#1',
    run: 'run-1',
    at: AT,
    data: { kind: 'close', thread, reason: 'completed' },
    ...more,
  };
}

export function call(id: string, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id,
    at: AT,
    repositoryId: 7,
    key: 'o/r#1',
    run: 'run-1',
    role: 'council',
    persona: 'maya',
    provider: 'offline',
    pool: 'default',
    model: 'offline-1',
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: 0.25,
    latencyMs: 5,
    outcome: 'ok',
    retries: 0,
    ...more,
  };
}

export const DONE: Settlement = { kind: 'finish', status: 'done' };

/** What a worker was given, in order; it answers by `answer`, or with done. */
export interface Log {
  given: Work[];
  ids: () => string[];
  stop: (timeoutMs?: number) => Promise<'drained' | 'abandoned'>;
}

export async function startLog(
  store: Store,
  answer: (work: Work) => Promise<Settlement | undefined> | Settlement | undefined = () => DONE,
  concurrency = 4,
): Promise<Log> {
  const given: Work[] = [];
  const worker = await store.work({
    concurrency,
    consume: async (work) => {
      given.push(work);
      const settlement = await answer(work);
      if (settlement !== undefined) await store.settle(work, settlement);
    },
  });
  return {
    given,
    ids: () => given.map(({ id }) => id),
    stop: (timeoutMs = 5000) => worker.stop(timeoutMs),
  };
}

/** Waits until nothing is pending. */
export async function idle(store: Store): Promise<void> {
  await waitUntil(async () => {
    const { events, effects } = await store.records.counts();
    return events.pending + effects.pending === 0;
  });
}

/** A gate that work waits at. */
export function gate(): { wait: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: resolve };
}

/** The n-th piece of work that was given. */
export function nth(log: Log, n: number): Work {
  const work = log.given[n];
  if (work === undefined) throw new Error(`Only ${log.given.length} pieces of work were given.`);
  return work;
}
