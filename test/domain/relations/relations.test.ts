/** Relationships: moved by facts, bounded, and back to neutral with time. */
import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  applyFact,
  decay,
  NEUTRAL,
  presentRelations,
  RELATION_FACTS,
  seedsOf,
  type RelationFact,
  type Stances,
} from '../../../src/domain/relations/relations.ts';
import { relationFacts } from '../../../src/domain/relations/relation-facts.ts';
import type { LedgerFinding } from '../../../src/domain/review/review.ts';
import { aFinding } from '../../helpers/a-finding.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aRecord, aRecordTask } from '../standup/some-record.ts';

const AT = '2026-11-25T00:00:00.000Z';
const NOW = Date.parse(AT);
const DAY = 86_400_000;
const fact = (kind: RelationFact['kind'], over: Partial<RelationFact> = {}): RelationFact => ({
  kind,
  by: 'maya',
  to: 'dev',
  at: AT,
  ...over,
});
const of = (stances: Stances, from: string, to: string) => stances[from]?.[to];

describe('facts', () => {
  test('a real defect: the author trusts the reviewer more', () => {
    const after = applyFact({}, fact('real-defect'));
    expect(of(after, 'dev', 'maya')?.trust).toBeGreaterThan(NEUTRAL.trust);
    expect(of(after, 'maya', 'dev')?.trust).toBeLessThan(NEUTRAL.trust);
  });

  test('a needless question: the one who planned is less easy with who asked', () => {
    const after = applyFact({}, fact('needless-question', { by: 'dev', to: 'sasha' }));
    expect(of(after, 'sasha', 'dev')?.rapport).toBeLessThan(NEUTRAL.rapport);
    expect(of(after, 'dev', 'sasha')?.trust).toBeLessThan(NEUTRAL.trust);
  });

  test('a clean hand-over: easier both ways', () => {
    const after = applyFact({}, fact('clean-handover', { by: 'dev', to: 'maya' }));
    expect(of(after, 'maya', 'dev')?.rapport).toBeGreaterThan(NEUTRAL.rapport);
    expect(of(after, 'dev', 'maya')?.rapport).toBeGreaterThan(NEUTRAL.rapport);
  });

  test('a fact about oneself moves nothing', () => {
    expect(applyFact({}, fact('real-defect', { by: 'dev' }))).toEqual({});
  });

  test('a seed is where it begins', () => {
    const seeds = seedsOf(
      [
        aPersona({
          handle: 'dev',
          relationships: { maya: { trust: 0.9, rapport: 0.1, tension: 0.7 } },
        }),
      ],
      AT,
    );
    expect(of(applyFact({}, fact('real-defect'), seeds), 'dev', 'maya')).toMatchObject({
      trust: 0.98,
      tension: 0.7,
    });
  });

  test('one that comes late does not turn the clock back', () => {
    const first = applyFact({}, fact('overruled'));
    const late = applyFact(first, fact('overruled', { at: '2026-01-01T00:00:00.000Z' }));
    expect(of(late, 'dev', 'maya')?.at).toBe(AT);
  });
});

const value = fc.record({
  trust: fc.double({ min: 0, max: 1, noNaN: true }),
  rapport: fc.double({ min: 0, max: 1, noNaN: true }),
  tension: fc.double({ min: 0, max: 1, noNaN: true }),
  at: fc.constant(AT),
});
const facts = fc.array(
  fc.record({
    kind: fc.constantFrom(...RELATION_FACTS),
    by: fc.constantFrom('maya', 'dev', 'carlos'),
    to: fc.constantFrom('maya', 'dev', 'carlos'),
    at: fc.nat(100).map((days) => new Date(NOW + days * DAY).toISOString()),
  }),
  { maxLength: 60 },
);

test.each(RELATION_FACTS)('a hundred times %s at once leads to a bound and not beyond', (kind) => {
  const all = Array.from({ length: 100 }, () => fact(kind));
  const stances = all.reduce((sum, each) => applyFact(sum, each), {} as Stances);
  for (const { trust, rapport, tension } of [
    stances['dev']?.['maya'],
    stances['maya']?.['dev'],
  ].filter((each) => each !== undefined)) {
    expect(Math.min(trust, rapport, tension)).toBeGreaterThanOrEqual(0);
    expect(Math.max(trust, rapport, tension)).toBeLessThanOrEqual(1);
  }
});

test('whatever happens, values stay from 0 to 1', () => {
  fc.assert(
    fc.property(facts, value, (all, seed) => {
      const stances = all.reduce(
        (sum, each) => applyFact(sum, each, { dev: { maya: seed } }),
        {} as Stances,
      );
      for (const own of Object.values(stances))
        for (const { trust, rapport, tension } of Object.values(own))
          for (const each of [trust, rapport, tension]) {
            expect(each).toBeGreaterThanOrEqual(0);
            expect(each).toBeLessThanOrEqual(1);
          }
    }),
  );
});

test('time only leads to neutral, and in the end there', () => {
  fc.assert(
    fc.property(value, fc.nat(400), fc.nat(400), (stance, days, more) => {
      const [soon, later] = [
        decay(stance, NOW + days * DAY),
        decay(stance, NOW + (days + more) * DAY),
      ];
      const keys = ['trust', 'rapport', 'tension'] as const;
      for (const key of keys) {
        expect(Math.abs(later[key] - NEUTRAL[key])).toBeLessThanOrEqual(
          Math.abs(soon[key] - NEUTRAL[key]) + 1e-12,
        );
        expect((soon[key] - NEUTRAL[key]) * (stance[key] - NEUTRAL[key])).toBeGreaterThanOrEqual(0);
      }
      const end = decay(stance, NOW + 3_000 * DAY);
      for (const key of keys) expect(end[key]).toBeCloseTo(NEUTRAL[key], 6);
    }),
  );
});

test('two times of decay are one', () => {
  fc.assert(
    fc.property(value, fc.nat(200), fc.nat(200), (stance, first, second) => {
      const between = {
        ...decay(stance, NOW + first * DAY),
        at: new Date(NOW + first * DAY).toISOString(),
      };
      const [twice, once] = [
        decay(between, NOW + (first + second) * DAY),
        decay(stance, NOW + (first + second) * DAY),
      ];
      expect(twice.trust).toBeCloseTo(once.trust, 9);
    }),
  );
});

test('present values are of those who take part, and not of oneself', () => {
  const stances = applyFact(
    applyFact({}, fact('real-defect')),
    fact('overruled', { by: 'carlos' }),
  );
  expect(
    Object.keys(presentRelations('dev', { stances, team: ['dev', 'maya', 'priya'], now: NOW })),
  ).toEqual(['maya']);
  expect(presentRelations('__proto__', { stances, team: ['maya'], now: NOW })).toEqual({});
});

describe('what a record shows', () => {
  const ledger = (status: LedgerFinding['status'], over = {}): LedgerFinding => ({
    finding: aFinding(over),
    status,
    firstSha: 'a',
    lastSha: 'a',
  });
  const steps = [
    { title: 'Plan', persona: 'sasha', kind: 'plan' as const, result: '' },
    { task: 2, title: 'Review', persona: 'priya', kind: 'review' as const, result: '' },
  ];
  const read = (
    task: Partial<ReturnType<typeof aRecordTask>>,
    more: Partial<Parameters<typeof relationFacts>[0]> = {},
    record = {},
  ) =>
    relationFacts({
      record: aRecord({ steps, tasks: [aRecordTask(task)], ...record }),
      findings: {},
      needless: [],
      at: AT,
      ...more,
    }).map(({ kind, by, to }) => [kind, by, to]);

  test('found and fixed, found and dismissed, each once', () => {
    const findings = {
      2: [
        ledger('fixed'),
        ledger('fixed'),
        ledger('dismissed', { personas: ['carlos'] }),
        ledger('open'),
        ledger('fixed', { severity: 'info', personas: ['priya'] }),
      ],
    };
    expect(read({}, { findings })).toEqual([
      ['real-defect', 'maya', 'dev'],
      ['false-alarm', 'carlos', 'dev'],
    ]);
  });

  test('clean at once, and not after a fix', () => {
    expect(read({})).toEqual([['clean-handover', 'dev', 'priya']]);
    expect(read({ fixCycles: 1 })).toEqual([]);
    expect(read({ state: 'failed' })).toEqual([]);
  });

  test('a needless question, and an overruled review', () => {
    const overruled = [{ task: 2, voices: ['maya'], by: 'tom', what: 'x', why: '' }];
    expect(read({ fixCycles: 1 }, { needless: [2] }, { overruled })).toEqual([
      ['needless-question', 'dev', 'sasha'],
      ['overruled', 'maya', 'dev'],
    ]);
  });
});

/** They colour tone: what decides has to do without them. */
test('nothing that finds, judges or counts knows of relationships', () => {
  const root = path.resolve(import.meta.dirname, '../../../src');
  const reading = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /^(?:domain|rules|policy)\/.*\.ts$/.test(file) && !file.startsWith('domain/relations/'),
    )
    .filter((file) =>
      /relations\/relation|presentRelations|\brelationships\b/.test(
        readFileSync(path.join(root, file), 'utf8'),
      ),
    );
  // A standup hands them to its prompts and keeps how they moved: it decides nothing by them.
  expect(reading.toSorted()).toEqual([
    'domain/persona/persona.ts',
    'domain/persona/soul.ts',
    'domain/standup/kept-standup.ts',
    'domain/standup/standup-run.ts',
  ]);
});
