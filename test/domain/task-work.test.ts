/** What the jobs of a task hand on: closed, capped, and without anything private. */
import { expect, test } from 'vitest';
import {
  MAX_PROOF_CHARS,
  parseTaskProof,
  TaskProof,
  TaskWork,
  toCoded,
  toCodeResult,
  toProved,
} from '../../src/domain/actions/task-work.ts';
import type { CodeResult } from '../../src/domain/task/task-effects.ts';
import { GOOD } from '../helpers/a-task.ts';

const DIGEST = 'd'.repeat(64);
const about = { version: 1, claim: 'task 1', workflowRun: '77' };
const coded: CodeResult = structuredClone(GOOD.code.result);

const work = (done: unknown) => ({ ...about, patch: DIGEST, done });
const proof = { ...about, of: DIGEST, done: toProved(GOOD.verify.result) };

test('a change is returned in the form that the reducer takes', () => {
  const { done } = TaskWork.parse(work({ coded: toCoded(coded) }));
  if (!('coded' in done)) throw new Error('there is no change');
  expect(toCodeResult(done.coded, coded.patch)).toEqual({ ...coded, exchanges: [] });
});

test('the transcript of a session is not handed on', () => {
  const told = toCoded({ ...coded, report: { ...coded.report, transcript: 'private words' } });
  expect(JSON.stringify(told)).not.toContain('private words');
});

test('a signature of the verify job is not handed on', () => {
  expect(JSON.stringify(proof)).not.toContain('signature');
  expect(TaskProof.safeParse(proof).success).toBe(true);
});

test.each<[string, unknown]>([
  ['with a key that nobody knows', work({ coded: toCoded(coded), more: 1 })],
  ['with an error code that there is not', work({ failed: { code: 'made-up', message: '' } })],
  ['of no run', { ...work({ coded: toCoded(coded) }), workflowRun: 'x' }],
  [
    'with 10,000 files',
    work({ coded: { ...(toCoded(coded) as object), files: Array(10_000).fill(coded.files[0]) } }),
  ],
])('a change %s is refused', (_, value) => {
  expect(TaskWork.safeParse(value).success).toBe(false);
});

test('a proof that is no JSON, is too long, or has a signature is refused', () => {
  const text = JSON.stringify(proof);
  expect(parseTaskProof(text)).toBeDefined();
  expect(parseTaskProof(text.slice(0, -1))).toBeUndefined();
  expect(parseTaskProof(text + ' '.repeat(MAX_PROOF_CHARS))).toBeUndefined();
  const signed = { ...proof, done: GOOD.verify.result };
  expect(parseTaskProof(JSON.stringify(signed))).toBeUndefined();
});
