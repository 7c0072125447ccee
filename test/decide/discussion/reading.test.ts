/** Whether a further part is asked about: as the money, the model and the answers allow. */
import { expect, test } from 'vitest';
import { turnToNextPart, type Going } from '../../../src/decide/discussion/read-parts.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import type { Reading } from '../../../src/domain/review/reading.ts';

function call(costUsd: number | undefined): ModelCall {
  const known = { usage: NO_USAGE, latencyMs: 1, outcome: 'ok', retries: 0 } as const;
  return { provider: 'p', pool: 'm', model: 'm', costUsd, ...known };
}

interface Over extends Partial<Omit<Going, 'reading'>> {
  reading?: Partial<Reading>;
}

function runWith({ reading: over, ...more }: Over): Going & { reading: Reading } {
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
  // The call before the part does not count towards its cost.
  const calls = [call(9), call(0.2), call(0.1)];
  return { reading, calls, round: 1, isOffline: false, isBudgetExhausted: false, ...more };
}

test.each<[string, boolean, Over]>([
  ['enough is left for as much again and the verdict', true, {}],
  ['a cent is missing', false, { reading: { money: { leftUsd: 0.49, verdictUsd: 0.2 } } }],
  [
    'the verdict, of unknown price, may cost too much',
    false,
    { reading: { money: { leftUsd: 0.5 } } },
  ],
  ['nobody answered on this one', false, { reading: { heard: [] } }],
  ['it is the last one', false, { reading: { at: 2, heard: [0, 1, 2] } }],
  ['a cap refused one before', false, { reading: { stopped: 'budget' } }],
  ['rules answer instead of a model', false, { isOffline: true }],
  ['it is a second round', false, { round: 2 }],
  ['no price is known, of which no cap says anything', true, { calls: [call(9), call(undefined)] }],
])('where %s: %s', (_, goesOn, over) => {
  const run = runWith(over);
  const { at } = run.reading;
  expect(turnToNextPart(run)).toBe(goesOn);
  if (goesOn) expect(run.reading.at).toBe(at + 1);
});

test('why it stopped is kept for people where it was the money', () => {
  const poor = runWith({ reading: { money: { leftUsd: 0, verdictUsd: 0.2 } } });
  turnToNextPart(poor);
  expect(poor.reading.stopped).toBe('budget');
  const silent = runWith({ reading: { heard: [] } });
  turnToNextPart(silent);
  expect(silent.reading.stopped).toBeUndefined();
});
