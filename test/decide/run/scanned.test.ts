/** Which evidence a run rests on: what the look's scan brought, and the same scan only for results without one. */
import { describe, expect, test } from 'vitest';
import { askedEvidence, scannedEvidence, wishedEvidence } from '../../../src/decide/run/scanned.ts';
import { noEvidence } from '../../../src/decide/run/no-evidence.ts';
import { runScan } from '../../../src/rules/run-scan.ts';
import { aView } from '../../helpers/an-issue.ts';

const ABOUT = 'Why does `src/cli.ts` print a line per file?';
const view = aView();
/** As an older worker recorded it. */
const old = { view, nonce: 'n', unchangedRuns: 0, githubCalls: 0 };
const named = (title: string) => ({ ...noEvidence(), title });
const found = { evidence: named('issue'), wished: named('wish'), asked: named('question') };
const look = { ...old, scan: { kind: 'read', found } as const };

describe('a look with a scan', () => {
  test('is not scanned again: each kind of run takes its own part of it', () => {
    expect(scannedEvidence(look)).toBe(found.evidence);
    expect(wishedEvidence(look, ABOUT)).toBe(found.wished);
    expect(wishedEvidence(look, '')).toBe(found.evidence);
    expect(askedEvidence(look, ABOUT)).toBe(found.asked);
  });

  test('that was not read claims nothing', () => {
    const late = { ...old, scan: { kind: 'not-read', reason: 'it took too long' } as const };
    const nothing = {
      ...noEvidence(),
      subject: 'unclear',
      number: 12,
      size: 'unknown',
      notRead: ['what the rules read: it took too long'],
    };
    for (const evidence of [
      scannedEvidence(late),
      wishedEvidence(late, ABOUT),
      wishedEvidence(late, ''),
      askedEvidence(late, ABOUT),
    ])
      expect(evidence).toEqual(nothing);
  });
});

test('a look that an older worker recorded is scanned as it would be now', () => {
  const now = runScan('issue', { view, about: ABOUT });
  expect(scannedEvidence(old)).toEqual(now.evidence);
  expect(wishedEvidence(old, ABOUT)).toEqual(now.wished);
  expect(wishedEvidence(old, '')).toEqual(now.evidence);
  expect(askedEvidence(old, ABOUT)).toEqual(now.asked);
  expect(now.wished).not.toEqual(now.evidence);
  expect(now.asked).not.toEqual(now.evidence);
});
