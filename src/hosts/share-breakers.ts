/** Workers on one database tell each other which models failed, so that each does not have to find out by itself (CB-15). */
import type { Pool } from '../adapters/model/pool/pool-state.ts';
import { EVENT_VERSION } from '../domain/event/event.ts';
import { MODELS_KEY, toModelBreaks, type ModelBreak } from '../domain/run/model-breaks.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { openModelPool, type Basics } from './host-parts.ts';

export interface SharingParts {
  store: Pick<Store, 'append' | 'load'>;
  clock: Clock;
  random: Random;
  log: Log;
  signal: AbortSignal;
}

/** The pool of a process that others work beside, until the signal. */
export function openSharedPool(
  basics: Basics,
  { store, signal }: Pick<SharingParts, 'store' | 'signal'>,
): Pool {
  const parts = { ...basics, store, signal };
  const pool = openModelPool(basics, (told) => tellBreak(told, parts));
  void followBreaks(pool, parts);
  return pool;
}

/** A worker that learns of it later asks a failing model once more in vain, and that is all. */
const EVERY_MS = 5_000;

/** Takes what the pool learned. A store that is away loses it: the others find out by themselves. */
export function tellBreak(
  told: ModelBreak,
  { store, clock, random, log }: Omit<SharingParts, 'signal'>,
): void {
  const at = new Date(clock.now()).toISOString();
  const data = { kind: 'model-break' as const, run: told.model, told };
  store
    .append([{ id: random.id(), key: MODELS_KEY, version: EVENT_VERSION, at, data }])
    .catch((error: unknown) => log.warn({ err: error }, 'a breaker was not shared'));
}

/** Reads now and then what the others learned, until the signal. Never rejects. */
export async function followBreaks(
  pool: Pick<Pool, 'adopt'>,
  { store, clock, log, signal }: SharingParts,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const kept = await store.load(MODELS_KEY);
      pool.adopt(toModelBreaks(kept?.state));
    } catch (error) {
      log.warn({ err: error }, 'the breakers of other workers were not read');
    }
    await clock.sleep(EVERY_MS, signal).catch(() => undefined);
  }
}
