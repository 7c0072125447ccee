/** Gate 2 on runs as they end. */
import { describe, expect, test } from 'vitest';
import {
  judgeTestRun,
  type TestsEnded,
  type TestsWanted,
} from '../../../src/policy/gates/judge-tests.ts';
import { verifies } from '../../verifies.ts';

const ended = (output: string, over: Partial<TestsEnded> = {}): TestsEnded => ({
  exitCode: 0,
  isTimedOut: false,
  durationMs: 4_200,
  output,
  ...over,
});
const wanted = (over: Partial<TestsWanted> = {}): TestsWanted => ({
  command: 'npm test',
  ended: ended('Tests:       1 skipped, 10 passed, 11 total'),
  before: undefined,
  accepted: undefined,
  ...over,
});

test('passes by the exit code, with what was counted', () => {
  expect(judgeTestRun(wanted())).toEqual({
    gate: '2',
    result: 'passed',
    sentence: '`npm test` ended with 0: 10 passed, 0 failed, 1 skipped.',
    flags: [],
    command: 'npm test',
    exitCode: 0,
    durationMs: 4_200,
    log: 'Tests:       1 skipped, 10 passed, 11 total',
    tests: { passed: 10, failed: 0, skipped: 1 },
  });
});

test('fails by the exit code, whatever is printed', () => {
  const run = ended('Tests:       10 passed, 10 total', { exitCode: 1 });
  expect(judgeTestRun(wanted({ ended: run }))).toMatchObject({ result: 'failed', exitCode: 1 });
  const killed = judgeTestRun(wanted({ ended: ended('', { exitCode: undefined }) }));
  expect(killed).toMatchObject({ result: 'failed', sentence: '`npm test` was killed.' });
  expect(killed).not.toHaveProperty('exitCode');
});

test('says that time was up', () => {
  const run = ended('', { isTimedOut: true, exitCode: undefined, durationMs: 120_000 });
  expect(judgeTestRun(wanted({ ended: run }))).toMatchObject({
    result: 'timed-out',
    sentence: '`npm test` did not end within 120 seconds.',
  });
});

test('passes with a flag where nothing could be counted', () => {
  expect(judgeTestRun(wanted({ ended: ended('done') }))).toMatchObject({
    result: 'passed',
    flags: ['the number of tests that ran is unknown'],
  });
});

verifies('TG-5', 'is not run where the base was counted and the branch cannot be', () => {
  const before = { passed: 12, failed: 0, skipped: 0 };
  const run = ended('');
  expect(judgeTestRun(wanted({ before, ended: run }))).toMatchObject({
    result: 'not-run',
    sentence: '`npm test` does not say how many tests ran; at the base 12 tests pass.',
  });
  expect(judgeTestRun(wanted({ before, ended: run, accepted: '@alice' }))).toMatchObject({
    result: 'passed',
    flags: ['nothing was tested'],
  });
  const failing = ended('', { exitCode: 1 });
  expect(judgeTestRun(wanted({ before, ended: failing })).result).toBe('failed');
});

test('keeps the end of what was printed, without colours and without keys', () => {
  const key = ['ghp', 'a'.repeat(36)].join('_');
  const output = `${'x'.repeat(9_000)}\r\n\u001b[31mnot ok 1\u001b[0m\u202e ${key}\n`;
  const { log = '' } = judgeTestRun(wanted({ ended: ended(output, { exitCode: 1 }) }));
  expect(log).toHaveLength(3_000);
  expect(log).toMatch(/^x+\nnot ok 1 \[redacted\]$/);
});

verifies('EXE-04', 'tests that went away or are skipped now are flagged', () => {
  const before = { passed: 12, failed: 0, skipped: 0 };
  expect(judgeTestRun(wanted({ before })).flags).toEqual([
    '1 fewer test than before',
    '1 newly skipped',
  ]);
  expect(judgeTestRun(wanted({ before: { passed: 10, failed: 0, skipped: 1 } })).flags).toEqual([]);
});

describe('without a test', () => {
  const none = ended('Tests:       0 total\nno tests ran in 0.01s');

  test('is not run, and stops', () => {
    expect(judgeTestRun(wanted({ ended: none })).result).toBe('not-run');
    expect(judgeTestRun(wanted({ command: undefined, ended: undefined }))).toMatchObject({
      result: 'not-run',
      sentence: 'The repository has no test command.',
    });
  });

  test('passes with a flag when somebody accepted that', () => {
    const accepted = '@alice';
    expect(judgeTestRun(wanted({ accepted, command: undefined, ended: undefined }))).toMatchObject({
      result: 'passed',
      sentence: 'The repository has no test command. That was accepted by @alice.',
      flags: ['nothing was tested'],
    });
    expect(judgeTestRun(wanted({ accepted, ended: none })).result).toBe('passed');
  });

  test('stops where there are tests that nobody ran, and where they failed, whatever was accepted', () => {
    const accepted = '@alice';
    expect(judgeTestRun(wanted({ accepted, ended: undefined })).result).toBe('not-run');
    expect(judgeTestRun(wanted({ accepted, ended: ended('', { exitCode: 1 }) })).result).toBe(
      'failed',
    );
  });
});
