/** What becomes of an effect that failed, without a store. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../src/domain/event/error-codes.ts';
import {
  ConfigError,
  ConflictError,
  RefusedError,
  TransientError,
} from '../src/domain/event/errors.ts';
import { MAX_ENDINGS } from '../src/domain/event/suspicion.ts';
import type { EffectWork } from '../src/ports/store.ts';
import { afterFailure, MAX_ATTEMPTS, poisonOf, failureReason } from '../src/retry.ts';
import { THREAD } from './helpers/play.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const NO_JITTER = { now: NOW, random: 0 };

function anEffect(more: Partial<EffectWork> = {}, decidedAgo = 0): EffectWork {
  const at = new Date(NOW - decidedAgo).toISOString();
  const data = { kind: 'react', thread: THREAD, add: 'eyes' } as const;
  return {
    kind: 'effect',
    id: 'e',
    lane: undefined,
    attempt: 1,
    isFirst: true,
    reason: undefined,
    token: 't',
    effect: { id: 'e', key: 'thread:7/12', run: 'run-1', at, lane: 'one', data },
    ...more,
  };
}

const stale = (code: ErrorCode = 'github-not-found') =>
  new RefusedError({ code, message: 'no', isEventuallyConsistent: true });
const away = (more: { retryAfterMs?: number; maxRetryMs?: number } = {}) =>
  new TransientError({ code: 'github-unavailable', message: '502', ...more });

const waited = (since: number, code: ErrorCode = 'github-unavailable'): Partial<EffectWork> => ({
  waits: { code, since: NOW - since, times: 3 },
});

const RETRIES: [
  what: string,
  work: EffectWork,
  error: unknown,
  delayMs: number,
  countsAsAttempt: boolean,
][] = [
  ['confirms a refusal that may be stale', anEffect(), stale(), 5_000, true],
  [
    'confirms it again after another refusal',
    anEffect({ attempt: 2, reason: 'no-ref: no' }),
    stale(),
    5_000,
    true,
  ],
  [
    'confirms it for free where the work went on elsewhere after failures',
    anEffect({ attempt: MAX_ATTEMPTS, ...waited(HOUR, 'workflow-running') }),
    stale(),
    5_000,
    false,
  ],
  ['retries after two seconds at first', anEffect(), away(), 2_000, true],
  ['doubles the delay', anEffect({ attempt: 3 }), away(), 8_000, true],
  [
    'waits five minutes a time in the end, for free',
    anEffect({ attempt: 4 }),
    away(),
    5 * MINUTE,
    false,
  ],
  [
    'waits as long as the other side says, for free',
    anEffect(),
    away({ retryAfterMs: HOUR }),
    HOUR,
    false,
  ],
  [
    'waits so also at the last attempt',
    anEffect({ attempt: MAX_ATTEMPTS }),
    away({ retryAfterMs: 700 }),
    700,
    false,
  ],
  [
    'retries a lost compare-and-swap',
    anEffect(),
    new ConflictError({ code: 'github-conflict', message: 'no' }),
    2_000,
    true,
  ],
  ['retries just before three days', anEffect({}, 72 * HOUR - 1), away(), 2_000, true],
];

for (const [what, work, error, delayMs, countsAsAttempt] of RETRIES)
  test(`retries: ${what}`, () => {
    const { settlement } = afterFailure(work, error, NO_JITTER);
    expect(settlement).toMatchObject({ kind: 'retry', delayMs, countsAsAttempt });
  });

const ENDS: [what: string, work: EffectWork, error: unknown, status: 'refused' | 'dead'][] = [
  [
    'a refusal',
    anEffect(),
    new RefusedError({ code: 'github-forbidden', message: 'no' }),
    'refused',
  ],
  [
    'a fault of the configuration',
    anEffect(),
    new ConfigError({ code: 'github-unauthorised', message: 'no' }),
    'refused',
  ],
  [
    'a refusal that was confirmed',
    anEffect({ reason: 'github-not-found: no' }),
    stale(),
    'refused',
  ],
  ['a stale refusal at the last attempt', anEffect({ attempt: MAX_ATTEMPTS }), stale(), 'refused'],
  ['a bug', anEffect(), new Error('undefined is not a function'), 'dead'],
  ['a thrown value that is no error', anEffect(), 'no', 'dead'],
  ['an outage of three days', anEffect(waited(72 * HOUR)), away(), 'dead'],
  ['an outage, three days after the decision', anEffect({}, 72 * HOUR), away(), 'dead'],
  ['an outage with a limit of its own', anEffect(waited(HOUR)), away({ maxRetryMs: HOUR }), 'dead'],
];

for (const [what, work, error, status] of ENDS)
  test(`gives up at once: ${what}`, () => {
    const { settlement, level } = afterFailure(work, error, NO_JITTER);
    expect(settlement).toMatchObject({
      kind: 'finish',
      status,
      events: [{ id: 'e:failed', data: { kind: 'failed', effectKind: 'react' } }],
    });
    expect(level).toBe(status === 'dead' ? 'error' : 'warn');
  });

describe('the record of waiting', () => {
  const waitsAfter = (more: Partial<EffectWork>) => {
    const { settlement } = afterFailure(anEffect(more), away({ maxRetryMs: HOUR }), NO_JITTER);
    return settlement.kind === 'retry' ? settlement.waits : 'no retry';
  };

  test('begins with the first failure', () => {
    expect(waitsAfter({})).toEqual({ code: 'github-unavailable', since: NOW, times: 1 });
  });

  test('counts failures of one code in a row', () => {
    expect(waitsAfter(waited(MINUTE))).toMatchObject({ since: NOW - MINUTE, times: 4 });
  });

  test('starts again with another code, so that each has its own limit', () => {
    expect(waitsAfter(waited(2 * HOUR, 'disk-full'))).toMatchObject({ since: NOW, times: 1 });
  });

  test('reads a record of an older version, which has no count', () => {
    const waits = { code: 'github-unavailable' as const, since: NOW };
    expect(waitsAfter({ waits })).toMatchObject({ times: 2 });
  });
});

test.each([
  [{ attempt: MAX_ATTEMPTS }, undefined],
  [{ attempt: MAX_ATTEMPTS + 1 }, 'given-out-too-often'],
  [{ attempt: 1, endings: MAX_ENDINGS - 1 }, undefined],
  [{ attempt: 1, endings: MAX_ENDINGS }, 'ends-the-process'],
])('work like %j is poison: %s', (work, code) => {
  expect(poisonOf(work)?.code).toBe(code);
});

/** Repeats one failure until the effect ends. */
function* endlessly(error: Error, jitter: () => number) {
  let work = anEffect();
  for (let now = NOW; ;) {
    const { settlement } = afterFailure(work, error, { now, random: jitter() });
    yield { settlement, now };
    if (settlement.kind !== 'retry') return;
    now += settlement.delayMs;
    const { reason, waits = work.waits, countsAsAttempt } = settlement;
    const attempt = work.attempt + (countsAsAttempt ? 1 : 0);
    work = { ...work, attempt, reason, ...(waits === undefined ? {} : { waits }) };
  }
}

test('a failure that never passes ends, at most one delay after its limit', () => {
  const limit = fc.integer({ min: 1, max: 72 * HOUR });
  const error = fc.oneof(
    fc
      .record({ retryAfterMs: fc.integer({ min: MINUTE, max: HOUR }), maxRetryMs: limit })
      .map(away),
    fc.record({ maxRetryMs: limit }).map(away),
    fc.constant(away()),
    fc.constantFrom<ErrorCode>('github-not-found', 'git-refused').map(stale),
  );
  const jitters = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(error, jitters, (failure, jitter) => {
      let nth = 0;
      const steps = [...endlessly(failure, () => jitter[nth++ % jitter.length] ?? 0)];
      const end = steps.at(-1);
      expect(end?.settlement).toMatchObject({
        kind: 'finish',
        reason: failureReason({ code: failure.code, message: failure.message, retryable: false }),
      });
      const most = failure instanceof TransientError ? (failure.maxRetryMs ?? 72 * HOUR) : MINUTE;
      expect(end?.now).toBeLessThanOrEqual(NOW + most + 1.2 * HOUR);
      for (const { settlement } of steps.slice(0, -1))
        expect(settlement).toMatchObject({
          kind: 'retry',
          delayMs: expect.toSatisfy((ms: number) => ms >= 2_000 && ms <= 1.2 * HOUR),
        });
    }),
    { numRuns: 50 },
  );
});
