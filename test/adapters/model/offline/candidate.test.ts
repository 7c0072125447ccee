/** Offline, severity and certainty decide whether a candidate of the code watch is worth an issue. */
import { expect, test } from 'vitest';
import { judgeCandidate } from '../../../../src/adapters/model/offline/judge/candidate.ts';
import { ChangeVerdict } from '../../../../src/domain/run/council.ts';
import type { Evidence, OfflineBrief } from '../../../../src/domain/run/evidence.ts';
import type { Signal } from '../../../../src/domain/review/signal.ts';

function judge(signal: Partial<Signal> | undefined) {
  const signals: Signal[] =
    signal === undefined
      ? []
      : [
          {
            ruleId: 'empty-catch',
            severity: 'medium',
            title: 'An error is dropped.',
            evidence: '} catch {}',
            place: { path: 'src/a.ts', line: 3 },
            concerns: ['dev'],
            suggestion: 'act on the error',
            ...signal,
          },
        ];
  const evidence = { signals, excerpt: 'Nobody learns of it.' } as unknown as Evidence;
  const verdict = judgeCandidate({ evidence } as OfflineBrief);
  expect(ChangeVerdict.safeParse(verdict).success).toBe(true);
  return verdict;
}

test.each<[Signal['severity'], number | undefined, 'APPROVE' | 'CHANGES']>([
  ['critical', 0.3, 'APPROVE'],
  ['high', 0.55, 'APPROVE'],
  ['medium', 0.6, 'APPROVE'],
  ['medium', 0.5, 'CHANGES'],
  ['medium', undefined, 'CHANGES'],
  ['low', 0.8, 'CHANGES'],
  ['low', 0.85, 'APPROVE'],
  ['info', 1, 'CHANGES'],
])('%s, sure %s: %s', (severity, certainty, verdict) => {
  expect(judge({ severity, ...(certainty === undefined ? {} : { certainty }) }).verdict).toBe(
    verdict,
  );
});

test('says why it matters and what to do, or why it is too little', () => {
  expect(judge({ certainty: 0.9 })).toMatchObject({
    headline: 'An error is dropped',
    reasons: 'Nobody learns of it.',
    changes: [{ text: 'act on the error (`src/a.ts#L3`)', place: { path: 'src/a.ts', line: 3 } }],
  });
  const rejected = judge({ severity: 'low', certainty: 0.5 });
  expect(rejected.reasons).toMatch(/Of low severity, and the rule is only sure to 0\.5/);
  expect(rejected.changes).toEqual([]);
  expect(judge(undefined)).toMatchObject({ verdict: 'CHANGES', headline: 'Nothing was found' });
});
