/** Keys of jobs stay with their claim until what they wrote is recorded. */
import { describe, expect, test } from 'vitest';
import {
  claimEvent,
  parseActionsState,
  recordApplied,
  type ActionsState,
} from '../../../src/domain/actions/actions-state.ts';
import { announceJobKey, jobKeysOf } from '../../../src/domain/github/job-keys.ts';

const EVENT = 'opened 3';
const NOW = Date.parse('2026-11-29T00:00:00Z');
const LIFE_MS = 3_600_000;

function claimed(before = parseActionsState(undefined), run = '77', now = NOW): ActionsState {
  if (before === undefined) throw new Error('There is no state');
  const by = { event: EVENT, workflowRun: run, attempt: 1, now, lifeMs: LIFE_MS };
  return claimEvent(before, by).state;
}

describe('the key of a job', () => {
  const state = announceJobKey(claimed(), EVENT, 'one');

  test('is kept once, whether or not the answer to its write was lost', () => {
    expect(jobKeysOf(announceJobKey(state, EVENT, 'one'), EVENT)).toEqual(['one']);
  });

  test('is kept when another workflow takes the claim over', () => {
    const taken = claimed(state, '78', NOW + 2 * LIFE_MS);
    expect(jobKeysOf(announceJobKey(taken, EVENT, 'two'), EVENT)).toEqual(['one', 'two']);
  });

  test.each([
    ['stays while the job has not ended', false, ['one']],
    ['goes when everything is recorded', true, []],
  ])('%s', (_, isDone, keys) => {
    const applied = { event: EVENT, thread: 3, ids: [5], usd: 0, now: NOW, isDone };
    expect(jobKeysOf(recordApplied(state, applied), EVENT)).toEqual(keys);
  });

  test('is not kept for an event that nobody claims', () => {
    expect(announceJobKey(state, 'another', 'two')).toEqual(state);
  });

  test('is kept of the first job and of the last nine', () => {
    const names = Array.from({ length: 12 }, (_, index) => `key-${index}`);
    const many = names.reduce((at, name) => announceJobKey(at, EVENT, name), claimed());
    expect(jobKeysOf(many, EVENT)).toEqual(['key-0', ...names.slice(-9)]);
  });
});
