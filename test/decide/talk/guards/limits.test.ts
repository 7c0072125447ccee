/** A persona's own limits of a conversation, inside what is safe. */
import { expect, test } from 'vitest';
import {
  CHAT_LIMITS,
  limitsFor,
  PROJECT_LIMITS,
} from '../../../../src/decide/talk/guards/winding-down.ts';

const MINUTE = 60_000;

test('limits have their defaults, in a chat and in a project', () => {
  expect(limitsFor({ isProject: false })).toEqual({
    replies: 4,
    depth: 12,
    silenceMs: 30 * MINUTE,
    unansweredMs: 60 * MINUTE,
  });
  expect(limitsFor({ isProject: true })).toEqual({
    replies: 10,
    depth: 12,
    silenceMs: 30 * MINUTE,
    unansweredMs: 240 * MINUTE,
  });
  expect([CHAT_LIMITS.replies, PROJECT_LIMITS.replies]).toEqual([4, 10]);
});

test('each own limit counts, and none leaves its bounds', () => {
  const of = (own: object) => limitsFor({ isProject: false }, own);
  expect(of({ replies: 7, depth: 9, silenceMs: 5 * MINUTE, unansweredMs: 6 * MINUTE })).toEqual({
    replies: 7,
    depth: 9,
    silenceMs: 5 * MINUTE,
    unansweredMs: 6 * MINUTE,
  });
  expect(of({ replies: 0, depth: 0, silenceMs: 0, unansweredMs: 0 })).toEqual({
    replies: 1,
    depth: 2,
    silenceMs: MINUTE,
    unansweredMs: MINUTE,
  });
  const most = 10 ** 12;
  expect(of({ replies: most, depth: most, silenceMs: most, unansweredMs: most })).toEqual({
    replies: 20,
    depth: 40,
    silenceMs: 24 * 60 * MINUTE,
    unansweredMs: 24 * 60 * MINUTE,
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is no limit', (replies) => {
  expect(limitsFor({ isProject: false }, { replies }).replies).toBe(4);
});
