/** By which App a comment came is kept where there is one. */
import { expect, test } from 'vitest';
import { toCommentAddress } from '../../src/events/may-address.ts';

test('the App that wrote a comment is kept, and none where a person wrote it', () => {
  const of = (appId: number | undefined) =>
    toCommentAddress({ place: 'thread', body: 'yes', updatedAt: 'T', appId, isByBot: false });
  expect(of(5)).toMatchObject({ place: 'thread', updatedAt: 'T', isYes: true, appId: 5 });
  expect(of(undefined)).not.toHaveProperty('appId');
});
