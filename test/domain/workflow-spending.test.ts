/** What workflows spend is counted for 24 hours, and what was reserved counts until it is known what was spent. */
import { assert, array, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ActionsState,
  claimEvent,
  isOpenClaim,
  parseActionsState,
  recordApplied,
  renderActionsState,
} from '../../src/domain/actions/actions-state.ts';
import {
  recordDone,
  recordLost,
  releaseUnbegun,
  spentBeside,
} from '../../src/domain/actions/spending/settle-claim.ts';
import {
  bookSpending,
  spentLastDay,
  watchTokensLastDay,
  type Spending,
} from '../../src/domain/actions/spending/book-spending.ts';

const EMPTY = parseActionsState(undefined) as ActionsState;
const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function spend(
  state: ActionsState,
  now: number,
  { usd, tokens: watchTokens }: Spending,
): ActionsState {
  const event = `e${now}`;
  const claimed = claimEvent(state, { event, workflowRun: '1', attempt: 1, now, lifeMs: 60_000 });
  return recordDone(claimed.state, { event, usd, watchTokens, now });
}

describe('the last 24 hours', () => {
  test('count dollars and tokens until 24 hours are over, whatever the day', () => {
    const state = spend(spend(EMPTY, NOW, { usd: 1, tokens: 100 }), NOW + HOUR_MS, {
      usd: 0.5,
      tokens: 10,
    });
    const told = (now: number) => [spentLastDay(state, now), watchTokensLastDay(state, now)];
    expect(told(NOW + DAY_MS - 1)).toEqual([1.5, 110]);
    expect(told(NOW + DAY_MS)).toEqual([0.5, 10]);
    expect(told(NOW + HOUR_MS + DAY_MS)).toEqual([0, 0]);
  });

  test('count what an older version wrote, of which only the day is known, with that day and the next', () => {
    const text = JSON.stringify({
      version: 1,
      spentUsd: { '2026-11-25': 2, '2026-11-26': 1 },
      watchTokens: { '2026-11-25': 30 },
    });
    const read = parseActionsState(text) as ActionsState;
    expect([spentLastDay(read, NOW), watchTokensLastDay(read, NOW)]).toEqual([3, 30]);
    const more = spend(read, NOW, { usd: 0.25, tokens: 5 });
    expect([spentLastDay(more, NOW), watchTokensLastDay(more, NOW)]).toEqual([3.25, 35]);
    expect(spentLastDay(more, NOW + DAY_MS)).toBe(1);
    expect(spentLastDay(more, NOW + 2 * DAY_MS)).toBe(0);
  });

  test('are kept as at most 200 moments, and never count too little', () => {
    const gaps = array(integer({ min: 1, max: HOUR_MS / 4 }), { minLength: 210, maxLength: 300 });
    assert(
      property(gaps, (all) => {
        let now = NOW;
        let state = EMPTY;
        const moments = all.map((gap) => {
          now += gap;
          state = bookSpending(state, new Date(now).toISOString(), { usd: 0.01, tokens: 1 });
          return now;
        });
        expect(Object.keys(state.spentAt).length).toBeLessThanOrEqual(200);
        const recent = moments.filter((at) => at > now - DAY_MS).length;
        expect(watchTokensLastDay(state, now)).toBeGreaterThanOrEqual(recent);
        expect(watchTokensLastDay(state, now + 3 * DAY_MS)).toBe(0);
      }),
      { numRuns: 3 },
    );
  });
});

const RESERVES = { usd: 0.5, tokens: 1_000 };
const SEARCH = {
  event: 'code-watch a',
  workflowRun: '1',
  attempt: 1,
  now: NOW,
  lifeMs: HOUR_MS,
  reserves: RESERVES,
};
const ENDED = {
  event: SEARCH.event,
  workflowRun: '1',
  now: NOW + HOUR_MS,
  usd: 0.02,
  watchTokens: 40,
  attempt: 1,
};

function counted(state: ActionsState): { usd: number; tokens: number } {
  const read = parseActionsState(renderActionsState(state)) as ActionsState;
  const now = NOW + 2 * HOUR_MS;
  return { usd: spentLastDay(read, now), tokens: watchTokensLastDay(read, now) };
}

describe('what a claim reserves', () => {
  const { state } = claimEvent(EMPTY, SEARCH);

  test('counts in full from the claim on, by the day as well, and once where the claim is made again', () => {
    expect(counted(state)).toEqual(RESERVES);
    expect([state.spentUsd, state.watchTokens]).toEqual([
      { '2026-11-26': 0.5 },
      { '2026-11-26': 1_000 },
    ]);
    expect(counted(claimEvent(state, { ...SEARCH, now: NOW + 1 }).state)).toEqual(RESERVES);
  });

  test('is replaced by what was spent, where the search ends and where it fails', () => {
    const spent = { usd: 0.02, tokens: 40 };
    const done = recordDone(state, ENDED);
    expect(counted(done)).toEqual(spent);
    expect(recordDone(done, ENDED)).toBe(done);
    const lost = recordLost(state, ENDED);
    expect(counted(lost)).toEqual(spent);
    expect(recordLost(lost, ENDED)).toBe(lost);
    expect([done, lost].map(({ spentUsd }) => spentUsd)).toEqual([
      { '2026-11-26': 0.02 },
      { '2026-11-26': 0.02 },
    ]);
  });

  test('is given back where the search was not begun', () => {
    const { event, workflowRun } = SEARCH;
    const unbegun = { event, workflowRun, attempt: 1, now: NOW + 1 };
    expect(counted(releaseUnbegun(state, unbegun))).toEqual({ usd: 0, tokens: 0 });
    // An earlier attempt of the workflow may have begun it.
    expect(counted(releaseUnbegun(state, { ...unbegun, attempt: 2 }))).toEqual(RESERVES);
  });

  test('stays counted for the workflow that died, when another workflow or attempt ends the search', () => {
    const both = { usd: 0.52, tokens: 1_040 };
    const other = { ...SEARCH, workflowRun: '2', now: NOW + HOUR_MS };
    const again = claimEvent(state, other).state;
    expect(counted(again)).toEqual({ usd: 1, tokens: 2_000 });
    const ended = recordDone(again, ENDED);
    expect(counted(ended)).toEqual({ usd: 1.02, tokens: 2_040 });
    expect(
      counted(recordDone(ended, { ...ENDED, workflowRun: '2', usd: 0, watchTokens: 0 })),
    ).toEqual(both);
    expect(counted(recordDone(state, { ...ENDED, attempt: 2 }))).toEqual(both);
    const rerun = claimEvent(state, { ...SEARCH, attempt: 2, now: NOW + 1 }).state;
    expect(counted(recordDone(rerun, { ...ENDED, attempt: 2 }))).toEqual(both);
  });
});

describe('work whose answer could not be written', () => {
  const EVENT = 'e';
  const begun = claimEvent(EMPTY, {
    event: EVENT,
    workflowRun: '7',
    attempt: 1,
    now: NOW,
    lifeMs: HOUR_MS,
  }).state;
  const work = { event: EVENT, thread: 3, ids: [], usd: 0.4, now: NOW };

  test('counts once, whether it is written later or never', () => {
    const failed = recordApplied(begun, { ...work, spending: 'abc', isDone: false });
    expect(spentLastDay(failed, NOW)).toBe(0.4);
    expect(recordApplied(failed, { ...work, spending: 'abc', isDone: false })).toEqual(failed);
    const done = recordApplied(failed, { ...work, spending: 'abc', isDone: true });
    expect([spentLastDay(done, NOW), done.claims[EVENT]?.doneAt]).toEqual([
      0.4,
      '2026-11-26T12:00:00.000Z',
    ]);
  });

  test('counts beside what a later job spent on the same event', () => {
    const failed = recordApplied(begun, { ...work, spending: 'abc', isDone: false });
    const done = recordApplied(failed, { ...work, usd: 0.1, spending: 'def', isDone: true });
    expect(spentLastDay(done, NOW)).toBe(0.5);
  });
});

test('a run sees what others reserved, and not what it has only reserved itself', () => {
  const claimOf = (workflowRun: string, usd: number) => ({
    event: `of ${workflowRun}`,
    workflowRun,
    attempt: 1,
    now: NOW,
    lifeMs: HOUR_MS,
    reserves: { usd, tokens: 0 },
  });
  const spent = bookSpending(EMPTY, new Date(NOW).toISOString(), { usd: 1, tokens: 0 });
  const both = claimEvent(claimEvent(spent, claimOf('7', 0.5)).state, claimOf('8', 0.25)).state;
  expect([7, 8, 9].map((run) => spentBeside(both, { workflowRun: `${run}` }, NOW))).toEqual([
    1.25, 1.5, 1.75,
  ]);
});

test('a claim is open for its own run, until it ends or is done', () => {
  const asked = { event: 'e', workflowRun: '7', now: NOW };
  const { state } = claimEvent(EMPTY, { ...asked, attempt: 1, lifeMs: HOUR_MS });
  const done = recordDone(state, { event: 'e', usd: 0, now: NOW });
  expect([
    isOpenClaim(state, asked),
    isOpenClaim(state, { ...asked, workflowRun: '8' }),
    isOpenClaim(state, { ...asked, now: NOW + HOUR_MS }),
    isOpenClaim(done, asked),
    isOpenClaim(EMPTY, asked),
  ]).toEqual([true, false, false, false, false]);
});
