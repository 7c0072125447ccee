/** Findings: their order, their cap, their names, and what becomes of the same one from two voices. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  SEVERITIES,
  capFindings,
  compareFindings,
  isAtLeast,
  renderRest,
} from '../../../src/domain/review/finding.ts';
import type { Finding } from '../../../src/domain/review/finding.ts';
import { nameFindings } from '../../../src/domain/review/fingerprint.ts';
import type { FindingDraft } from '../../../src/domain/review/fingerprint.ts';
import { mergeFindings } from '../../../src/domain/review/merge-findings.ts';

function aFinding(more: Partial<Finding> = {}): Finding {
  return {
    ruleId: 'js-eval',
    severity: 'high',
    path: 'src/a.ts',
    line: 10,
    side: 'RIGHT',
    scope: 'line',
    personas: ['maya'],
    title: 'Text is run as code.',
    evidence: 'eval(body)',
    fingerprint: 'f1',
    context: 'c1',
    source: 'signal',
    ...more,
  };
}

function aDraft(more: Partial<FindingDraft> = {}): FindingDraft {
  const { fingerprint: _name, context: _digest, ...rest } = aFinding();
  return { ...rest, basePath: 'src/a.ts', code: '  eval(body);', ...more };
}

const fingerprints = (...drafts: FindingDraft[]): string[] =>
  nameFindings(drafts).map(({ fingerprint }) => fingerprint);

describe('order and cap', () => {
  test('worst first, code before models, then by place', () => {
    const ordered = [
      aFinding({ severity: 'critical', path: 'z.ts' }),
      aFinding({ path: 'b.ts' }),
      aFinding({ path: 'b.ts', line: 20 }),
      aFinding({ path: 'a.ts', source: 'model' }),
      aFinding({ severity: 'info' }),
    ];
    expect(ordered.toReversed().toSorted(compareFindings)).toEqual(ordered);
  });

  test('a threshold takes what is as bad or worse', () => {
    expect(SEVERITIES.filter((severity) => isAtLeast(severity, 'high'))).toEqual([
      'critical',
      'high',
    ]);
    expect(SEVERITIES.filter((severity) => isAtLeast(severity, 'info'))).toEqual([...SEVERITIES]);
  });

  test('what is beyond the cap is named', () => {
    const many = Array.from({ length: 9 }, (_, at) =>
      aFinding({ path: `f${at}.ts`, severity: at < 2 ? 'critical' : 'low' }),
    );
    const { shown, rest } = capFindings(many, 3);
    expect(shown.map(({ path }) => path)).toEqual(['f0.ts', 'f1.ts', 'f2.ts']);
    expect(renderRest(rest)).toBe(
      '6 low more in `f3.ts`, `f4.ts`, `f5.ts`, `f6.ts`, `f7.ts` and 1 more files',
    );
    expect(renderRest([])).toBe('');
  });
});

describe('fingerprints', () => {
  test('survive moves, indentation and renames', () => {
    const [name] = fingerprints(aDraft());
    expect(fingerprints(aDraft({ line: 99 }))).toEqual([name]);
    expect(fingerprints(aDraft({ code: 'eval( body );' }))).toEqual([name]);
    expect(fingerprints(aDraft({ path: 'src/renamed.ts' }))).toEqual([name]);
    expect(fingerprints(aDraft({ code: 'eval(other);' }))).not.toEqual([name]);
    expect(fingerprints(aDraft({ basePath: 'src/b.ts' }))).not.toEqual([name]);
    expect(fingerprints(aDraft({ ruleId: 'py-eval' }))).not.toEqual([name]);
  });

  test('tell the same code at two places apart, in order, however many lines are above them', () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 50 }),
        (shift, first, gap) => {
          const pair = (by: number) =>
            fingerprints(aDraft({ line: first + gap + by }), aDraft({ line: first + by }));
          expect(new Set(pair(0)).size).toBe(2);
          expect(pair(shift)).toEqual(pair(0));
        },
      ),
    );
  });

  test('never hold what the code says', () => {
    const [finding] = nameFindings([aDraft({ code: 'const key = "sesame";' })]);
    expect(JSON.stringify(finding)).not.toContain('sesame');
  });
});

describe('mergeFindings', () => {
  const fromModel = aFinding({
    ruleId: 'model/security',
    severity: 'critical',
    personas: ['dev'],
    title: 'The text from the request is run as code.',
    fingerprint: 'f2',
    line: 11,
    source: 'model',
    advice: 'parse it',
  });

  test('one finding with both names, the worst severity and the words of code', () => {
    expect(
      mergeFindings([fromModel, aFinding({ title: 'Text of a request is run as code.' })]),
    ).toEqual([
      aFinding({
        title: 'Text of a request is run as code.',
        severity: 'critical',
        personas: ['maya', 'dev'],
        advice: 'parse it',
      }),
    ]);
  });

  test.each<[string, Partial<Finding>]>([
    ['another file', { path: 'src/b.ts' }],
    ['the other side', { side: 'LEFT' }],
    ['a line further away', { line: 40 }],
    ['another matter', { title: 'The loop never ends.' }],
  ])('keeps what is about %s', (_name, more) => {
    expect(
      mergeFindings([
        aFinding({ title: 'Text of a request is run as code.' }),
        { ...fromModel, ...more },
      ]),
    ).toHaveLength(2);
  });

  test('a rule that fires on two lines stays two findings', () => {
    expect(mergeFindings([aFinding(), aFinding({ line: 11, fingerprint: 'f3' })])).toHaveLength(2);
  });

  test('does not depend on the order of the input', () => {
    const all = [
      aFinding(),
      fromModel,
      aFinding({ path: 'b.ts', fingerprint: 'f4' }),
      aFinding({ severity: 'low', line: 30, fingerprint: 'f5' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(mergeFindings(shuffled)).toEqual(mergeFindings(all));
      }),
    );
  });
});
