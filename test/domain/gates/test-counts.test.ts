/** Summaries as the runners print them, and what is made of a run. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countTests } from '../../../src/domain/gates/test-counts.ts';
import { compareCounts, judgeTests } from '../../../src/policy/gates/judge-tests.ts';

const LOGS: [string, string, { passed: number; failed: number; skipped: number }][] = [
  [
    'node:test',
    '✔ a (1ms)\nℹ tests 12\nℹ suites 2\nℹ pass 9\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 62',
    { passed: 9, failed: 1, skipped: 2 },
  ],
  [
    'node:test',
    'TAP version 13\nok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 40',
    { passed: 1, failed: 0, skipped: 0 },
  ],
  [
    'vitest',
    '\u001b[2m Test Files \u001b[22m 1 failed | 2 passed (3)\n\u001b[2m      Tests \u001b[22m \u001b[31m1 failed\u001b[39m | 28 passed | 3 skipped (32)\n   Start at  10:00:00',
    { passed: 28, failed: 1, skipped: 3 },
  ],
  [
    'jest',
    'Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 10 passed, 13 total\nSnapshots:   0 total',
    { passed: 10, failed: 1, skipped: 2 },
  ],
  [
    'mocha',
    '  parser\n    ✔ reads\n\n\n  12 passing (30ms)\n  1 pending\n  2 failing\n\n  1) parser',
    { passed: 12, failed: 2, skipped: 1 },
  ],
  [
    'pytest',
    '..F.s\n=== short test summary info ===\nFAILED a\n=================== 1 failed, 3 passed, 1 skipped, 2 errors in 0.12s ===================',
    { passed: 3, failed: 3, skipped: 1 },
  ],
  ['pytest', '3 passed in 0.01s', { passed: 3, failed: 0, skipped: 0 }],
  [
    'pytest',
    '============ no tests ran in 0.00s ============',
    { passed: 0, failed: 0, skipped: 0 },
  ],
  [
    'unittest',
    '.F.s\n-----\nRan 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1)',
    { passed: 2, failed: 1, skipped: 1 },
  ],
  [
    'go test',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.00s)\n--- SKIP: TestC (0.00s)\nFAIL\nFAIL\texample.com/a\t0.003s',
    { passed: 1, failed: 1, skipped: 1 },
  ],
  [
    'go test',
    'ok  \texample.com/a\t0.003s\nFAIL\texample.com/b\t0.001s\nFAIL',
    { passed: 1, failed: 1, skipped: 0 },
  ],
  [
    'go test',
    'ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]\nok  \texample.com/c\t0.001s [no tests to run]',
    { passed: 1, failed: 0, skipped: 0 },
  ],
  [
    'cargo',
    'running 3 tests\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out',
    { passed: 3, failed: 1, skipped: 1 },
  ],
  [
    'maven',
    '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s - in a.B\n[INFO] Results:\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1',
    { passed: 2, failed: 2, skipped: 1 },
  ],
  [
    'rspec',
    'Finished in 0.01 seconds\n10 examples, 2 failures, 1 pending',
    { passed: 7, failed: 2, skipped: 1 },
  ],
];

describe('the number of tests', () => {
  for (const [runner, log, counts] of LOGS)
    test(`is read from ${runner}: ${JSON.stringify(log.slice(0, 30))}`, () => {
      expect(countTests(log)).toEqual({ runners: [runner], ...counts });
      expect(countTests(log.replaceAll('\n', '\r\n'))).toEqual({ runners: [runner], ...counts });
    });

  test('is added up over projects, and unknown where nobody prints one', () => {
    const two = `${LOGS[0]?.[1] ?? ''}\n${LOGS[5]?.[1] ?? ''}`;
    expect(countTests(two)).toEqual({
      runners: ['node:test', 'pytest'],
      passed: 12,
      failed: 4,
      skipped: 3,
    });
    expect(countTests('all good\n')).toBeUndefined();
    expect(countTests('')).toBeUndefined();
  });

  test('is read of any log without an exception, and never below nothing', () => {
    const piece = fc.constantFrom(...LOGS.map(([, log]) => log));
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        const counts = countTests(parts.join('\n'));
        for (const count of [counts?.passed, counts?.failed, counts?.skipped])
          expect(count ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a test run', () => {
  const counts = { passed: 3, failed: 0, skipped: 0 };
  const run = { exitCode: 0, isTimedOut: false, counts };
  test('passes only when the exit code and the summary both say so', () => {
    expect(judgeTests(run)).toBe('passed');
    expect(judgeTests({ ...run, counts: undefined })).toBe('passed');
    expect(judgeTests({ ...run, exitCode: 1 })).toBe('failed');
    expect(judgeTests({ ...run, exitCode: undefined })).toBe('failed');
    expect(judgeTests({ ...run, counts: { ...counts, failed: 1 } })).toBe('failed');
    expect(judgeTests({ ...run, counts: { ...counts, passed: 0 } })).toBe('not-run');
    expect(judgeTests({ ...run, isTimedOut: true })).toBe('timed-out');
  });

  test('with fewer tests than its base, or more skipped, is reported', () => {
    expect(compareCounts(counts, counts)).toEqual([]);
    expect(compareCounts(counts, { passed: 1, failed: 0, skipped: 1 })).toEqual([
      '1 fewer test than before',
      '1 newly skipped',
    ]);
  });
});
