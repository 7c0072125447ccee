/** Workers on one store tell each other which models failed (CB-15). */
import { expect, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite.ts';
import { createHealth } from '../../src/adapters/model/pool/pool-health.ts';
import type { Member } from '../../src/adapters/model/pool/members.ts';
import { FAILURES_TO_OPEN, OPEN_MS } from '../../src/adapters/model/pool/breaker.ts';
import { decide } from '../../src/decide/route.ts';
import { TransientError } from '../../src/domain/event/errors.ts';
import { followBreaks, tellBreak } from '../../src/hosts/share-breakers.ts';
import { consume } from '../../src/run.ts';
import { verifies } from '../verifies.ts';

const MODEL = {
  name: 'sonnet',
  model: 'claude',
  client: 'c',
  entry: { provider: 'anthropic', model: 'claude' },
} as unknown as Member;
const [A, B] = [11, 12];

/** Only tests move it; nobody sleeps for long. */
function createStillClock() {
  let now = Date.parse('2026-01-05T09:00:00Z');
  return {
    now: () => now,
    advance: (ms: number) => {
      now += ms;
    },
    sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 10)),
  };
}

const SOON = { timeout: 60_000 };

/** Workers, each with health of its own, on one store whose events are reduced. */
async function someWorkers(count: number) {
  const clock = createStillClock();
  const store = await openSqliteStore({ memory: true, clock });
  onTestFinished(() => store.close());
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  let ids = 0;
  const random = { id: () => `told-${(ids += 1)}`, next: () => 0 };
  const parts = { store, clock, random, log, signal: stop.signal };
  const perform = (): Promise<never> => Promise.reject(new Error('nothing is wanted'));
  const engine = { store, clock, random, log, perform, decide };
  await store.work({ concurrency: 1, consume: (work) => consume(work, engine) });
  const workers = Array.from({ length: count }, () => {
    const health = createHealth(clock, quiet, (told) => tellBreak(told, parts));
    void followBreaks(health, parts);
    return health;
  });
  return { clock, workers };
}

function quiet(): void {
  // Reports nothing.
}

const OVERLOADED = new TransientError({ code: 'model-overloaded', message: 'x' });
const MINUTES = 60_000;

verifies(
  'CB-15',
  'a breaker that one worker opens is open for the others, and closes for all',
  async () => {
    const { clock, workers } = await someWorkers(2);
    const [one, other] = workers;
    for (let n = 0; n < FAILURES_TO_OPEN; n += 1) one?.failed(MODEL, A, OVERLOADED);
    await expect.poll(() => other?.report(MODEL, A).state, SOON).toBe('open');
    // Another installation found nothing out.
    expect(other?.report(MODEL, B).state).toBe('ready');
    expect(other?.refusalReason(MODEL, A)).toBe('model-overloaded');
    clock.advance(OPEN_MS);
    expect(other?.report(MODEL, A).state).toBe('half-open');
    one?.began(MODEL, A);
    one?.answered(MODEL, A);
    await expect.poll(() => other?.report(MODEL, A).state, SOON).toBe('ready');
  },
);

verifies(
  'CB-15',
  'what three installations saw fail is open for everybody, in every worker',
  async () => {
    const { workers } = await someWorkers(3);
    const [one, , last] = workers;
    for (const who of [1, 2, 3]) one?.failed(MODEL, who, OVERLOADED);
    await expect.poll(() => last?.report(MODEL, B).state, SOON).toBe('open');
  },
);

verifies('CB-15', 'after the pause each worker tries once', async () => {
  const { clock, workers } = await someWorkers(2);
  const [one, other] = workers;
  for (let n = 0; n < FAILURES_TO_OPEN; n += 1) one?.failed(MODEL, A, OVERLOADED);
  await expect.poll(() => other?.report(MODEL, A).state, SOON).toBe('open');
  clock.advance(OPEN_MS + MINUTES / 2);
  expect(other?.refusalReason(MODEL, A)).toBeUndefined();
  other?.began(MODEL, A);
  expect(other?.refusalReason(MODEL, A)).toBe('model-overloaded');
});
