/** When the code is searched again after the tokens of a day are used. */
import { expect, test } from 'vitest';
import { parseActionsState, type ActionsState } from '../../../src/domain/actions/actions-state.ts';
import { watchTokensLastDay } from '../../../src/domain/actions/spending/book-spending.ts';
import { tellNoTokens } from '../../../src/domain/loops/watch-tokens.ts';

const NOW = Date.parse('2026-11-26T15:00:00Z');

function used(watchTokens: Record<string, number>): ActionsState {
  const state = parseActionsState(undefined);
  if (state === undefined) throw new Error('there is no empty state');
  return { ...state, watchTokens };
}

test.each([
  ['yesterday’s tokens drop out at midnight', { '2026-11-25': 90, '2026-11-26': 20 }, '27'],
  ['today’s tokens count for one more day', { '2026-11-26': 100 }, '28'],
])('%s, and the text names that day', (_, tokens, day) => {
  const state = used(tokens);
  const told = tellNoTokens(state, { dailyTokens: 100, now: NOW });
  expect(told).toContain(`A search can begin again on 2026-11-${day} at 00:00 UTC.`);
  const free = Date.parse(`2026-11-${day}T00:00:00Z`);
  expect(watchTokensLastDay(state, free)).toBeLessThan(100);
  expect(watchTokensLastDay(state, free - 1)).toBeGreaterThanOrEqual(100);
});

test('the text says where the limit is raised', () => {
  const told = tellNoTokens(used({ '2026-11-26': 100 }), { dailyTokens: 100, now: NOW });
  expect(told).toContain('raise `sweeps.codeWatch.dailyTokens` in `.github/quorum.yml`');
});

test('a limit of 0 never allows a search, and the text names no day', () => {
  const told = tellNoTokens(used({}), { dailyTokens: 0, now: NOW });
  expect(told).toMatch(/^`sweeps\.codeWatch\.dailyTokens` is 0, so no search of the code begins\./);
  expect(told).not.toContain('UTC');
});
