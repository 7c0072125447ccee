/** A run of tests that has to end in time, on a slow machine too: files that would begin too late are named, not run. */
import { test, TestRunner } from 'vitest';
import { NOT_BEGUN, isTimeLeft } from './time-left.ts';

/** Runs whole files. One that would begin after `TESTS_UNTIL` has a single skipped test instead of its own. */
// oxlint-disable-next-line import/no-default-export -- how Vitest finds the runner
export default class RunUntil extends TestRunner {
  override importFile(...[file, source]: Parameters<TestRunner['importFile']>): unknown {
    if (source === 'setup' || isTimeLeft()) return super.importFile(file, source);
    // oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- the whole file is skipped
    return test.skip(NOT_BEGUN, () => {});
  }
}
