/** What the demonstration's progress says of one task. */
import { expect, test } from 'vitest';
import { taskStage } from '../../src/demo/plan/plan-watch.ts';
import type { TaskRun } from '../../src/domain/task/task.ts';

/** Reviewed, with what the last look said is missing. */
function reviewed(missing: string[]): string {
  const run = {
    order: { persona: 'dev' },
    pull: { number: 14 },
    headSha: 'a1',
    review: { headSha: 'a1' },
    missing,
    phase: { kind: 'reviewing' },
  } as unknown as TaskRun;
  return taskStage({ number: 2, title: 'Sort', run, state: 'in_review' });
}

test('names what a reviewed pull request waits for, and never leaves the sentence unfinished', () => {
  expect(reviewed(['the review of `ben`'])).toBe('#14 waits for the review of `ben`');
  expect(reviewed([])).toBe('#14 has all that it needs to merge');
});
