/** Which streams belong to a thread. */
import { expect, test } from 'vitest';
import type { EventData } from '../../src/domain/event/event.ts';
import { relatedStreams } from '../../src/record/thread-record.ts';
import { anEffect, aStream, done, RUN, TASK_KEY, THREAD, THREAD_KEY } from './a-record.ts';

const told = { kind: 'task-told', run: RUN, news: { task: 3 } } as EventData;

test('a plan leads to its tasks, and a task to its pull requests', () => {
  expect(relatedStreams(aStream(THREAD_KEY, [told, told]))).toEqual(['task:7/12-3']);
  const published = done('publish', { pull: { number: 14 }, receipts: [], reviewers: [] });
  expect(relatedStreams(aStream(TASK_KEY, [published]))).toEqual(['thread:7/14']);
});

test('a pull request of a task leads to that task', () => {
  const adopted = { kind: 'adopted', task: { plan: THREAD, task: 1 } } as EventData;
  expect(relatedStreams(aStream('thread:7/14', [adopted]))).toEqual([TASK_KEY]);
});

test('an issue leads to the plan that grew from it, and back', () => {
  const effects = [anEffect(`${RUN}/1-issue`, { kind: 'issue', marker: { kind: 'proposal' } })];
  const opened = done('issue', { outcome: 'created', number: 20, url: '' });
  expect(relatedStreams(aStream(THREAD_KEY, [opened], { effects }))).toEqual(['thread:7/20']);
  const grew = { kind: 'proposed', run: RUN, thread: THREAD, from: 12 } as EventData;
  expect(relatedStreams(aStream('thread:7/20', [grew]))).toEqual([THREAD_KEY]);
});

test('a follow-up plan has a journal of its own', () => {
  const effects = [anEffect(`${RUN}/1-issue`, { kind: 'issue', marker: { kind: 'proposal' } })];
  const opened = done('issue', { outcome: 'created', number: 20, url: '' });
  expect(relatedStreams(aStream(THREAD_KEY, [told, opened], { effects }))).toEqual(['task:7/12-3']);
  const grew = { kind: 'proposed', run: RUN, from: 12, isFollowUp: true } as EventData;
  expect(relatedStreams(aStream('thread:7/20', [grew]))).toEqual([]);
});

test('streams of other kinds lead nowhere', () => {
  expect(relatedStreams(aStream('repository:7', [told]))).toEqual([]);
});
