/** The breaker as a state machine, over many histories of one installation and of several. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breakerState,
  CLOSED,
  FAILURES_TO_OPEN,
  mayCall,
  recordCall,
  recordFailure,
  recordNoAnswer,
  recordSuccess,
  OPEN_MS,
  WITNESSES_TO_OPEN,
  type Breaker,
} from '../../../../src/adapters/model/pool/breaker.ts';
import { verifies } from '../../../verifies.ts';

const A = 'a';
const OUTCOMES = ['success', 'failure', 'load', 'nothing'] as const;
type Outcome = (typeof OUTCOMES)[number];

const wait = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: OPEN_MS * 2 }));
const step = fc.record({ waitMs: wait, outcome: fc.constantFrom(...OUTCOMES) });
const stepOfMany = fc.record({
  who: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  waitMs: wait,
  outcome: fc.constantFrom(...OUTCOMES),
});

interface Call {
  who: string;
  now: number;
  outcome: Outcome;
}

/** A call from its beginning to its end. */
function call(breaker: Breaker, { who, now, outcome }: Call): Breaker {
  const begun = recordCall(breaker, who, now);
  if (outcome === 'success') return recordSuccess(begun, who);
  if (outcome === 'nothing') return recordNoAnswer(begun, who);
  return recordFailure(begun, who, { now, isWitness: outcome === 'failure' });
}

function fail(breaker: Breaker, who: string, now: number): Breaker {
  return recordFailure(breaker, who, { now, isWitness: true });
}

describe('the breaker of one installation', () => {
  test('opens exactly when as many calls in a row have failed, or a trial has', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        let breaker: Breaker = CLOSED;
        let now = 0;
        let inRow = 0;
        for (const { waitMs, outcome } of steps) {
          now += waitMs;
          if (!mayCall(breaker, A, now)) continue;
          const wasTrial = breakerState(breaker, A, now) === 'half-open';
          // While a trial runs no other call of this installation may.
          expect(mayCall(recordCall(breaker, A, now), A, now)).toBe(!wasTrial);
          breaker = call(breaker, { who: A, now, outcome });
          const hasFailed = outcome === 'failure' || outcome === 'load';
          inRow = outcome === 'success' ? 0 : inRow + (hasFailed ? 1 : 0);
          const opens = hasFailed && (wasTrial || inRow >= FAILURES_TO_OPEN);
          expect(breakerState(breaker, A, now) === 'open').toBe(opens);
        }
      }),
    );
  });

  test('stays open for five minutes, whatever late failures say', () => {
    let breaker: Breaker = CLOSED;
    for (let i = 0; i < FAILURES_TO_OPEN; i += 1) breaker = fail(breaker, A, 1000);
    breaker = fail(breaker, A, 1000 + OPEN_MS - 1);
    expect(breakerState(breaker, A, 1000 + OPEN_MS - 1)).toBe('open');
    expect(breakerState(breaker, A, 1000 + OPEN_MS)).toBe('half-open');
  });

  test('lets another call try when a trial was aborted, or was never heard of again', () => {
    let breaker: Breaker = CLOSED;
    for (let i = 0; i < FAILURES_TO_OPEN; i += 1) breaker = fail(breaker, A, 0);
    breaker = recordCall(breaker, A, OPEN_MS);
    expect(mayCall(breaker, A, OPEN_MS)).toBe(false);
    expect(mayCall(recordNoAnswer(breaker, A), A, OPEN_MS)).toBe(true);
    expect(mayCall(breaker, A, 2 * OPEN_MS)).toBe(true);
  });
});

describe('the breaker of several installations', () => {
  verifies(
    'CB-15',
    'lets no installation take a model from another one by its own requests',
    () => {
      fc.assert(
        fc.property(fc.array(stepOfMany, { maxLength: 60, size: 'max' }), (steps) => {
          let breaker: Breaker = CLOSED;
          let now = 0;
          for (const { who, waitMs, outcome } of steps) {
            now += waitMs;
            // All failures are one installation's: it calls whatever its breaker says.
            const isFine = outcome === 'success' ? 'success' : 'nothing';
            breaker = call(breaker, { who, now, outcome: who === A ? outcome : isFine });
            for (const other of ['b', 'c', 'd']) expect(mayCall(breaker, other, now)).toBe(true);
          }
        }),
      );
    },
  );

  verifies('CB-15', 'is open for those without a failure only after several others saw one', () => {
    fc.assert(
      fc.property(fc.array(stepOfMany, { maxLength: 60, size: 'max' }), (steps) => {
        let breaker: Breaker = CLOSED;
        let now = 0;
        const saw = new Set<string>();
        for (const { who, waitMs, outcome } of steps) {
          now += waitMs;
          breaker = call(breaker, { who, now, outcome });
          if (outcome === 'success') saw.clear();
          if (outcome === 'failure') saw.add(who);
          if (!mayCall(breaker, 'nobody yet', now))
            expect(saw.size).toBeGreaterThanOrEqual(WITNESSES_TO_OPEN);
        }
      }),
    );
  });

  verifies(
    'CB-15',
    'gives each installation the same as without the overload of the others',
    () => {
      fc.assert(
        fc.property(fc.array(stepOfMany, { maxLength: 60, size: 'max' }), (steps) => {
          let all: Breaker = CLOSED;
          let alone: Breaker = CLOSED;
          let now = 0;
          for (const { who, waitMs, outcome } of steps) {
            now += waitMs;
            // What is no witness's word leaves no trace for others, in any order.
            const own = outcome === 'failure' ? 'load' : outcome;
            all = call(all, { who, now, outcome: own });
            if (who === A) alone = call(alone, { who, now, outcome: own });
            expect(breakerState(all, A, now)).toBe(breakerState(alone, A, now));
            expect(mayCall(all, A, now)).toBe(mayCall(alone, A, now));
          }
        }),
      );
    },
  );

  test('opens for everybody at the third that saw the model fail, and closes with the first answer', () => {
    let breaker = ['a', 'a', 'b'].reduce((each, who) => fail(each, who, 0), CLOSED);
    expect(mayCall(breaker, 'd', 0)).toBe(true);
    breaker = fail(breaker, 'c', 0);
    expect(mayCall(breaker, 'd', OPEN_MS - 1)).toBe(false);
    expect(mayCall(breaker, 'd', OPEN_MS)).toBe(true);
    // One trial for each: a caller that fails again waits alone.
    breaker = fail(recordCall(breaker, 'a', OPEN_MS), 'a', OPEN_MS);
    expect(mayCall(breaker, 'a', OPEN_MS)).toBe(false);
    expect(mayCall(breaker, 'd', OPEN_MS)).toBe(true);
    breaker = recordSuccess(recordCall(breaker, 'd', OPEN_MS), 'd');
    expect(breakerState(breaker, 'e', OPEN_MS)).toBe('closed');
    expect(mayCall(breaker, 'a', OPEN_MS)).toBe(false);
  });

  test('is plain data: it can be kept anywhere', () => {
    const breaker = fail(fail(CLOSED, 'a', 5), 'b', 5);
    expect(JSON.parse(JSON.stringify(breaker))).toEqual({
      own: { a: { failuresInRow: 1 }, b: { failuresInRow: 1 } },
      witnesses: ['a', 'b'],
    });
  });
});
