/** What of a stored thread is going on, and what GitHub may know better. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../../../src/domain/run/state/run-record.ts';
import { derivedId, timeOfId } from '../../../../src/domain/run/ids.ts';
import { findOpenWork } from '../../../../src/domain/run/state/open-work.ts';

const RUN = {
  id: 'run-1',
  trigger: 'pr_review',
  status: 'active',
  headSha: 'abc',
  wasBlocked: false,
  startedAt: '2026-01-01T00:00:00.000Z',
};

function stateOf(over: Partial<Run>): unknown {
  return { v: 1, runs: { pr_review: { ...RUN, ...over } } };
}

describe('work that is going on', () => {
  test('is not found for a run that has ended, or that the state does not know', () => {
    expect(findOpenWork(stateOf({ status: 'consensus' }), 'run-1')).toBeUndefined();
    expect(findOpenWork(stateOf({ status: 'closed' }), 'run-1')).toBeUndefined();
    expect(findOpenWork(stateOf({}), 'run-2')).toBeUndefined();
    expect(findOpenWork(undefined, 'run-1')).toBeUndefined();
  });

  test('of a run that GitHub was found to have ended says so', () => {
    const state = stateOf({ status: 'closed', isOvertaken: true });
    expect(findOpenWork(state, 'run-1')).toMatchObject({ isOvertaken: true });
  });

  test('knows an end that the run wrote itself: of a head that was pushed over, and of a question', () => {
    const hasWaited = (over: Partial<Run>) => findOpenWork(stateOf(over), 'run-1')?.hasWaited;
    expect(hasWaited({})).toBe(false);
    expect(hasWaited({ checkStage: 'abc going on' })).toBe(false);
    expect(hasWaited({ checkStage: 'abc neutral' })).toBe(true);
    expect(hasWaited({ status: 'blocked', wasBlocked: true })).toBe(true);
  });
});

test('the moment in a derived id is read back, and in no other id', () => {
  const now = Date.parse('2026-11-24T05:00:00.123Z');
  expect(timeOfId(derivedId('delivery', now))).toBe(now);
  expect(timeOfId('plan')).toBeUndefined();
});
