/** How often somebody was right, how sure that is, and when somebody goes quiet. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptedShare,
  addJudgements,
  isMuted,
  isBelowPrecision,
  mutedOf,
  NO_PRECISION,
  precisionInterval,
  subjectsOf,
  tallyOf,
  toPrecisionState,
  type Counts,
  type JudgedFinding,
  type PrecisionState,
} from '../../../src/domain/review/precision.ts';
import { aFinding } from '../../helpers/a-finding.ts';

const RULE = { below: 0.3, after: 10 };
const NOW = Date.parse('2026-06-15T00:00:00Z');

const aCount = fc.nat({ max: 200 });
const someCounts = fc.record({ accepted: aCount, declined: aCount, ignored: aCount });
const aJudgement = fc.constantFrom('accepted', 'declined', 'ignored' as const);
const judged = fc.record({
  subjects: fc.uniqueArray(fc.constantFrom('persona:maya', 'persona:dev', 'rule:js-eval'), {
    minLength: 1,
  }),
  month: fc.constantFrom('2025-11', '2025-12', '2026-01', '2026-03', '2026-06'),
  to: aJudgement,
}) as fc.Arbitrary<JudgedFinding>;

function after(changes: readonly JudgedFinding[]): PrecisionState {
  const state = structuredClone(NO_PRECISION);
  for (const change of changes) addJudgements(state, [change]);
  return state;
}

describe('the estimate', () => {
  test('lies between 0 and 1 and around what was seen', () => {
    fc.assert(
      fc.property(someCounts, (counts) => {
        const { low, high } = precisionInterval(counts);
        const n = counts.accepted + counts.declined;
        const seen = n === 0 ? 0.5 : counts.accepted / n;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(seen + 1e-9);
        expect(high).toBeGreaterThanOrEqual(seen - 1e-9);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('rises with what is accepted and falls with what is declined', () => {
    fc.assert(
      fc.property(someCounts, (counts) => {
        const before = precisionInterval(counts);
        const up = precisionInterval({ ...counts, accepted: counts.accepted + 1 });
        const down = precisionInterval({ ...counts, declined: counts.declined + 1 });
        expect(up.low).toBeGreaterThanOrEqual(before.low - 1e-9);
        expect(up.high).toBeGreaterThanOrEqual(before.high - 1e-9);
        expect(down.low).toBeLessThanOrEqual(before.low + 1e-9);
        expect(down.high).toBeLessThanOrEqual(before.high + 1e-9);
      }),
    );
  });

  test('is the published one', () => {
    // Brown, Cai and DasGupta: n = 10, none and five accepted.
    expect(precisionInterval({ accepted: 0, declined: 10, ignored: 0 }).high).toBeCloseTo(
      0.2775,
      3,
    );
    const half = precisionInterval({ accepted: 5, declined: 5, ignored: 0 });
    expect([half.low, half.high].map((each) => each.toFixed(4))).toEqual(['0.2366', '0.7634']);
  });

  test('is the share of the findings that were raised', () => {
    expect(acceptedShare({ accepted: 0, declined: 0, ignored: 0 })).toBeUndefined();
    expect(acceptedShare({ accepted: 3, declined: 2, ignored: 5 })).toBe(0.3);
  });
});

describe('going quiet', () => {
  test.each<[Counts, boolean]>([
    [{ accepted: 0, declined: 9, ignored: 500 }, false],
    [{ accepted: 0, declined: 10, ignored: 0 }, true],
    [{ accepted: 1, declined: 10, ignored: 0 }, false],
    [{ accepted: 1, declined: 14, ignored: 0 }, true],
    [{ accepted: 50, declined: 50, ignored: 0 }, false],
  ])('%j: %s', (counts, expected) => {
    expect(isBelowPrecision(counts, RULE)).toBe(expected);
  });

  test('an accepted finding never mutes, and can unmute a voice', () => {
    fc.assert(
      fc.property(someCounts, fc.nat({ max: 400 }), (counts, more) => {
        const later = { ...counts, accepted: counts.accepted + more };
        if (isBelowPrecision(later, RULE) && counts.accepted + counts.declined >= RULE.after)
          expect(isBelowPrecision(counts, RULE)).toBe(true);
        const all = counts.accepted + counts.declined;
        expect(isBelowPrecision({ ...counts, accepted: counts.accepted + all }, RULE)).toBe(false);
      }),
    );
  });

  test('nobody does where the rule is switched off', () => {
    fc.assert(
      fc.property(someCounts, (counts) => {
        expect(isBelowPrecision(counts, { below: 0, after: 10 })).toBe(false);
      }),
    );
  });

  const quiet = mutedOf({ 'persona:maya': { accepted: 0, declined: 20, ignored: 0 } }, RULE);
  const many = Array.from({ length: 1_000 }, (_, n) =>
    aFinding({ severity: 'low', fingerprint: `finding-${n}` }),
  );

  test('takes lines from what is below high, but for one in five', () => {
    const shown = many.filter((finding) => !isMuted(finding, quiet)).length;
    expect(shown).toBeGreaterThan(150);
    expect(shown).toBeLessThan(250);
    for (const severity of ['high', 'critical'] as const)
      expect(many.some((finding) => isMuted({ ...finding, severity }, quiet))).toBe(false);
  });

  test('takes nothing that somebody else found as well, and mutes a rule for every persona', () => {
    const shared = many.map((finding) => ({ ...finding, personas: ['maya', 'dev'] }));
    expect(shared.some((finding) => isMuted(finding, quiet))).toBe(false);
    const rule = [{ subject: 'rule:js-eval', accepted: 0, declined: 20, ignored: 0 }];
    expect(shared.some((finding) => isMuted(finding, rule))).toBe(true);
    expect(many.some((finding) => isMuted({ ...finding, personas: [] }, quiet))).toBe(false);
  });
});

describe('a repository’s count', () => {
  test('is the same in whatever order and company the judgements come', () => {
    fc.assert(
      fc.property(
        fc
          .array(judged, { maxLength: 30 })
          .chain((all) =>
            fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
          ),
        ([all, shuffled]) => {
          const one = tallyOf(after(all), NOW);
          expect(tallyOf(after(shuffled), NOW)).toEqual(one);
          const together = structuredClone(NO_PRECISION);
          addJudgements(together, all);
          expect(tallyOf(together, NOW)).toEqual(one);
        },
      ),
    );
  });

  test('counts each judgement once for each of its subjects, and a changed one again', () => {
    fc.assert(
      fc.property(fc.array(judged, { maxLength: 30 }), aJudgement, (all, next) => {
        const inWindow = all.filter(({ month }) => month >= '2026-01');
        const tally = tallyOf(after(all), NOW);
        const total = Object.values(tally)
          .flatMap(({ accepted, declined, ignored }) => [accepted, declined, ignored])
          .reduce((a, b) => a + b, 0);
        const expected = inWindow.reduce((n, each) => n + each.subjects.length, 0);
        expect(total).toBe(expected);
        const changed = all.map((each) => ({ ...each, from: each.to, to: next }) as JudgedFinding);
        const direct = all.map((each) => ({ ...each, to: next }));
        expect(tallyOf(after([...all, ...changed]), NOW)).toEqual(
          expect.objectContaining(tallyOf(after(direct), NOW)),
        );
      }),
    );
  });

  test('forgets what is older than six months, and stays small', () => {
    const months = ['2024-01', '2025-12', '2026-01', '2026-06'];
    const state = after(
      months.map((month) => ({ subjects: ['persona:maya'], month, to: 'accepted' })),
    );
    expect(Object.keys(state.months)).toEqual(['2026-01', '2026-06']);
    expect(tallyOf(state, NOW)['persona:maya']?.accepted).toBe(2);
    expect(tallyOf(state, Date.parse('2026-07-01T00:00:00Z'))['persona:maya']?.accepted).toBe(1);
    expect(tallyOf(state, Date.parse('2027-07-01T00:00:00Z'))).toEqual({});
  });

  test('is of everybody whom a finding names, and of its rule when code found it', () => {
    expect(subjectsOf(aFinding({ personas: ['maya', 'dev'] }))).toEqual([
      'persona:maya',
      'persona:dev',
      'rule:js-eval',
    ]);
    expect(subjectsOf(aFinding({ ruleId: 'model/maya' }))).toEqual(['persona:maya']);
  });

  test('of a newer worker is left alone', () => {
    expect(toPrecisionState({ v: 2, months: {} })).toBeUndefined();
    expect(toPrecisionState(null)).toBeUndefined();
  });
});
