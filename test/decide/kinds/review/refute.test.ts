/** The floor of a review: what keeps a serious finding of a rule open, and what settles it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyRefutations,
  canTeamRefute,
  holdingFindings,
  reopenRefuted,
} from '../../../../src/decide/kinds/review/ledger/refute.ts';
import { shownTexts } from '../../../../src/decide/kinds/review/parts/shown-text.ts';
import type { Contribution, Position, Voice } from '../../../../src/domain/run/council.ts';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';
import type { Refutation } from '../../../../src/domain/review/refutation.ts';
import type { FindingsLedger, LedgerFinding } from '../../../../src/domain/review/review.ts';
import { aDiff, aFinding } from '../../../helpers/a-finding.ts';
import { aPosition } from '../../../helpers/an-issue.ts';

const LINES = ['export function run(text: string) {', '  return eval(text);', '}'];
const DIFF = parseDiff(aDiff('src/run.ts', LINES));
const QUOTE = 'return eval(text);';
const FINDING = aFinding();

function voice(handle: string): Voice {
  return { handle, name: handle, role: '' };
}

function entry(over: Partial<LedgerFinding> = {}): LedgerFinding {
  return { finding: FINDING, status: 'open', firstSha: 'h1', lastSha: 'h1', ...over };
}

function ledger(...findings: LedgerFinding[]): FindingsLedger {
  return { reviewedSha: 'h1', findings };
}

function objection(over: Partial<Refutation> = {}): Refutation {
  return { fingerprint: FINDING.fingerprint, why: 'the text is our own', quote: QUOTE, ...over };
}

function said(handle: string, refutes: Refutation[], over: Partial<Position> = {}): Contribution {
  const position = aPosition({ vote: 'APPROVE', refutes, ...over } as never);
  return { ...voice(handle), round: 1, outcome: 'said', position };
}

function decide(contributions: Contribution[], participants = ['dev', 'maya', 'carlos']) {
  const run = { participants: participants.map(voice), lead: voice('priya'), contributions };
  return applyRefutations(ledger(entry()), run, () => shownTexts(DIFF, undefined)).findings[0];
}

describe('a high finding of a rule', () => {
  test('is settled by two contributors who quote the change, with their names and reason', () => {
    const settled = decide([said('dev', [objection()]), said('maya', [objection()])]);
    expect(settled).toMatchObject({
      status: 'refuted',
      settledBy: 'dev, maya',
      why: 'the text is our own',
    });
  });

  const invented = 'return JSON.parse(text);';
  test.each<[string, Contribution[]]>([
    ['one contributor', [said('dev', [objection()])]],
    ['the same one twice', [said('dev', [objection(), objection()])]],
    ['a contributor and the lead', [said('dev', [objection()]), said('priya', [objection()])]],
    ['somebody who was not asked', [said('dev', [objection()]), said('stranger', [objection()])]],
    [
      'a quote that nobody was shown',
      [said('dev', [objection()]), said('maya', [objection({ quote: invented })])],
    ],
    [
      'a quote that says nothing',
      [said('dev', [objection()]), said('maya', [objection({ quote: ' ( ) { ' })])],
    ],
    [
      'an invented fingerprint',
      [said('dev', [objection()]), said('maya', [objection({ fingerprint: 'e'.repeat(20) })])],
    ],
    [
      'somebody who reports it as well',
      [
        said('dev', [objection()]),
        said('maya', [objection()], {
          findings: [
            {
              severity: 'high',
              title: 'It is',
              evidence: '',
              ruleId: FINDING.ruleId,
              place: { path: FINDING.path },
            },
          ],
        }),
      ],
    ],
    [
      'somebody who took it back in a later round',
      [said('dev', [objection()]), said('maya', [objection()]), said('maya', [])],
    ],
    [
      'somebody who skipped',
      [said('dev', [objection()]), { ...said('maya', [objection()]), outcome: 'skipped' }],
    ],
  ])('is not settled by %s', (_, contributions) => {
    expect(decide(contributions)?.status).toBe('open');
  });

  test('can be settled by the team only where two contributors besides the lead are asked', () => {
    const of = (...handles: string[]) =>
      canTeamRefute({ participants: handles.map(voice), lead: voice('priya') });
    expect([of(), of('dev'), of('dev', 'priya'), of('dev', 'maya')]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('holds by the severity of the rule, not by what a voice makes of it', () => {
    const raised = entry({ ruleSeverity: 'medium' });
    const lowered = entry({ finding: aFinding({ severity: 'low' }), ruleSeverity: 'critical' });
    expect(holdingFindings(ledger(raised))).toEqual([]);
    expect(holdingFindings(ledger(lowered))).toHaveLength(1);
    expect(holdingFindings(ledger(entry({ finding: aFinding({ source: 'model' }) })))).toEqual([]);
  });
});

describe('a quote', () => {
  const change = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1,2 +1,2 @@',
    ' const first = 1;',
    '-const second = eval(two);',
    '+const second = Number(two);',
    '@@ -9,1 +9,1 @@',
    '-const ninth = 9;',
    '+const ninth = 10;',
    '',
  ].join('\n');
  const refuted = (quote: string): boolean => {
    const run = {
      participants: ['dev', 'maya'].map(voice),
      lead: voice('priya'),
      contributions: ['dev', 'maya'].map((each) => said(each, [objection({ quote })])),
    };
    const texts = () => shownTexts(parseDiff(change), undefined);
    return applyRefutations(ledger(entry()), run, texts).findings[0]?.status === 'refuted';
  };

  test.each<[string, boolean]>([
    ['const second = Number(two);', true],
    ['+const second = Number(two);', true],
    ['const first = 1;\n  const second = Number(two);', true],
    ['const second = \u{200b}Number(two);', true],
    // What is removed, two hunks, both sides at once, the head of the diff, and other letters.
    ['const first = 1;\nconst second = eval(two);', false],
    ['const second = Number(two);\nconst ninth = 10;', false],
    ['const second = eval(two);\nconst second = Number(two);', false],
    ['diff --git a/src/a.ts b/src/a.ts', false],
    ['@@ -9,1 +9,1 @@', false],
    ['const second = number(two);', false],
    // Only a keyword, only a name, one letter.
    ['const ', false],
    ['second', false],
    ['s', false],
  ])('%j counts: %s', (quote, counts) => {
    expect(refuted(quote)).toBe(counts);
  });

  test('of removed code counts for a finding about what is removed', () => {
    const left = entry({ finding: aFinding({ side: 'LEFT' }) });
    const quote = 'const second = eval(two);';
    const run = {
      participants: ['dev', 'maya'].map(voice),
      lead: voice('priya'),
      contributions: ['dev', 'maya'].map((each) => said(each, [objection({ quote })])),
    };
    const texts = () => shownTexts(parseDiff(change), undefined);
    expect(applyRefutations(ledger(left), run, texts).findings[0]?.status).toBe('refuted');
  });

  test('of a part that no voice answered does not count', () => {
    const reading = {
      parts: [[{ path: 'src/a.ts', pieces: [0] }], [{ path: 'src/a.ts', pieces: [1] }]],
      size: 16_000,
      at: 0,
      asked: [],
      heard: [0],
      callsBefore: 0,
    };
    const texts = shownTexts(parseDiff(change), reading).head.join('\n');
    expect(texts).toContain('Number(two)');
    expect(texts).not.toContain('ninth');
  });
});

describe('what was refuted', () => {
  const refuted = (over: Partial<LedgerFinding> = {}): FindingsLedger =>
    ledger(
      entry({
        status: 'refuted',
        settledBy: 'dev, maya',
        why: 'ours',
        refuted: ['dev', 'maya'].map((handle) => ({ handle, why: 'ours', quote: QUOTE })),
        ...over,
      }),
    );
  const elsewhere = parseDiff(aDiff('src/other.ts', ['one']));
  const here = parseDiff(aDiff('src/run.ts', ['// a note']));
  const texts = () => shownTexts(DIFF, undefined);
  const statusOf = (before: FindingsLedger, delta: typeof here | undefined, now = texts) =>
    reopenRefuted(before, { delta, texts: now }).findings[0]?.status;

  test('stays so while the code that was quoted is there, and opens again when it is not', () => {
    expect(statusOf(refuted(), elsewhere)).toBe('refuted');
    expect(statusOf(refuted(), undefined)).toBe('refuted');
    expect(
      statusOf(refuted(), elsewhere, () => ({ head: ['const other = 1;'], base: [QUOTE] })),
    ).toBe('open');
    expect(statusOf(refuted({ refuted: [] }), elsewhere)).toBe('open');
  });

  test.each<['file' | 'change', boolean, boolean]>([
    ['file', true, false],
    ['change', false, false],
  ])('of a whole %s opens again when that changes', (scope, afterOther, afterOwn) => {
    const before = refuted({ finding: aFinding({ scope }) });
    expect(statusOf(before, elsewhere) === 'refuted').toBe(afterOther);
    expect(statusOf(before, here) === 'refuted').toBe(afterOwn);
    expect(statusOf(before, undefined)).toBe('open');
  });

  test('by a person stays settled', () => {
    expect(statusOf(refuted({ status: 'dismissed' }), here, () => ({ head: [], base: [] }))).toBe(
      'dismissed',
    );
  });
});

test('whatever is said, a serious finding of a rule is settled only by two contributors with real quotes', () => {
  const handles = ['dev', 'maya', 'carlos', 'priya', 'nobody'];
  const prints = ['a', 'b', 'c'].map((each) => each.repeat(20));
  const refutation = fc.record({
    fingerprint: fc.constantFrom(...prints, 'invented'),
    why: fc.constant('because'),
    quote: fc.constantFrom(QUOTE, 'ignore this finding', '', 'eval', LINES[0] ?? ''),
  });
  const contribution = fc.record({
    handle: fc.constantFrom(...handles),
    vote: fc.constantFrom('APPROVE' as const, 'CHANGES' as const, 'HUMAN' as const),
    refutes: fc.array(refutation, { maxLength: 4 }),
  });
  const found = fc.tuple(
    ...prints.map((fingerprint) =>
      fc.record({
        fingerprint: fc.constant(fingerprint),
        severity: fc.constantFrom('critical' as const, 'high' as const, 'medium' as const),
        source: fc.constantFrom('signal' as const, 'model' as const),
      }),
    ),
  );
  const people = fc.subarray(['dev', 'maya', 'carlos']);
  const real = new Set([QUOTE, LINES[0]]);
  fc.assert(
    fc.property(fc.array(contribution, { maxLength: 8 }), found, people, (all, findings, team) => {
      const before = ledger(...findings.map((each) => entry({ finding: aFinding(each) })));
      const run = {
        participants: team.map(voice),
        lead: voice('priya'),
        contributions: all.map(({ handle, vote, refutes }) => said(handle, refutes, { vote })),
      };
      const after = applyRefutations(before, run, () => shownTexts(DIFF, undefined));
      const latest = new Map(all.map(({ handle, refutes }) => [handle, refutes]));
      for (const { finding, status } of after.findings) {
        const isSerious = finding.source === 'signal' && finding.severity !== 'medium';
        const by = team.filter((handle) =>
          latest
            .get(handle)
            ?.some((each) => each.fingerprint === finding.fingerprint && real.has(each.quote)),
        );
        expect(status).toBe(isSerious && by.length >= 2 ? 'refuted' : 'open');
      }
    }),
  );
});
