/** The tests of a merge on their way from the job that ran them to the job that merges. */
import { describe, expect, test } from 'vitest';
import {
  parseMergeProof,
  toMergeDone,
  toRetestResult,
  type MergeProof,
} from '../../../src/domain/actions/merge-proof.ts';
import { signReceipt, type Judgement } from '../../../src/domain/gates/receipt.ts';
import { judgeProof } from '../../../src/policy/gates/judge-proof.ts';
import { taskKey } from '../../../src/domain/task/task.ts';
import { ORDER } from '../../helpers/a-task.ts';

const [HEAD, BASE, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
];
const BY = { task: ORDER.ref, secret: 'a secret of tests' };
const SIGNING = { secret: BY.secret, scope: taskKey(ORDER.ref) };

function aProof(result: 'passed' | 'failed' = 'passed'): MergeProof {
  const judgement: Judgement = { gate: '2', result, sentence: '3 passed', flags: [] };
  const of = { headSha: HEAD, baseSha: BASE, at: '2026-11-27T08:00:00.000Z' };
  const receipt = signReceipt(judgement, of, { secret: 'of nobody', scope: '' });
  const done = toMergeDone({ outcome: 'tested', baseSha: BASE, receipt });
  return { version: 1, claim: 'c', workflowRun: '7', baseSha: BASE, done };
}

const isRetested = (proof: MergeProof, at: { headSha: string; baseSha: string }): boolean => {
  const result = toRetestResult(proof, BY);
  if (result.outcome !== 'tested') return false;
  return judgeProof({ receipts: [], retest: result.receipt }, { ...at, signing: SIGNING })
    .isRetested;
};

test('proves the two commits that it names, after it was handed over', () => {
  const proof = parseMergeProof(JSON.stringify(aProof()));
  expect(JSON.stringify(proof)).not.toContain('signature');
  expect(proof && isRetested(proof, { headSha: HEAD, baseSha: BASE })).toBe(true);
});

describe('proves nothing', () => {
  test.each([
    ['of another head', { headSha: OTHER, baseSha: BASE }],
    ['of another base', { headSha: HEAD, baseSha: OTHER }],
  ])('%s', (_, at) => {
    expect(isRetested(aProof(), at)).toBe(false);
  });

  test('where the tests failed', () => {
    expect(isRetested(aProof('failed'), { headSha: HEAD, baseSha: BASE })).toBe(false);
  });

  test.each([
    ['with another word in it', { ...aProof(), merge: true }],
    ['with a signature of its own', { ...aProof(), done: { receipt: { signature: 's' } } }],
    ['without a commit', { ...aProof(), baseSha: 'main' }],
  ])('%s', (_, value) => {
    expect(parseMergeProof(JSON.stringify(value))).toBeUndefined();
  });

  test('that is longer than a job may be given', () => {
    expect(parseMergeProof(`${JSON.stringify(aProof())}${' '.repeat(100_000)}`)).toBeUndefined();
  });
});
