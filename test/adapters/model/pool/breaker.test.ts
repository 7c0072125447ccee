/** The breaker as a state machine, over many histories. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breakerState,
  CLOSED,
  FAILURES_TO_OPEN,
  mayCall,
  onCall,
  onFailure,
  onNothing,
  onSuccess,
  OPEN_MS,
  type Breaker,
} from '../../../../src/adapters/model/pool/breaker.ts';

const step = fc.record({
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: OPEN_MS * 2 })),
  outcome: fc.constantFrom('success', 'failure', 'nothing'),
});

describe('breaker', () => {
  test('opens exactly when as many calls in a row have failed, or a trial has', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let breaker: Breaker = CLOSED;
        let now = 0;
        let inRow = 0;
        for (const { waitMs, outcome } of steps) {
          now += waitMs;
          if (!mayCall(breaker, now)) continue;
          const wasTrial = breakerState(breaker, now) === 'half-open';
          breaker = onCall(breaker, now);
          // While a trial runs nobody else may call.
          expect(mayCall(breaker, now)).toBe(!wasTrial);
          if (outcome === 'success') breaker = onSuccess();
          else if (outcome === 'failure') breaker = onFailure(breaker, now);
          else breaker = onNothing(breaker);
          inRow = outcome === 'success' ? 0 : inRow + (outcome === 'failure' ? 1 : 0);
          const opens = outcome === 'failure' && (wasTrial || inRow >= FAILURES_TO_OPEN);
          expect(breakerState(breaker, now) === 'open').toBe(opens);
        }
      }),
    );
  });

  test('stays open for five minutes, whatever late failures say', () => {
    let breaker: Breaker = CLOSED;
    for (let i = 0; i < FAILURES_TO_OPEN; i += 1) breaker = onFailure(breaker, 1000);
    breaker = onFailure(breaker, 1000 + OPEN_MS - 1);
    expect(breakerState(breaker, 1000 + OPEN_MS - 1)).toBe('open');
    expect(breakerState(breaker, 1000 + OPEN_MS)).toBe('half-open');
  });

  test('lets another one try when a trial was aborted', () => {
    let breaker: Breaker = { failuresInRow: 3, openUntil: 10, isTrying: false };
    breaker = onCall(breaker, 20);
    expect(mayCall(breaker, 20)).toBe(false);
    expect(mayCall(onNothing(breaker), 20)).toBe(true);
  });
});
