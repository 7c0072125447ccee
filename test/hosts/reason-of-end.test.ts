/** Why a task's job opened no pull request: what this job noted, and nothing that an earlier attempt left. */
import { expect, test } from 'vitest';
import type { TaskRun, TaskStream } from '../../src/domain/task/task.ts';
import { reasonOfEnd } from '../../src/hosts/action/task/reason-of-end.ts';

const aStream = (failures: number, notes: string[]): TaskStream & { run: TaskRun } => ({
  v: 1,
  failures,
  run: { notes } as unknown as TaskRun,
});
const publish = {
  kind: 'publish' as const,
  failure: { code: 'github-forbidden' as const, message: 'Actions may not open pull requests.' },
};

function reasonAfter(earlier: TaskStream | undefined, now: TaskStream & { run: TaskRun }): string {
  return reasonOfEnd({ run: now.run, stream: now, failed: [publish] }, earlier);
}

test('the note of an earlier attempt is not the reason of this job', () => {
  expect(reasonAfter(aStream(1, ['Tests failed.']), aStream(1, ['Tests failed.']))).toBe(
    'Actions may not open pull requests.',
  );
});

test('the note that this job wrote is the reason', () => {
  const now = aStream(2, ['Tests failed.', 'The base moved.']);
  expect(reasonAfter(aStream(1, ['Tests failed.']), now)).toBe('The base moved.');
});

test('the same failure again is the reason, also where it took the place of the earlier note', () => {
  expect(reasonAfter(aStream(1, ['Tests failed.']), aStream(2, ['Tests failed.']))).toBe(
    'Tests failed.',
  );
});

test('the first attempt has no earlier notes', () => {
  expect(reasonAfter(undefined, aStream(0, []))).toBe('Actions may not open pull requests.');
  expect(reasonAfter(undefined, aStream(1, ['Tests failed.']))).toBe('Tests failed.');
});
