/** A task that somebody starts by hand: the text that is worked on is the one that they could read then. */
import { expect, test } from 'vitest';
import { permitDispatch } from '../../src/policy/dispatch-consent.ts';
import { aPlanBody, aTask } from '../helpers/a-plan.ts';

const AT = Date.parse('2026-11-27T08:00:00Z');
const body = aPlanBody();
const changed = aPlanBody({ tasks: [aTask(1, { description: 'Something else.' }), aTask(2)] });
const base = { body, versions: [], isUnedited: false, task: 1, at: AT };
const version = (text: string, at: number) => ({ text, at });

test('a plan that nobody has edited may be worked on', () => {
  expect(permitDispatch({ ...base, isUnedited: true })).toEqual({ kind: 'allowed' });
});

test('an edit before the start is what the person has read', () => {
  const versions = [version(changed, AT - 9_000), version(body, AT - 1_000)];
  expect(permitDispatch({ ...base, versions })).toEqual({ kind: 'allowed' });
});

test('a task that was changed after the start is refused', () => {
  const versions = [version(changed, AT - 9_000), version(body, AT + 1_000)];
  expect(permitDispatch({ ...base, versions })).toEqual({
    kind: 'refused',
    reason: 'task 1 was changed after this workflow was started',
  });
});

test('an edit in the second of the start counts as later', () => {
  const versions = [version(changed, AT - 9_000), version(body, AT)];
  expect(permitDispatch({ ...base, versions }).kind).toBe('refused');
});

test('a change of another task does not matter', () => {
  const other = aPlanBody({ tasks: [aTask(1), aTask(2, { description: 'Else.' })] });
  const versions = [version(other, AT - 9_000), version(body, AT + 1_000)];
  expect(permitDispatch({ ...base, versions })).toEqual({ kind: 'allowed' });
});

test('where GitHub tells no text from before the start, nothing is worked on', () => {
  expect(permitDispatch(base).kind).toBe('refused');
  expect(permitDispatch({ ...base, versions: [version(body, AT + 1_000)] }).kind).toBe('refused');
});

test('a task that is not there is refused', () => {
  expect(permitDispatch({ ...base, isUnedited: true, task: 9 }).kind).toBe('refused');
});

test('a plan with one problem is refused', () => {
  const broken = aPlanBody({ tasks: [aTask(1), aTask(2, { dependencies: [9] })] });
  expect(permitDispatch({ ...base, body: broken, isUnedited: true })).toEqual({
    kind: 'refused',
    reason: 'the plan has no task 1 that can be read',
  });
});
