/** When the code is searched again after the tokens of 24 hours are used. */
import { expect, test } from 'vitest';
import { parseActionsState, type ActionsState } from '../../../src/domain/actions/actions-state.ts';
import {
  bookSpending,
  watchTokensLastDay,
} from '../../../src/domain/actions/spending/book-spending.ts';
import { tellNoTokens } from '../../../src/domain/loops/watch-tokens.ts';

const NOW = Date.parse('2026-11-26T15:00:00Z');

function nothingUsed(): ActionsState {
  const state = parseActionsState(undefined);
  if (state === undefined) throw new Error('there is no empty state');
  return state;
}

/** Tokens by the moment, as this version books them. */
function used(tokens: Record<string, number>): ActionsState {
  return Object.entries(tokens).reduce<ActionsState>(
    (state, [at, each]) => bookSpending(state, at, { usd: 0, tokens: each }),
    nothingUsed(),
  );
}

function expectFree(state: ActionsState, at: string): void {
  const told = tellNoTokens(state, { dailyTokens: 100, now: NOW });
  const [day = '', time = ''] = at.split('T');
  expect(told).toContain(`A search can begin again on ${day} at ${time.slice(0, 5)} UTC.`);
  const free = Date.parse(at);
  expect(watchTokensLastDay(state, free)).toBeLessThan(100);
  expect(watchTokensLastDay(state, free - 60_001)).toBeGreaterThanOrEqual(100);
}

test.each([
  [
    'tokens of one moment are free 24 hours later',
    { '2026-11-26T14:10:00.000Z': 100 },
    '2026-11-27T14:10:00.000Z',
  ],
  [
    'the oldest moment that brings the sum below the limit is the one',
    {
      '2026-11-25T16:00:00.000Z': 10,
      '2026-11-25T18:30:00.000Z': 60,
      '2026-11-26T09:00:00.000Z': 50,
    },
    '2026-11-26T18:30:00.000Z',
  ],
  [
    'what is older than 24 hours is left out',
    { '2026-11-25T10:00:00.000Z': 90, '2026-11-26T14:00:00.000Z': 100 },
    '2026-11-27T14:00:00.000Z',
  ],
  [
    'seconds are rounded up to the next minute',
    { '2026-11-26T14:10:30.500Z': 100 },
    '2026-11-27T14:11:00.000Z',
  ],
])('%s, and the text names that time', (_, tokens, at) => {
  expectFree(used(tokens), at);
});

test.each([
  ['yesterday’s tokens', { '2026-11-25': 90, '2026-11-26': 20 }, '2026-11-27T00:00:00.000Z'],
  ['today’s tokens', { '2026-11-26': 100 }, '2026-11-28T00:00:00.000Z'],
])('of an older version, which booked by day, %s end at a midnight', (_, watchTokens, at) => {
  expectFree({ ...nothingUsed(), watchTokens }, at);
});

test('the text says where the limit is raised', () => {
  const state = used({ '2026-11-26T14:00:00.000Z': 100 });
  const told = tellNoTokens(state, { dailyTokens: 100, now: NOW });
  expect(told).toContain('raise `sweeps.codeWatch.dailyTokens` in `.github/quorum.yml`');
});

test('a limit of 0 never allows a search, and the text names no time', () => {
  const told = tellNoTokens(nothingUsed(), { dailyTokens: 0, now: NOW });
  expect(told).toMatch(/^`sweeps\.codeWatch\.dailyTokens` is 0, so no search of the code begins\./);
  expect(told).not.toContain('UTC');
});
