/** For how long no model is asked after GitHub refused the pull request of a workflow. */
import { expect, test } from 'vitest';
import { parseActionsState } from '../../src/domain/actions/actions-state.ts';
import {
  forgetRefused,
  noteRefused,
  tellRefused,
} from '../../src/hosts/action/sweep/memory/refused-proposals.ts';

const NOW = Date.parse('2026-11-29T10:00:00Z');
const DAY_MS = 86_400_000;
const fresh = parseActionsState(undefined);
if (fresh === undefined) throw new Error('there is no first state');
const refused = noteRefused(fresh, NOW);

test.each([
  ['schedule', 0, true],
  ['schedule', DAY_MS - 1, true],
  ['schedule', DAY_MS, false],
  // A clock that went back would hold it for long.
  ['schedule', -1, false],
  ['workflow_dispatch', 1, false],
])('in a pass of the event %s %i ms later it is held back: %s', (event, laterMs, isHeld) => {
  expect(tellRefused(refused, { event }, NOW + laterMs) !== undefined).toBe(isHeld);
});

test('nothing is held back before it, after a proposal, or by a moment that nobody can read', () => {
  const event = 'schedule';
  expect(tellRefused(fresh, { event }, NOW)).toBeUndefined();
  expect(forgetRefused(refused)).toEqual(fresh);
  const unreadable = { cursors: { 'proposals-refused': 'soon' } };
  expect(tellRefused(unreadable, { event }, NOW)).toBeUndefined();
});
