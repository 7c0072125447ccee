/** The demonstration notices when a pull request did not end as its story has it. */
import { describe, expect, test } from 'vitest';
import { judgePull, type SeenPull } from '../../src/demo/judge-pull.ts';
import { NEW_PULLS } from '../../src/demo/project/new-pulls.ts';
import { aFinding } from '../helpers/a-finding.ts';

const [returned, clean] = NEW_PULLS.map(({ expected }) => expected);

function aRun(verdict: 'APPROVE' | 'CHANGES', status?: 'open' | 'fixed') {
  const finding = aFinding({ ruleId: 'js-shell-command' });
  const entry = { finding, firstSha: 'a', lastSha: 'b' };
  const findings = status === undefined ? [] : [{ ...entry, status }];
  return { verdict: { verdict }, review: { ledger: { reviewedSha: 'b', findings } } };
}

const SEEN: SeenPull = {
  headSha: 'b',
  labels: [],
  check: { conclusion: 'success', title: '', summary: '' },
  reviews: [],
  comments: [],
  ownWords: 0,
};
const COMMENT = { path: 'src/source.ts', body: 'x `js-shell-command`', isFolded: false };

describe('of a clean pull request', () => {
  const judge = (over: Partial<SeenPull>, run = aRun('APPROVE')) =>
    judgePull(run, { ...SEEN, ...over }, clean ?? expect.fail('there is none'));

  test('silence and a check is all that is fine', () => {
    expect(judge({})).toEqual([]);
    expect(judge({ ownWords: 1 })).toEqual(['1 comments beside the review (expected 0)']);
    expect(judge({ comments: [COMMENT] })).toEqual(['1 comments on lines (expected 0)']);
    expect(judge({ labels: ['changes-requested'] })).toHaveLength(1);
    expect(judge({ check: { conclusion: 'neutral', title: '', summary: '' } })).toEqual([
      'the check is neutral (expected success)',
    ]);
  });

  test('a finding that nobody expected is named, and so is a conversation that is not folded', () => {
    expect(judge({}, aRun('CHANGES', 'open'))).toEqual([
      'the verdict is CHANGES (expected APPROVE)',
      'open is js-shell-command (expected nothing)',
    ]);
    expect(judge({ comments: [COMMENT] }, aRun('APPROVE', 'fixed'))).toContain(
      'the conversation about js-shell-command is not folded',
    );
  });
});

test('every finding that is missing from the other one is reported', () => {
  const problems = judgePull(aRun('APPROVE'), SEEN, returned ?? expect.fail('there is none'));
  expect(problems).toContain(
    'open is nothing (expected code-without-tests, debug-print-left, empty-catch, js-shell-command, unused-import)',
  );
  expect(problems).toContain('0 reviews (expected 1)');
});
