/** What standups are worth: caps, standing, themes, what planning learns, and health. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/domain/standup/health.ts';
import { recallInsights } from '../../../src/domain/standup/past-insights.ts';
import { noTension } from '../../../src/domain/standup/standup-answer.ts';
import {
  demotedIn,
  standingByPersona,
  standingByType,
} from '../../../src/domain/tension/standing.ts';
import { corpusOf, cosine, vectorOf } from '../../../src/domain/tension/tf-idf.ts';
import type { Tension, TensionBook } from '../../../src/domain/tension/tension.ts';
import { findThemes, type DatedInsight } from '../../../src/domain/standup/trends.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { verifies } from '../../verifies.ts';
import { anInsight, COST } from './some-insights.ts';

let count = 0;
function aTension(over: Partial<Tension> = {}): Tension {
  count += 1;
  const { from, role, type, message, refs, actionable, id } = anInsight();
  return {
    number: count,
    state: 'open',
    from,
    role,
    type,
    message,
    refs,
    actionable,
    insights: [id],
    seen: 1,
    firstSeen: '2026-11-25',
    lastSeen: '2026-11-25',
    lastRun: 'run-1',
    evidence: { digest: '', places: [] },
    ...over,
  };
}
const book = (...tensions: Tension[]): TensionBook => ({ v: 1, next: count + 1, tensions });
const many = (length: number, over: Partial<Tension>) =>
  Array.from({ length }, () => aTension(over));

describe('standing', () => {
  verifies('LS-11: standing', 'raised, accepted and closed by persona and type', () => {
    const all = book(
      aTension({ state: 'accepted' }),
      aTension({ state: 'closed', closedBy: { kind: 'commit', sha: 'a' } }),
      aTension({ state: 'closed', closedBy: { kind: 'lines-gone', sha: 'a' }, type: 'drift' }),
      aTension({ state: 'rejected', from: 'carlos' }),
    );
    expect(standingByPersona(all)).toEqual({
      maya: { raised: 3, accepted: 2, rejected: 0, closed: 2 },
      carlos: { raised: 1, accepted: 0, rejected: 1, closed: 0 },
    });
    expect(standingByType(all)).toMatchObject({
      risk: { raised: 3 },
      drift: { raised: 1, accepted: 0 },
    });
  });

  test.each([
    ['ten judged, one accepted', 9, 1, ['maya']],
    ['ten judged, two accepted', 8, 2, []],
    ['nine judged, none accepted', 9, 0, []],
    ['ten judged, none accepted', 10, 0, ['maya']],
  ])('%s', (...[, rejected, accepted, expected]) => {
    const all = book(
      ...many(rejected, { state: 'rejected' }),
      ...many(accepted, { state: 'accepted' }),
    );
    expect(demotedIn(all)).toEqual(expected);
  });

  test('open ones and lines that went judge nobody', () => {
    const all = book(
      ...many(20, {}),
      ...many(20, { state: 'closed', closedBy: { kind: 'lines-gone', sha: 'a' } }),
      ...many(9, { state: 'rejected' }),
    );
    expect(demotedIn(all)).toEqual([]);
  });

  test('the newest thirty judgements count', () => {
    const old = many(40, { state: 'rejected', movedAt: '2026-01-01' });
    const recent = many(30, { state: 'accepted', movedAt: '2026-11-01' });
    expect(demotedIn(book(...recent, ...old))).toEqual([]);
    expect(
      demotedIn(book(...recent.map((each) => ({ ...each, movedAt: '2025-01-01' })), ...old)),
    ).toEqual(['maya']);
  });
});

function dated(run: number, message: string, over: Partial<DatedInsight> = {}): DatedInsight {
  const { id, type } = anInsight({ run: `run-${run}`, message });
  return {
    id,
    run: `run-${run}`,
    message,
    type,
    refs: [{ path: 'src/date.ts' }],
    at: `2026-11-${10 + run}T00:00:00Z`,
    ...over,
  };
}
const DATES = [
  dated(1, 'Three date libraries parse dates.'),
  dated(2, 'Dates are parsed by three libraries.'),
  dated(4, 'A third library for dates parses them.'),
];
const RUNS = [1, 2, 3, 4].map((run) => ({
  run: `run-${run}`,
  at: `2026-11-${10 + run}T00:00:00Z`,
}));

describe('themes', () => {
  test('what is said in three runs is raised, with its words, dates and files', () => {
    const themes = findThemes({
      insights: [...DATES, dated(3, 'The price is trusted.')],
      runs: RUNS,
      closed: new Set(),
    });
    expect(themes).toMatchObject([
      {
        count: 3,
        firstSeen: '2026-11-11T00:00:00Z',
        lastSeen: '2026-11-14T00:00:00Z',
        isRaised: true,
        isResolved: false,
        paths: ['src/date.ts'],
      },
      { count: 1, isRaised: false },
    ]);
    expect(themes[0]?.label).toMatch(/date|librar|third|three|parse/i);
  });

  test('twice in one run is once', () => {
    const twice = [
      dated(1, 'Three date libraries parse dates.'),
      dated(1, 'Dates are parsed by three libraries.'),
    ];
    expect(findThemes({ insights: twice, runs: RUNS, closed: new Set() })).toMatchObject([
      { count: 1 },
    ]);
  });

  test('three times in two runs is not three', () => {
    const twice = [...DATES.slice(0, 2), dated(2, 'Three libraries parse a date each.')];
    expect(findThemes({ insights: twice, runs: RUNS, closed: new Set() })).toMatchObject([
      { count: 2, isRaised: false },
    ]);
  });

  test.each([
    ['a later run is quiet and the follow-up is closed', true, true, true],
    ['the follow-up is open', true, false, false],
    ['no run came later', false, true, false],
  ])('resolved or not: %s', (...[, isQuiet, isClosed, expected]) => {
    const runs = isQuiet ? [...RUNS, { run: 'run-5', at: '2026-11-20T00:00:00Z' }] : RUNS;
    const closed = new Set(isClosed ? DATES.map(({ id }) => id) : []);
    expect(findThemes({ insights: DATES, runs, closed })).toMatchObject([
      { isResolved: expected, isRaised: !expected },
    ]);
  });

  test('the order in which insights come does not matter, and each is in one theme', () => {
    const word = fc.constantFrom('date', 'price', 'cache', 'reader', 'retry', 'order');
    const some = fc.array(fc.tuple(fc.nat(6), fc.array(word, { minLength: 1, maxLength: 4 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(some, (all) => {
        const insights = [
          ...new Map(
            all.map(([run, words]) => dated(run, words.join(' '))).map((each) => [each.id, each]),
          ).values(),
        ];
        const themes = findThemes({ insights, runs: RUNS, closed: new Set() });
        expect(
          findThemes({ insights: insights.toReversed(), runs: RUNS, closed: new Set() }),
        ).toEqual(themes);
        expect(themes.flatMap((theme) => theme.insights).toSorted()).toEqual(
          insights.map(({ id }) => id).toSorted(),
        );
      }),
    );
  });

  test('no tension is no theme', () => {
    expect(
      findThemes({ insights: [dated(1, '', { type: 'none' })], runs: RUNS, closed: new Set() }),
    ).toEqual([]);
  });
});

describe('words in common', () => {
  test('the same text is 1, nothing shared is 0, and both ways are alike', () => {
    const texts = [
      'The parser leaks a handle.',
      'Prices are rounded twice.',
      'The parser rounds prices.',
    ];
    const corpus = corpusOf(texts);
    const [a, b, c] = texts.map((text) => vectorOf(text, corpus));
    if (a === undefined || b === undefined || c === undefined) return;
    expect(cosine(a, a)).toBeCloseTo(1, 10);
    expect(cosine(a, b)).toBe(0);
    expect(cosine(a, c)).toBeCloseTo(cosine(c, a), 10);
    expect(cosine(vectorOf('', corpus), a)).toBe(0);
  });
});

describe('planning', () => {
  const past = (run: number, message: string, over = {}) => ({
    ...dated(run, message),
    from: 'maya',
    actionable: true,
    ...over,
  });
  const now = Date.parse('2026-11-25T00:00:00Z');

  verifies('LS-9: alike and recent', 'what is alike comes first, twenty at most', () => {
    const all = [
      ...Array.from({ length: 30 }, (_, index) =>
        past(1, `Thing ${'abcdefghij'[index % 10]}${index}x leaks memory.`),
      ),
      ...DATES.map((each) => ({ ...each, from: 'dev', actionable: true })),
    ];
    const themes = findThemes({ insights: DATES, runs: RUNS, closed: new Set() });
    const recalled = recallInsights(all, { wish: 'Parse dates with one library', themes, now });
    expect(recalled.length).toBe(20);
    expect(recalled.slice(0, 3).map(({ times }) => times)).toEqual([3, 3, 3]);
  });

  test('what nobody can act on, and what is resolved, is left out', () => {
    const themes = findThemes({
      insights: DATES,
      runs: [...RUNS, { run: 'run-5', at: '2026-11-20T00:00:00Z' }],
      closed: new Set(DATES.map(({ id }) => id)),
    });
    const all = [
      ...DATES.map((each) => ({ ...each, from: 'dev', actionable: true })),
      past(2, 'Nobody reads the log.', { actionable: false }),
    ];
    expect(recallInsights(all, { wish: 'dates', themes, now })).toEqual([]);
  });

  test('of two alike the newer one is first', () => {
    const [old, young] = [
      past(1, 'Dates are parsed twice.', { at: '2026-06-01T00:00:00Z' }),
      past(2, 'Dates are parsed twice.'),
    ];
    expect(
      recallInsights([old, young], { wish: 'dates', themes: [], now }).map(({ run }) => run),
    ).toEqual(['run-2', 'run-1']);
  });
});

describe('health', () => {
  const quiet = (run: number, handle: string) =>
    noTension({ run: `run-${run}`, persona: aPersona({ handle }) }, COST);
  const EMPTY = {
    insights: [],
    book: book(),
    thumbs: { up: 0, down: 0 },
    invented: 0,
    skipped: 0,
    runs: [],
  };

  test('without anything nothing is claimed', () => {
    expect(healthOf(EMPTY)).toMatchObject({
      answers: 0,
      noTensionRate: undefined,
      verdict: 'too-few',
      words: undefined,
      usefulShare: undefined,
      fixCycles: { all: undefined },
    });
  });

  verifies('LS-11: health', 'rates, words, money and fix cycles', () => {
    const insights = [
      ...Array.from({ length: 4 }, (_, run) => quiet(run, 'dev')),
      ...Array.from({ length: 6 }, (_, run) =>
        anInsight({
          run: `run-${run}`,
          message: 'It leaks now.',
          costUsd: run === 0 ? undefined : 0.01,
        }),
      ),
    ];
    const runs = [3, 1, 1, 0].map((fixCycles, run) => ({ run: `run-${run}`, at: '', fixCycles }));
    const health = healthOf({
      ...EMPTY,
      insights,
      runs,
      thumbs: { up: 3, down: 1 },
      book: book(aTension({ state: 'rejected' }), aTension({ state: 'accepted' })),
    });
    expect(health).toMatchObject({
      answers: 10,
      noTensionRate: 0.4,
      verdict: 'healthy',
      words: 3,
      usefulShare: 0.75,
      dismissedShare: 0.5,
      fixCycles: { all: 1.25, recent: 0.5 },
    });
    expect(health.cost.isPartlyUnknown).toBe(true);
    expect(health.cost.usd).toBeCloseTo(0.09, 10);
  });

  test.each([
    [0, 'inventing'],
    [2, 'fair'],
    [4, 'healthy'],
    [6, 'fair'],
    [8, 'not-looking'],
  ])('%i of 10 quiet is %s', (silent, verdict) => {
    const insights = Array.from({ length: 10 }, (_, run) =>
      run < silent ? quiet(run, 'dev') : anInsight({ run: `run-${run}` }),
    );
    expect(healthOf({ ...EMPTY, insights }).verdict).toBe(verdict);
  });
});
