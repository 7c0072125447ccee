/** Answers to a proposal to remember, at the door: nothing but a hint that the words may be one. */
import { expect, test } from 'vitest';
import { mayApprove, toCommentAddress } from '../../src/events/may-address.ts';

const address = (body: string, isByBot = false) =>
  toCommentAddress({
    place: 'thread',
    body,
    updatedAt: '2026-11-25T12:00:00Z',
    appId: undefined,
    isByBot,
  });

test.each(['remove 3', 'add: reviews are short', 'change 1 to: Node 26', 'nein'])(
  '%j may answer a proposal to remember, and is for nobody where none waits',
  (body) => {
    expect(address(body)).toMatchObject({ isForMemory: true, isForPlan: true });
  },
);

test('“yes” and “no” can answer a plan as well, and are marked as such', () => {
  expect(address('yes')).toMatchObject({ isYes: true });
  expect(address('no')).toMatchObject({ word: 'no', isForPlan: true });
});

test('what is no answer, or of an automated account, answers no proposal', () => {
  expect(address('we could remove three of them')).toBeUndefined();
  expect(address('remove 3', true)).toBeUndefined();
});

test.each([
  ['/pm status', true],
  ['/pm status\n\n  \n/pm why', true],
  ['/pm status\n\nWe ship on Friday.', false],
  ['@quorum what is this?', false],
])('%j says nothing but commands: %s', (body, isOnlyCommands) => {
  expect(address(body)).toMatchObject({ isOnlyCommands });
});

test.each([
  ['yes', true],
  ['/pm approve', true],
  ['/pm status', false],
  ['remove 3', false],
])('%j may approve a plan: %s', (body, may) => {
  const found = address(body);
  if (found === undefined) throw new Error('not for us');
  expect(mayApprove(found, body)).toBe(may);
});
