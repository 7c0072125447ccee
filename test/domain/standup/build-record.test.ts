/** What a standup knows of a run: only what was recorded, and what was not is named. */
import { describe, expect, test } from 'vitest';
import {
  buildRecord,
  type TaskHistory,
} from '../../../src/domain/standup/look-back/build-record.ts';
import { estimateMs, formatMs } from '../../../src/domain/standup/look-back/estimates.ts';
import { readTestTimes } from '../../../src/domain/standup/look-back/test-times.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import type { ModelCall } from '../../../src/domain/run/ledger.ts';
import { aPlanBody } from '../../helpers/a-plan.ts';
import { aFinding } from '../../helpers/a-finding.ts';
import { ORDER } from '../../helpers/a-task.ts';
import { addingPatch, aHistory, aReceipt } from './some-record.ts';

const record = (tasks: readonly TaskHistory[]) =>
  buildRecord({ run: 'run-1', thread: 4, outcome: 'completed', request: 'Say hello.', tasks });

function aCall(over: Partial<ModelCall> = {}): ModelCall {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    provider: 'p',
    pool: 'small',
    model: 'm',
    usage,
    costUsd: 0.02,
    latencyMs: 3_000,
    outcome: 'ok',
    retries: 0,
    ...over,
  };
}

test('a task of one attempt, with its gates and cost', () => {
  const history = aHistory({
    calls: [aCall(), aCall({ costUsd: undefined })],
    receipts: [aReceipt({ gate: '1' }), aReceipt({ durationMs: 4_000 })],
  });
  const built = record([{ ...history, endedAt: '2026-11-25T08:02:00Z' }]);
  expect(built).toMatchObject({
    team: ['dev'],
    fixCycles: 0,
    cost: { usd: 0.02, isPartlyUnknown: true },
    files: [{ path: 'src/hello.ts', tasks: [2] }],
    unknown: [],
    tasks: [{ task: 2, workMs: 10_000, elapsedMs: 120_000, touched: ['src/hello.ts'] }],
    gates: [
      { gate: '1', attempts: 1, failed: 0, passed: true },
      { gate: '2', name: 'tests', attempts: 1, failed: 0, passed: true, ms: 4_000, why: '' },
    ],
  });
});

test('gates count over all attempts, each receipt once', () => {
  const failed = aReceipt({ result: 'failed', sentence: '1 of 12 tests failed.', durationMs: 10 });
  const notRun = aReceipt({ result: 'not-run', sentence: 'No runner.', durationMs: 0 });
  const passed = aReceipt({ durationMs: 20 });
  const built = record([
    aHistory({ attempt: 3, receipts: [passed] }, { receipts: [failed, notRun, passed] }),
  ]);
  expect(built.gates).toEqual([
    {
      task: 2,
      gate: '2',
      name: 'tests',
      attempts: 3,
      failed: 2,
      passed: true,
      ms: 30,
      why: 'No runner.',
    },
  ]);
  expect(built.fixCycles).toBe(2);
});

test('what was not kept of earlier attempts is named', () => {
  expect(record([aHistory({ attempt: 2 })]).unknown).toEqual([
    'what the gates said of earlier heads of task 2',
    'earlier changes of task 2',
    'what earlier attempts of task 2 cost',
  ]);
});

test('steps of a plan: who planned, who worked, who reviewed; each in the team once', () => {
  const plan = parsePlan(aPlanBody());
  const built = buildRecord({
    run: 'run-1',
    thread: 4,
    outcome: 'failed',
    request: 'x',
    plan,
    planner: 'sasha',
    tasks: [
      aHistory({
        review: {
          headSha: 'a',
          verdict: 'CHANGES',
          asks: ['Close the file.'],
          voices: [
            { handle: 'maya', vote: 'CHANGES' },
            { handle: 'dev', vote: 'APPROVE' },
            { handle: 'priya' },
          ],
        },
      }),
    ],
  });
  expect(built.team).toEqual(['sasha', 'dev', 'maya', 'priya']);
  expect(built.steps.map(({ kind, persona, result }) => [kind, persona, result])).toEqual([
    ['plan', 'sasha', '1. Do thing 1\n2. Do thing 2'],
    ['task', 'dev', 'Says hello.'],
    ['review', 'maya', 'Voted CHANGES.\n- Close the file.'],
    ['review', 'dev', 'Voted APPROVE.'],
    ['review', 'priya', 'No vote.'],
  ]);
  expect(built.tasks[0]).toMatchObject({ estimate: '2-5 min', planned: ['src/thing-2.ts'] });
});

test('a failed task tells its reason', () => {
  const built = record([
    aHistory(
      { phase: { kind: 'closing', effectId: 'e', state: 'failed', reason: 'gate 2 failed' } },
      { state: 'failed' },
    ),
  ]);
  expect(built.steps[0]?.result).toBe('Says hello.\n\ngate 2 failed');
});

describe('overruled reviews', () => {
  const headSha = 'c'.repeat(40);
  const review = {
    headSha,
    verdict: 'CHANGES',
    asks: ['Close the file.'],
    voices: [{ handle: 'maya', vote: 'CHANGES' as const }],
  };
  const approved = { by: { id: 12, login: 'tom' }, headSha, at: '2026-11-25T09:00:00Z' };

  test('a merged head of which the review wanted changes', () => {
    expect(record([aHistory({ review, approved })]).overruled).toEqual([
      { task: 2, voices: ['maya'], by: 'tom', what: 'Close the file.', why: '' },
    ]);
  });

  test.each([
    [
      'another head was approved',
      { review, approved: { ...approved, headSha: 'd' } },
      'completed' as const,
    ],
    [
      'the review agreed',
      { review: { ...review, verdict: 'APPROVE' }, approved },
      'completed' as const,
    ],
    ['it is not merged', { review, approved }, 'blocked' as const],
  ])('not when %s', (_, run, state) => {
    expect(record([aHistory(run, { state })]).overruled).toEqual([]);
  });

  test('a dismissed finding with who and why, and its line; a small one is not', () => {
    const base = {
      status: 'dismissed' as const,
      firstSha: 'a',
      lastSha: 'a',
      settledBy: 'tom',
      why: 'We trust it.',
    };
    const findings = [
      { ...base, finding: aFinding({ line: 9 }) },
      { ...base, finding: aFinding({ severity: 'low' }) },
      { ...base, status: 'fixed' as const, finding: aFinding() },
    ];
    expect(record([aHistory({}, { findings })]).overruled).toEqual([
      {
        task: 2,
        voices: ['maya'],
        by: 'tom',
        what: 'Text is run as code',
        why: 'We trust it.',
        path: 'src/run.ts',
        line: 9,
      },
    ]);
  });
});

test('what the diff leaves for later, once, with its line', () => {
  const patch = addingPatch('src/a.ts', 7, [
    '// TODO: close it',
    'const todo = 1;',
    '# FIXME later',
  ]);
  const change = { from: 'x', patch, summary: '', decisions: [], paths: ['src/a.ts'] };
  expect(record([aHistory({}, { changes: [change, change] })]).todos).toEqual([
    { task: 2, persona: 'dev', path: 'src/a.ts', line: 8, text: '// TODO: close it' },
    { task: 2, persona: 'dev', path: 'src/a.ts', line: 10, text: '# FIXME later' },
  ]);
});

test('60 tasks are in order, with the files that several touched first', () => {
  const tasks = Array.from({ length: 60 }, (_, index) =>
    aHistory({ order: { ...ORDER, ref: { ...ORDER.ref, task: 60 - index } } }),
  );
  const built = record(tasks);
  expect(built.tasks.map(({ task }) => task)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  expect(built.files[0]?.tasks.length).toBe(60);
});

test('a run without files or tasks is an empty record', () => {
  expect(record([])).toMatchObject({ team: [], tasks: [], files: [], cost: { usd: 0 } });
  const { change: _, ...run } = aHistory().run;
  expect(record([{ run, state: 'failed' }])).toMatchObject({ files: [], todos: [] });
});

describe('times', () => {
  test.each([
    [' ✓ test/a.test.ts (12 tests) 4021ms', 'test/a.test.ts', 4021],
    [' ✓ |pure| test/a.test.ts (12 tests | 1 skipped) 4021ms', 'test/a.test.ts', 4021],
    ['     ✓ reads an empty file  812ms', 'reads an empty file', 812],
    ['PASS test/a.test.js (5.3 s)', 'test/a.test.js', 5300],
    ['    ✔ reads a file (120ms)', 'reads a file', 120],
    ['✔ reads a file (120.6ms)', 'reads a file', 121],
    ['--- PASS: TestRead (0.50s)', 'TestRead', 500],
    ['1.20s call     tests/test_a.py::test_read', 'tests/test_a.py::test_read', 1200],
  ])('%j', (line, name, ms) => {
    expect(readTestTimes(`noise\n${line}\nmore noise 12ms`)).toEqual([{ name, ms }]);
  });

  test('of the last gate run alone', () => {
    const receipts = [
      aReceipt({ durationMs: 100, log: '✔ old (90ms)' }),
      aReceipt({ durationMs: 200, log: '✔ slow (150ms)\n✔ fast (2ms)' }),
    ];
    expect(record([aHistory({ receipts })]).tests).toEqual([
      { task: 2, name: 'slow', ms: 150, gateMs: 200 },
      { task: 2, name: 'fast', ms: 2, gateMs: 200 },
    ]);
  });

  test.each([
    ['5-10 min', 600_000],
    ['~30m', 1_800_000],
    ['2 h', 7_200_000],
    ['1.5 hours', 5_400_000],
    ['1 day', 28_800_000],
    ['10 to 20 minutes', 1_200_000],
    ['0 h', undefined],
    ['small', undefined],
    ['3 points', undefined],
    ['', undefined],
  ])('estimate %j is %j', (text, ms) => {
    expect(estimateMs(text)).toBe(ms);
  });

  test.each([
    [850, '850 ms'],
    [4_200, '4.2 s'],
    [59_000, '59 s'],
    [120_000, '2 min'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%j is written %j', (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });
});
