/** Gate 2: the repository's own tests, seen from outside (TG-5). */
import { tailOfLog } from '../../domain/gates/log-tail.ts';
import type { Judgement } from '../../domain/gates/receipt.ts';
import { countTests, type GateResult, type TestCounts } from '../../domain/gates/test-counts.ts';

/** What is needed of how a command ended. */
export interface TestsEnded {
  /** Undefined when it was killed. */
  exitCode: number | undefined;
  isTimedOut: boolean;
  durationMs: number;
  output: string;
}

export interface TestsWanted {
  /** From the base; undefined when the repository has none. */
  command: string | undefined;
  /** Undefined when nothing was run. */
  ended: TestsEnded | undefined;
  /** What the same command counted at the base, where that is known. */
  before: TestCounts | undefined;
  /** Who said that no tests are needed here, as people read it; undefined when nobody did. */
  accepted: string | undefined;
}

export function judgeTestRun(wanted: TestsWanted): Judgement {
  const { command, ended, before } = wanted;
  if (command === undefined) return notRun(wanted, 'The repository has no test command.');
  if (ended === undefined)
    return notRun({ ...wanted, accepted: undefined }, `\`${command}\` was not run.`);
  const tests = countTests(ended.output);
  const result = judgeTests({ ...ended, counts: tests });
  const facts = { command, ...factsOf(ended, tests) };
  if (result === 'not-run') return { ...notRun(wanted, `\`${command}\` ran no test.`), ...facts };
  // A change that hides the count could have removed the tests as well.
  if (result === 'passed' && tests === undefined && before !== undefined)
    return { ...notRun(wanted, uncounted(command, before)), ...facts };
  const flags = tests === undefined ? ['the number of tests that ran is unknown'] : [];
  if (tests !== undefined && before !== undefined) flags.push(...compareCounts(before, tests));
  return {
    gate: '2',
    result,
    sentence: sentenceOf(command, { ended, result, tests }),
    flags,
    ...facts,
  };
}

function factsOf(
  { exitCode, durationMs, output }: TestsEnded,
  tests: TestCounts | undefined,
): Partial<Judgement> {
  const log = tailOfLog(output);
  return {
    durationMs,
    ...(exitCode !== undefined && { exitCode }),
    ...(tests !== undefined && { tests: onlyCounts(tests) }),
    ...(log !== '' && { log }),
  };
}

function uncounted(command: string, { passed }: TestCounts): string {
  const were = passed === 1 ? '1 test passes' : `${passed} tests pass`;
  return `\`${command}\` does not say how many tests ran; at the base ${were}.`;
}

function onlyCounts({ passed, failed, skipped }: TestCounts): TestCounts {
  return { passed, failed, skipped };
}

function notRun({ accepted }: TestsWanted, sentence: string): Judgement {
  if (accepted === undefined) return { gate: '2', result: 'not-run', sentence, flags: [] };
  return {
    gate: '2',
    result: 'passed',
    sentence: `${sentence} That was accepted by ${accepted}.`,
    flags: ['nothing was tested'],
  };
}

function sentenceOf(
  command: string,
  {
    ended,
    result,
    tests,
  }: { ended: TestsEnded; result: Judgement['result']; tests: TestCounts | undefined },
): string {
  const seconds = Math.max(1, Math.round(ended.durationMs / 1000));
  if (result === 'timed-out') return `\`${command}\` did not end within ${seconds} seconds.`;
  const counted =
    tests === undefined
      ? ''
      : `: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`;
  const code = ended.exitCode === undefined ? 'was killed' : `ended with ${ended.exitCode}`;
  return `\`${command}\` ${code}${counted}.`;
}

/** What a test command did, seen from outside. */
export interface TestRun {
  /** Undefined when it was ended by a signal. */
  exitCode: number | undefined;
  isTimedOut: boolean;
  counts: TestCounts | undefined;
}

/**
 * The verdict of gate 2. No output can pass a run whose exit code is not 0. No exit code passes a run that itself
 * reports failed tests, or that none ran.
 */
export function judgeTests({ exitCode, isTimedOut, counts }: TestRun): GateResult {
  if (isTimedOut) return 'timed-out';
  if (exitCode !== 0 || (counts !== undefined && counts.failed > 0)) return 'failed';
  return counts !== undefined && counts.passed === 0 ? 'not-run' : 'passed';
}

/** What a branch has less of than its base: told to people, who may have meant it. */
export function compareCounts(base: TestCounts, branch: TestCounts): string[] {
  const gone = countAll(base) - countAll(branch);
  const skipped = branch.skipped - base.skipped;
  return [
    ...(gone > 0 ? [`${gone} fewer ${gone === 1 ? 'test' : 'tests'} than before`] : []),
    ...(skipped > 0 ? [`${skipped} newly skipped`] : []),
  ];
}

function countAll({ passed, failed, skipped }: TestCounts): number {
  return passed + failed + skipped;
}
