/** Going from part to part: who is asked, what is noted of an answer, and which part a question is about. */
import { describe, expect, test } from 'vitest';
import {
  askForPart,
  noteHeard,
  partFor,
  turnToNextPart,
} from '../../../src/decide/discussion/read-parts.ts';
import type { Contribution, CouncilFinding, Purpose } from '../../../src/domain/run/council.ts';
import type { MoneyLeft, Reading } from '../../../src/domain/review/reading.ts';
import { NO_USAGE, type ModelCall } from '../../../src/domain/run/ledger.ts';
import type { DiscussionRun } from '../../../src/domain/run/state/run-record.ts';
import { aRun } from '../../helpers/a-run.ts';
import { aPosition } from '../../helpers/an-issue.ts';

const MAYA = [{ handle: 'maya', purpose: 'position' as const }];
const DEV = [{ handle: 'dev', purpose: 'position' as const }];
const CALL: ModelCall = {
  provider: 'p',
  pool: 'm',
  model: 'm',
  usage: NO_USAGE,
  costUsd: 0.1,
  latencyMs: 1,
  outcome: 'ok',
  retries: 0,
};

function aReading(over: Partial<Reading> = {}): Reading {
  const file = (path: string) => [{ path, pieces: [0] }];
  return {
    parts: [file('a.ts'), file('b.ts'), file('c.ts')],
    size: 1_000,
    at: 0,
    asked: MAYA,
    heard: [],
    callsBefore: 0,
    ...over,
  };
}

function runWith(reading: Reading | undefined, over: Partial<DiscussionRun> = {}): DiscussionRun {
  return aRun('pr_review', { ...(reading && { reading }), ...over } as object);
}

describe('whom to ask about a part', () => {
  test('is the next in line when nothing is read in parts', () => {
    expect(askForPart(runWith(undefined), () => DEV)).toEqual(DEV);
  });

  test('is the next in line for the first part, and the cost is counted from zero', () => {
    const run = runWith(aReading({ money: { leftUsd: 1 } }), { calls: [CALL, CALL] });
    expect(askForPart(run, () => DEV)).toEqual(DEV);
    expect(run.reading).toEqual({ ...aReading({ asked: DEV, callsBefore: 2 }) });
  });

  test('is the same for a further part, and nobody is taken out of the line', () => {
    const run = runWith(aReading({ at: 1, money: { leftUsd: 1 } }), { calls: [CALL] });
    const unused = () => {
      throw new Error('nobody is next');
    };
    expect(askForPart(run, unused)).toEqual(MAYA);
    expect(run.reading).toEqual(aReading({ at: 1, callsBefore: 1 }));
  });
});

describe('an answer', () => {
  const left = (leftUsd: number): MoneyLeft => ({ leftUsd, verdictUsd: 0.1 });

  test.each<[string, Partial<Reading>, Parameters<typeof noteHeard>[1], Partial<Reading>]>([
    ['on a part that nobody was heard on', {}, { part: 1, money: undefined }, { heard: [1] }],
    [
      'on a part that somebody was heard on',
      { heard: [1] },
      { part: 1, money: undefined },
      { heard: [1] },
    ],
    ['on no part', { heard: [0] }, { part: undefined, money: left(1) }, { heard: [0] }],
    [
      'with the first word on money',
      {},
      { part: 0, money: left(-1) },
      { heard: [0], money: left(-1) },
    ],
    [
      'with more money left',
      { money: left(1) },
      { part: 0, money: left(2) },
      { heard: [0], money: left(2) },
    ],
    [
      'with less money left',
      { money: left(2) },
      { part: 0, money: left(1) },
      { heard: [0], money: left(2) },
    ],
    [
      'with as much left',
      { money: left(2) },
      { part: 0, money: { leftUsd: 2 } },
      { heard: [0], money: { leftUsd: 2 } },
    ],
  ])('%s', (_, ...[before, answer, after]) => {
    const run = runWith(aReading(before));
    noteHeard(run, answer);
    expect(run.reading).toEqual(aReading(after));
  });

  test('says nothing where nothing is read in parts', () => {
    const run = runWith(undefined);
    noteHeard(run, { part: 0, money: left(1) });
    expect(run).not.toHaveProperty('reading');
  });
});

describe('the next part', () => {
  const afford = { money: { leftUsd: 9, verdictUsd: 1 }, heard: [0, 1, 2] };

  test.each<[string, boolean, Partial<Reading>, object, Partial<Reading>]>([
    ['the second of three', true, afford, {}, { at: 1 }],
    ['the last of three', true, { ...afford, at: 1 }, {}, { at: 2 }],
    ['none after the last', false, { ...afford, at: 2 }, {}, { at: 0 }],
    ['none in a second round', false, { ...afford, at: 1 }, { round: 2 }, { at: 1 }],
    ['none where no money was told', false, { heard: [0] }, {}, { at: 0, stopped: 'budget' }],
    [
      'none where a cap was met',
      false,
      afford,
      { isBudgetExhausted: true },
      { at: 0, stopped: 'budget' },
    ],
    ['none without a model', false, { ...afford, at: 1 }, { isOffline: true }, { at: 0 }],
  ])('is %s', (_, ...[goesOn, reading, over, after]) => {
    const run = runWith(aReading(reading), over);
    expect(turnToNextPart(run)).toBe(goesOn);
    expect(run.reading).toEqual(aReading({ ...reading, ...after }));
  });

  test('does not exist when nothing is read in parts', () => {
    expect(turnToNextPart(runWith(undefined))).toBe(false);
  });
});

describe('the part that a question is about', () => {
  const found = (
    path: string | undefined,
    severity: CouncilFinding['severity'],
  ): CouncilFinding => ({
    severity,
    title: 'It breaks',
    evidence: '',
    ...(path !== undefined && { place: { path } }),
  });
  const said = (...findings: CouncilFinding[]): Contribution[] => [
    {
      handle: 'maya',
      name: 'Maya',
      role: 'Security',
      round: 1,
      outcome: 'said',
      position: aPosition({ findings }),
    },
  ];

  test.each<[string, number | undefined, Purpose, number, Contribution[]]>([
    ['the one that is read, in the first round', 1, 'position', 1, said(found('c.ts', 'high'))],
    [
      'the worst, for the verdict',
      2,
      'verdict',
      1,
      said(found('b.ts', 'low'), found('c.ts', 'high')),
    ],
    [
      'the worst, whoever is asked in a second round',
      1,
      'position',
      2,
      said(found('b.ts', 'critical'), found('c.ts', 'high')),
    ],
    ['the first, where nothing was found', 0, 'verdict', 1, said()],
    [
      'the first, where a finding has no place',
      0,
      'verdict',
      1,
      said(found(undefined, 'critical')),
    ],
    [
      'the worst that is in a part',
      2,
      'verdict',
      1,
      said(found('z.ts', 'critical'), found('c.ts', 'info')),
    ],
  ])('is %s', (_, ...[part, purpose, round, contributions]) => {
    expect(partFor(runWith(aReading({ at: 1 }), { round, contributions }), purpose)).toBe(part);
  });

  test('does not exist when nothing is read in parts', () => {
    expect(partFor(runWith(undefined), 'verdict')).toBeUndefined();
  });
});
