/** A scan that passed its deadline says nothing of the change: the review is never a success. */
import { expect, test } from 'vitest';
import type { PullLookResult } from '../../../../src/domain/event/result.ts';
import {
  askedEvidence,
  scannedEvidence,
  wishedEvidence,
} from '../../../../src/decide/run/scanned.ts';
import { aDiff, aPullView } from '../../../helpers/a-finding.ts';
import { aPosition, aVerdict, aView } from '../../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../../helpers/play.ts';

function reviewWith(scan: PullLookResult['scan']) {
  const played = play({
    look: () => ({ code: 'bug', message: '', retryable: false }),
    ask: ({ purpose }) =>
      purpose === 'verdict' ? aVerdict({ verdict: 'APPROVE' }) : aPosition({ vote: 'APPROVE' }),
    pull: () => aPullView({ diff: aDiff('src/a.ts', ['export const a = 1;']) }),
    scan: () => scan,
  });
  const headSha = 'a'.repeat(40);
  played.send({ kind: 'pull', action: 'opened', thread: THREAD, actor: ANA, headSha });
  return {
    conclusion: played.of('review-check').at(-1)?.check.conclusion,
    told: JSON.stringify([played.of('review'), played.of('review-check')]),
  };
}

test('a review whose change was scanned may be a success', () => {
  expect(reviewWith({ kind: 'read', found: { findings: [], notRead: [] } }).conclusion).toBe(
    'success',
  );
  expect(reviewWith(undefined).conclusion).toBe('success');
});

test('one whose scan passed its deadline is neutral and says why', () => {
  const { conclusion, told } = reviewWith({
    kind: 'not-read',
    reason: 'it took longer than 60 s',
  });
  expect(conclusion).toBe('neutral');
  expect(told).toContain('it took longer than 60 s');
});

test('evidence of a scan that passed its deadline claims nothing and names the reason', () => {
  const view = aView({});
  const look = { view, nonce: 'n', unchangedRuns: 0, githubCalls: 0 };
  const late = { ...look, scan: { kind: 'not-read', reason: 'it took too long' } as const };
  for (const evidence of [
    scannedEvidence(late),
    wishedEvidence(late, 'w'),
    askedEvidence(late, 'q'),
  ])
    expect(evidence).toMatchObject({
      signals: [],
      subject: 'unclear',
      notRead: [...view.notRead, 'what the rules read: it took too long'],
    });
  expect(scannedEvidence(look).title).not.toBe('');
});
