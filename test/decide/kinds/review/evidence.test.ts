/** What code found in a change, as evidence: every finding once, its size, its limits, and what was hidden in it. */
import { describe, expect, test } from 'vitest';
import { toEvidence } from '../../../../src/decide/kinds/review/evidence.ts';
import { parseDiff } from '../../../../src/domain/diff/parse-diff.ts';
import type { LedgerFinding, ReviewState } from '../../../../src/domain/review/review.ts';
import { aDiff, aFinding, aPullView } from '../../../helpers/a-finding.ts';

type Found = Pick<ReviewState, 'fresh' | 'ledger' | 'hidden'>;

function evidenceOf({
  found = {},
  diff = aDiff('src/run.ts', ['a']),
  ...pull
}: { found?: Partial<Found>; diff?: string; title?: string; body?: string } = {}) {
  const ledger = { reviewedSha: undefined, findings: [] };
  const view = aPullView({ pull, diff });
  return toEvidence(view, parseDiff(diff), { fresh: [], ledger, ...found });
}

const open = (over: Parameters<typeof aFinding>[0]): LedgerFinding => ({
  finding: aFinding(over),
  status: 'open',
  firstSha: 'b',
  lastSha: 'b',
});

test('a change without findings', () => {
  expect(evidenceOf({ title: 'Run it', body: 'Now.' })).toEqual({
    subject: 'chore',
    number: 12,
    title: 'Run it',
    excerpt: 'Now.',
    signals: [],
    files: [{ path: 'src/run.ts', why: 'added, +1 −0', score: 1 }],
    symbols: [],
    missing: [],
    relatedIssues: [],
    tests: [],
    hidden: {},
    size: 'small',
    answers: [],
    positions: [],
    notRead: [],
  });
});

test('a new finding comes before a known one, with its location and what to do', () => {
  const fresh = aFinding({ fingerprint: 'new', endLine: 4, advice: 'do not' });
  const known = open({ fingerprint: 'known', ruleId: 'old-rule', line: 9 });
  const ledger = { reviewedSha: undefined, findings: [known, open({ fingerprint: 'new' })] };
  expect(evidenceOf({ found: { fresh: [fresh], ledger } }).signals).toEqual([
    {
      ruleId: 'js-eval',
      severity: 'high',
      title: 'Text is run as code',
      evidence: 'return eval(text);',
      place: { path: 'src/run.ts', line: 2, endLine: 4 },
      concerns: ['maya'],
      suggestion: 'do not',
    },
    {
      ruleId: 'old-rule',
      severity: 'high',
      title: 'Text is run as code',
      evidence: 'return eval(text);',
      place: { path: 'src/run.ts', line: 9 },
      concerns: ['maya'],
      isKnown: true,
    },
  ]);
});

describe('limits', () => {
  test.each([
    [59, 59, []],
    [60, 60, []],
    [61, 60, ['1 more signals']],
    [63, 60, ['3 more signals']],
  ])('of %d signals %d are kept, and the rest is counted', (count, kept, notRead) => {
    const fresh = Array.from({ length: count }, (_, n) => aFinding({ fingerprint: `f${n}` }));
    const evidence = evidenceOf({ found: { fresh } });
    expect([evidence.signals.length, evidence.notRead]).toEqual([kept, notRead]);
  });

  test.each([
    [40, 40],
    [41, 40],
  ])('of %d files %d are kept', (count, kept) => {
    const all = Array.from({ length: count }, (_, n) => aDiff(`src/${n}.ts`, ['a']));
    expect(evidenceOf({ diff: all.join('') }).files).toHaveLength(kept);
  });

  test('the title and the description are short', () => {
    const { title, excerpt } = evidenceOf({ title: 'x'.repeat(300), body: 'y'.repeat(700) });
    expect([title.length, excerpt.length]).toEqual([200, 600]);
  });

  test('a credential in the description is taken out', () => {
    const token = ['ghp', 'Ab1'.repeat(12)].join('_');
    expect(evidenceOf({ body: `use ${token}` }).excerpt).toBe('use (GitHub token removed)');
  });
});

test.each([
  [60, 'small'],
  [61, 'medium'],
  [400, 'medium'],
  [401, 'large'],
])('a change of %d lines is %s', (count, size) => {
  const diff = aDiff(
    'src/a.ts',
    Array.from({ length: count }, () => 'a'),
  );
  expect(evidenceOf({ diff }).size).toBe(size);
});

test('lines that go count as those that come', () => {
  const diff =
    'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,2 @@\n-a\n-b\n+c\n d\n';
  expect(evidenceOf({ diff }).files).toEqual([{ path: 'a.ts', why: 'modified, +1 −2', score: 3 }]);
});

test('hidden markup is reported by kind, and invisible characters of the whole once', () => {
  const body = 'a\u{200b}b <!-- secret --> c';
  expect(evidenceOf({ body }).hidden).toEqual({ 'html-comment': 1, 'zero-width': 1 });
  expect(evidenceOf({ body, found: { hidden: { count: 5 } } }).hidden).toEqual({
    'html-comment': 1,
    'invisible-character': 5,
  });
});
