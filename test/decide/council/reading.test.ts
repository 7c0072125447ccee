/** Whether a further part is asked about: as the money, the model and the answers allow. */
import { expect, test } from 'vitest';
import { turnToNextPart } from '../../../src/decide/council/reading.ts';
import type { CouncilRun } from '../../../src/domain/council.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/ledger.ts';
import type { Reading } from '../../../src/domain/reading.ts';

function call(costUsd: number | undefined): ModelCall {
  const known = { usage: NO_USAGE, latencyMs: 1, outcome: 'ok', retries: 0 } as const;
  return { provider: 'p', pool: 'm', model: 'm', costUsd, ...known };
}

function runWith(over: Partial<Reading>, more: Partial<CouncilRun> = {}): CouncilRun {
  const reading: Reading = {
    parts: [[], [], []],
    size: 1_000,
    at: 0,
    asked: [],
    heard: [0],
    callsBefore: 1,
    money: { leftUsd: 0.5, verdictUsd: 0.2 },
    ...over,
  };
  // The call before the part is none of its cost.
  const calls = [call(9), call(0.2), call(0.1)];
  return {
    reading,
    calls,
    round: 1,
    isOffline: false,
    isBudgetExhausted: false,
    ...more,
  } as CouncilRun;
}

test.each<[string, boolean, Partial<Reading>, Partial<CouncilRun>?]>([
  ['enough is left for as much again and the verdict', true, {}],
  ['a cent is missing', false, { money: { leftUsd: 0.49, verdictUsd: 0.2 } }],
  [
    'the price of the verdict is unknown, and the part again is not enough',
    false,
    { money: { leftUsd: 0.5 } },
  ],
  ['nobody answered on this one', false, { heard: [] }],
  ['it is the last one', false, { at: 2, heard: [0, 1, 2] }],
  ['a cap refused one before', false, { stopped: 'budget' }],
  ['rules answer instead of a model', false, {}, { isOffline: true }],
  ['it is a second round', false, {}, { round: 2 }],
  [
    'prices are unknown, of which no cap says anything',
    true,
    { money: { leftUsd: 0.5 } },
    { calls: [call(undefined), call(undefined)] },
  ],
])('where %s: %s', (_, goesOn, over, more) => {
  const run = runWith(over, more);
  const at = run.reading?.at ?? 0;
  expect(turnToNextPart(run)).toBe(goesOn);
  if (goesOn) expect(run.reading?.at).toBe(at + 1);
});

test('why it stopped is kept for people where it was the money', () => {
  const poor = runWith({ money: { leftUsd: 0, verdictUsd: 0.2 } });
  turnToNextPart(poor);
  expect(poor.reading?.stopped).toBe('budget');
  const silent = runWith({ heard: [] });
  turnToNextPart(silent);
  expect(silent.reading?.stopped).toBeUndefined();
});
